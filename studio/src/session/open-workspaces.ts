import type { QueryClient } from "@tanstack/react-query";
import { ApiError } from "creative-packs";
import type { Operations } from "#api/generated/account-operations.ts";
import { sessionQuery, workspacesQuery } from "#api/queries.ts";

type Workspaces = Operations["listWorkspaces"]["data"]["items"];

/** Time for which the list counts as fresh. Changes in this tab refresh it at once. */
const KNOWN_MS = 60_000;
const UNAUTHORIZED = 401;

/** The signed-in user's workspaces, newest first; null without a session, even if it was ended on another device. */
export async function openWorkspaces(client: QueryClient): Promise<Workspaces | null> {
  if ((await client.ensureQueryData(sessionQuery)) === null) return null;
  // Offline, use the last list, so that loaded pages can be visited.
  const staleTime = navigator.onLine ? KNOWN_MS : Number.POSITIVE_INFINITY;
  try {
    return await client.fetchQuery({ ...workspacesQuery, staleTime });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== UNAUTHORIZED) throw error;
    if ((await client.fetchQuery({ ...sessionQuery, staleTime: 0 })) !== null) throw error;
    return null;
  }
}

/** Storage key of the path to open after signing in with a provider, which returns to `/`. Stored for this tab only. */
const KEPT = "creative-packs.next";

/** Stores a path of this origin, or clears it. */
export function keepNext(address: string | undefined): void {
  if (address === undefined) sessionStorage.removeItem(KEPT);
  else sessionStorage.setItem(KEPT, address);
}

/** Returns and deletes the stored path; null if there is none. */
export function takeNext(): string | null {
  const address = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  return address;
}
