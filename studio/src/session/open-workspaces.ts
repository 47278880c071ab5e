import type { QueryClient } from "@tanstack/react-query";
import { ApiError } from "creative-packs";
import type { Operations } from "#api/generated/account-operations.ts";
import { sessionQuery, workspacesQuery } from "#api/queries.ts";

type Workspaces = Operations["listWorkspaces"]["data"]["items"];

/** How long the list is not fetched again; changes made in this tab refresh it at once. */
const KNOWN_MS = 60_000;
const UNAUTHORIZED = 401;

/** The signed-in person's workspaces, newest first; null when no session is open, also one that has ended elsewhere. */
export async function openWorkspaces(client: QueryClient): Promise<Workspaces | null> {
  if ((await client.ensureQueryData(sessionQuery)) === null) return null;
  // Without a connection the list known so far will do, so that pages already loaded can be visited.
  const staleTime = navigator.onLine ? KNOWN_MS : Number.POSITIVE_INFINITY;
  try {
    return await client.fetchQuery({ ...workspacesQuery, staleTime });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== UNAUTHORIZED) throw error;
    if ((await client.fetchQuery({ ...sessionQuery, staleTime: 0 })) !== null) throw error;
    return null;
  }
}

/**
 * Where a person goes on once signed in, over the way to a provider and back, which ends at `/`. Kept for this tab alone.
 */
const KEPT = "creative-packs.next";

/** Keeps an address of this origin, or that there is none. */
export function keepNext(address: string | undefined): void {
  if (address === undefined) sessionStorage.removeItem(KEPT);
  else sessionStorage.setItem(KEPT, address);
}

/** The address that was kept, once; null for none. */
export function takeNext(): string | null {
  const address = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  return address;
}
