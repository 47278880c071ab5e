import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { callAccount } from "#api/account.ts";
import { pagedQuery } from "#api/paged-query.ts";
import { queryClient } from "#api/queries.ts";

/** The workspace's stores and webhooks. */
export const destinationsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "destinations"],
    queryFn: async ({ signal }) =>
      (await callAccount("listWorkspaceDestinations", { path: { workspaceId }, signal })).items,
  });

/** Polling interval while a delivery is in progress. */
const LOOK_AGAIN_MS = 3_000;
const UNDER_WAY = ["queued", "running", "retrying"];

/** Deliveries, newest first. */
export const deliveriesQuery = (workspaceId: string) =>
  infiniteQueryOptions({
    ...pagedQuery(["workspace", workspaceId, "deliveries"], (query, signal) =>
      callAccount("listWorkspaceDeliveries", { path: { workspaceId }, query, signal }),
    ),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.items.some(({ status }) => UNDER_WAY.includes(status)) === true
        ? LOOK_AGAIN_MS
        : false,
  });

/** Refetches both lists after a change. */
export const refreshDestinations = (workspaceId: string): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: destinationsQuery(workspaceId).queryKey }),
    queryClient.invalidateQueries({ queryKey: deliveriesQuery(workspaceId).queryKey }),
  ]);
