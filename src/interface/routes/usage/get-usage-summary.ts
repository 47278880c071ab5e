import { LIMITS } from "#api/limits.ts";
import { usageSummaryQuery, usageSummarySchema } from "#api/schemas/usage-summary.ts";
import { CSV_TYPE } from "#domains/usage/csv.ts";
import { presentSummary, readSummary, summaryCsv } from "#domains/usage/summary.ts";
import { contentDisposition } from "#interface/http/downloads.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { defineTwins, success } from "#interface/http/route.ts";

const description =
  "Orders by UTC day, API key or contract, or by several of them. A job counts on the day on which it was ordered, and so " +
  `does what is given back of it. A page has ${LIMITS.usageSummaryRows} rows; totals are of the whole range.`;

export const [getUsageSummaryRoute, getWorkspaceUsageSummaryRoute] = defineTwins({
  scope: "balance:read",
  window: "reports",
  query: usageSummaryQuery,
  responses: {
    200: {
      ...success(usageSummarySchema, "The sums", {
        Link: {
          description: "Of a table: the address of the next page (RFC 8288), where there is one.",
          schema: { type: "string" },
        },
      }),
      bytes: ["text/csv"],
    },
  },
  forKey: {
    operationId: "getUsageSummary",
    method: "get",
    path: "/api/v1/usage/summary",
    tag: "Balance",
    summary: "Sum up what was spent",
    description,
  },
  forMember: {
    operationId: "getWorkspaceUsageSummary",
    method: "get",
    path: "/api/account/workspaces/{workspaceId}/usage/summary",
    tag: "Account",
    summary: "Sum up what a workspace has spent",
    description,
  },
  handler: async (c) => {
    const { format, ...request } = c.req.valid("query");
    const { db, workspaceId } = c.get("workspace");
    const summary = acceptedValue(await readSummary(db, workspaceId, request, c.get("nowMs")));
    if (format === "json") return succeed(c, 200, presentSummary(summary));
    const { from, to } = summary.range;
    if (summary.nextBefore !== null) {
      const next = new URLSearchParams({
        ...{ from, to, groupBy: summary.groupBy.join(), format, before: summary.nextBefore },
      });
      c.header("Link", `<${c.req.path}?${next}>; rel="next"`);
    }
    c.header("Content-Disposition", contentDisposition(`usage-${from}-${to}.csv`));
    return c.text(summaryCsv(summary), 200, { "Content-Type": CSV_TYPE });
  },
});
