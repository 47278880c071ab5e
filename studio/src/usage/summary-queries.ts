import { queryOptions } from "@tanstack/react-query";
import { readRefusal, toApiError } from "creative-packs/internal";
import { callAccount } from "#api/account.ts";
import { fetchWithKey } from "#api/client.ts";
import type { UsageSpan } from "./usage-span.ts";

export type UsageGroup = "day" | "key" | "contract";

/** What was spent in a span, summed by one of the groups. */
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

/** A year by day, key and contract of a workspace with many keys; what has more is asked for in parts. */
const PAGES_MAX = 100;

/** The sums by day, key and contract as a table, all pages of it. Throws as the client library does. */
export async function fetchSummaryTable(workspaceId: string, { from, to }: UsageSpan): Promise<Blob> {
  const query = new URLSearchParams({ from, to, groupBy: "day,key,contract", format: "csv" });
  let address: string | null = `/api/v1/usage/summary?${query}`;
  const parts: string[] = [];
  while (address !== null && parts.length < PAGES_MAX) {
    const response = await fetchWithKey(workspaceId, address);
    const text = await response.text();
    if (!response.ok) throw toApiError(readRefusal(response, text));
    // The head of the table stands on each page.
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf("\n") + 1));
    address = nextAddressOf(response);
  }
  return new Blob(parts, { type: "text/csv" });
}

/** RFC 8288: the address of the next page; null at the end. */
const nextAddressOf = ({ headers }: Response): string | null =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get("Link") ?? "")?.[1] ?? null;
