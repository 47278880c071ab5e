import { infiniteQueryOptions } from "@tanstack/react-query";
import { callAccount } from "#api/account.ts";

/** The keys that people and programs made, newest first, page by page. */
export const keysQuery = (workspaceId: string) =>
  infiniteQueryOptions({
    queryKey: ["workspace", workspaceId, "keys"],
    queryFn: ({ pageParam, signal }) =>
      callAccount("listWorkspaceApiKeys", {
        path: { workspaceId },
        ...(pageParam === null ? {} : { query: { before: pageParam } }),
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });
