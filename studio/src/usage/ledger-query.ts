import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { LedgerEvent } from "creative-packs";
import { clientOf } from "../api/client.ts";
import { firstDayMs, spentByDay } from "./spent-by-day.ts";

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

/** So many entries are read for the chart at most: ten requests. */
const CHARTED_MAX = 1_000;

/** What was spent on each of the last days. `isCut`: there were more entries than are read. */
export const daysQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "ledger", "days"],
    queryFn: async () => {
      const nowMs = Date.now();
      const events: LedgerEvent[] = [];
      for await (const event of wholeLedger(workspaceId)) {
        if (Date.parse(event.createdAt) < firstDayMs(nowMs)) break;
        if (events.length === CHARTED_MAX) return { days: spentByDay(events, nowMs), isCut: true };
        events.push(event);
      }
      return { days: spentByDay(events, nowMs), isCut: false };
    },
  });
