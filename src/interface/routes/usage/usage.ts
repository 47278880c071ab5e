import { LIMITS } from "#api/limits.ts";
import { statementQuery, statementSchema } from "#api/schemas/usage-statement.ts";
import { usageSummaryQuery, usageSummarySchema } from "#api/schemas/usage-summary.ts";
import { readStatement } from "#domains/usage/month-statement.ts";
import { presentSummary, readSummary, summaryCsv } from "#domains/usage/summary.ts";
import { contentDisposition } from "#interface/http/downloads.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { defineTwins, success } from "#interface/http/route.ts";
import { CSV_TYPE } from "#platform/csv.ts";

const SUMMARY_DESCRIPTION =
  "Jobs and credits by UTC day, API key or contract, or by several of them. Refunds count on the day on which their job " +
  `was ordered. A page has at most ${LIMITS.usageSummaryRows} rows; totals cover the whole range.`;

export const [getUsageSummaryRoute, getWorkspaceUsageSummaryRoute] = defineTwins({
  scope: "balance:read",
  description: SUMMARY_DESCRIPTION,
  window: "reports",
  query: usageSummaryQuery,
  responses: {
    200: {
      ...success(usageSummarySchema, "The totals", {
        Link: {
          description: "URL of the next page (RFC 8288). Only for CSV, if there is a next page.",
          schema: { type: "string" },
        },
      }),
      bytes: ["text/csv"],
    },
  },
  forKey: {
    operationId: "getUsageSummary",
    route: "GET /api/v1/usage/summary",
    summary: "Summarise usage",
  },
  forMember: {
    operationId: "getWorkspaceUsageSummary",
    route: "GET /api/account/workspaces/{workspaceId}/usage/summary",
    summary: "Summarise a workspace's usage",
  },
  handler: async (c, { db, workspaceId, query: { format, ...request } }) => {
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

const STATEMENT_DESCRIPTION =
  "A UTC calendar month: opening balance, purchases, grants, consumption, refunds, corrections and closing balance; jobs " +
  "by contract and by means of payment; and the payments. Each ledger event counts in the month in which it was " +
  "written, so the credits of a past month never change.";

export const [getStatementRoute, getWorkspaceStatementRoute] = defineTwins({
  scope: "balance:read",
  description: STATEMENT_DESCRIPTION,
  window: "reports",
  query: statementQuery,
  responses: { 200: success(statementSchema, "The statement") },
  forKey: {
    operationId: "getStatement",
    route: "GET /api/v1/usage/statement",
    summary: "Read a monthly statement",
  },
  forMember: {
    operationId: "getWorkspaceStatement",
    route: "GET /api/account/workspaces/{workspaceId}/usage/statement",
    summary: "Read a workspace's monthly statement",
  },
  handler: async (c, { db, workspaceId, query: { month } }) => {
    const statement = await readStatement(db, workspaceId, month, c.get("nowMs"));
    if (statement === null) throw new Error("a caller's workspace is gone");
    return succeed(c, 200, acceptedValue(statement));
  },
});
