import type { Session } from "creative-packs/internal";
import { queryClient, serviceQuery, sessionQuery } from "#api/queries.ts";
import { noteSignedIn } from "#api/signed-in-note.ts";

const KEPT: readonly unknown[] = [sessionQuery.queryKey[0], serviceQuery.queryKey[0]];

/** Starts a session with an empty cache, so that data of an earlier user is not shown. */
export function beginSession(session: Session): void {
  noteSignedIn();
  queryClient.removeQueries({ predicate: ({ queryKey }) => !KEPT.includes(queryKey[0]) });
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

/** Continues the open page after its user has signed in again. */
export function continueSession(session: Session): void {
  noteSignedIn();
  queryClient.setQueryData(sessionQuery.queryKey, session);
}
