import type { Session } from "creative-packs/internal";
import { queryClient, serviceQuery, sessionQuery } from "#api/queries.ts";
import { noteSignedIn } from "#api/signed-in-note.ts";

const KEPT: readonly unknown[] = [sessionQuery.queryKey[0], serviceQuery.queryKey[0]];

/** Begins with nothing but the session: what an earlier person was shown is not the next one's. */
export function beginSession(session: Session): void {
  noteSignedIn();
  queryClient.removeQueries({ predicate: ({ queryKey }) => !KEPT.includes(queryKey[0]) });
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

/** Goes on with the page as it stands, whose person has signed in again. */
export function continueSession(session: Session): void {
  noteSignedIn();
  queryClient.setQueryData(sessionQuery.queryKey, session);
}
