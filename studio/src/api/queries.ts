import { MutationCache, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError, type Balance } from "creative-packs";
import { callAccount } from "./account.ts";
import { dropSessionKeys } from "./session-key.ts";
import { mayBeSignedIn, noteSignedOut } from "./signed-in-note.ts";
import { fetchOrRestore } from "./stored-answers.ts";

const UNAUTHORIZED = 401;
const RETRIES = 2;

const mayPass = (error: unknown): boolean => !(error instanceof ApiError) || error.isRetryable;

/** On 401, refetches the session: if it has ended, the page shows the sign-in dialog. */
function onError(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== UNAUTHORIZED) return;
  dropSessionKeys();
  // Refetch rather than sign out, because a late 401 may belong to a request sent before a new sign-in.
  void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: false });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (count, error) => count < RETRIES && mayPass(error) },
    // Mutations fail at once when offline. If they were sent later, they could surprise the user.
    mutations: { networkMode: "always" },
  },
});

/** Features of this origin: sign-in providers, and whether the browser renders previews. */
export const serviceQuery = queryOptions({
  queryKey: ["service"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => fetchOrRestore("service", () => callAccount("getService", { signal })),
});

/** The signed-in account; null when signed out. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    if (!mayBeSignedIn()) return null;
    try {
      return await fetchOrRestore("session", () => callAccount("getSession", { signal }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== UNAUTHORIZED) throw error;
      noteSignedOut();
      return null;
    }
  },
});

/** Removes all data of the ended session, so that the next user cannot see it. */
export function endSession(): void {
  dropSessionKeys();
  noteSignedOut();
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** The user's workspaces, newest first. */
export const workspacesQuery = queryOptions({
  queryKey: ["workspaces"],
  queryFn: async ({ signal }) =>
    (await fetchOrRestore("workspaces", () => callAccount("listWorkspaces", { signal }))).items,
});

/** A workspace's balance. Loads the client library on demand, because the first page does not need it. */
export const balanceQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "balance"],
    queryFn: async ({ signal }) => {
      const { clientOf } = await import("./client.ts");
      return clientOf(workspaceId).balance.get({ signal });
    },
  });

/**
 * Credits that a workspace can spend: those of the plan (null without a plan), prepaid credits, and their sum. An order
 * is paid from one source.
 */
export function spendableOf({ credits, subscription }: Balance) {
  const plan = subscription?.quota.remaining ?? null;
  return { plan, prepaid: credits.available, total: credits.available + (plan ?? 0) };
}
