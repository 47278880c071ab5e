import { infiniteQueryOptions } from "@tanstack/react-query";
import type { LedgerEvent } from "creative-packs";
import { clientOf } from "#api/client.ts";

const PAGE = 50;
const LARGEST_PAGE = 100;

/** The ledger, newest first, page by page. */
export const ledgerQuery = (workspaceId: string) =>
  infiniteQueryOptions({
    queryKey: ["workspace", workspaceId, "ledger"],
    queryFn: ({ pageParam }) =>
      clientOf(workspaceId)
        .usage.list({ limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) })
        .firstPage(),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

/** The whole ledger, newest first, as it comes. */
export const wholeLedger = (workspaceId: string): AsyncIterable<LedgerEvent> =>
  clientOf(workspaceId).usage.list({ limit: LARGEST_PAGE });
