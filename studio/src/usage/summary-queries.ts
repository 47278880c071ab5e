import { queryOptions } from "@tanstack/react-query";
import { callAccount } from "#api/account.ts";
import { fetchTable } from "#api/fetch-table.ts";
import type { UsageSpan } from "./usage-span.ts";

export type UsageGroup = "day" | "key" | "contract";

/** Credits spent in a span, summed by one of the groups. */
export const summaryQuery = (workspaceId: string, { from, to }: UsageSpan, groupBy: UsageGroup) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "ledger", "summary", from, to, groupBy],
    queryFn: ({ signal }) =>
      callAccount("getWorkspaceUsageSummary", {
        path: { workspaceId },
        query: { from, to, groupBy },
        signal,
      }),
  });

/** The sums by day, key and contract as CSV. Throws the client library's errors. */
export const fetchSummaryTable = (workspaceId: string, { from, to }: UsageSpan): Promise<Blob> => {
  const query = new URLSearchParams({ from, to, groupBy: "day,key,contract", format: "csv" });
  return fetchTable(workspaceId, `/api/v1/usage/summary?${query}`);
};
