import { statementQuery, statementSchema } from "#api/schemas/usage-statement.ts";
import { readStatement } from "#domains/usage/month-statement.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { defineTwins, success } from "#interface/http/route.ts";

const description =
  "The balance when a UTC calendar month began, what was bought, granted, spent, given back and put right in it, and the " +
  "balance when it ended; orders by contract and by what paid; the month's payments. Each ledger event counts in the " +
  "month in which it was written, so that the credits of a month that is over never change.";

export const [getStatementRoute, getWorkspaceStatementRoute] = defineTwins({
  scope: "balance:read",
  window: "reports",
  query: statementQuery,
  responses: { 200: success(statementSchema, "The statement") },
  forKey: {
    operationId: "getStatement",
    method: "get",
    path: "/api/v1/usage/statement",
    tag: "Balance",
    summary: "Read a month's statement",
    description,
  },
  forMember: {
    operationId: "getWorkspaceStatement",
    method: "get",
    path: "/api/account/workspaces/{workspaceId}/usage/statement",
    tag: "Account",
    summary: "Read a workspace's statement of a month",
    description,
  },
  handler: async (c) => {
    const { month } = c.req.valid("query");
    const { db, workspaceId } = c.get("workspace");
    const statement = await readStatement(db, workspaceId, month, c.get("nowMs"));
    if (statement === null) throw new Error("a caller's workspace is gone");
    return succeed(c, 200, acceptedValue(statement));
  },
});
