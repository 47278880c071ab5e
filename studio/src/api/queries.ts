import { MutationCache, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError, type Balance } from "creative-packs";
import { callAccount } from "./account.ts";
import { askOrRecall } from "./last-answer.ts";
import { forgetSessionKeys } from "./session-key.ts";
import { mayBeSignedIn, noteSignedOut } from "./signed-in-note.ts";

const UNAUTHORIZED = 401;
const RETRIES = 2;

const mayPass = (error: unknown): boolean => !(error instanceof ApiError) || error.isRetryable;

/** A session that ended while the page stood: the page asks again who is signed in, and shows the way back. */
function onError(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== UNAUTHORIZED) return;
  forgetSessionKeys();
  // A late answer to what was sent before the person signed in again must not end the new session here.
  void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: false });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (count, error) => count < RETRIES && mayPass(error) },
    // Without a connection the person is told at once; nothing is done later that they no longer expect.
    mutations: { networkMode: "always" },
  },
});

/** What this origin offers: providers to sign in with, and whether the grid is drawn in the browser. */
export const serviceQuery = queryOptions({
  queryKey: ["service"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => askOrRecall("service", () => callAccount("getService", { signal })),
});

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    if (!mayBeSignedIn()) return null;
    try {
      return await askOrRecall("session", () => callAccount("getSession", { signal }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== UNAUTHORIZED) throw error;
      noteSignedOut();
      return null;
    }
  },
});

/** Nothing of the session that has ended is shown to the next person. */
export function endSession(): void {
  forgetSessionKeys();
  noteSignedOut();
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** The person's workspaces, newest first. */
export const workspacesQuery = queryOptions({
  queryKey: ["workspaces"],
  queryFn: async ({ signal }) =>
    (await askOrRecall("workspaces", () => callAccount("listWorkspaces", { signal }))).items,
});

/** What a workspace can spend. The client library comes with it: the first page needs none. */
export const balanceQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "balance"],
    queryFn: async ({ signal }) => {
      const { clientOf } = await import("./client.ts");
      return clientOf(workspaceId).balance.get({ signal });
    },
  });

/** Credits that a workspace can spend: the plan's (null without one), prepaid ones, and both. One source pays a whole order. */
export function spendableOf({ credits, subscription }: Balance) {
  const plan = subscription?.quota.remaining ?? null;
  return { plan, prepaid: credits.available, total: credits.available + (plan ?? 0) };
}
