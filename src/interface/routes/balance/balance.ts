import { balanceSchema } from "#api/schemas/balance.ts";
import { usagePageSchema, usageQuery } from "#api/schemas/usage.ts";
import { presentBalance, presentEvent } from "#domains/ledger/present.ts";
import { readUsage } from "#domains/ledger/read-usage.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { defineTwins, success } from "#interface/http/route.ts";
import { presentPage } from "#platform/db/page.ts";

export const [getBalanceRoute, getWorkspaceBalanceRoute] = defineTwins({
  scope: "balance:read",
  responses: { 200: success(balanceSchema, "The balance") },
  forKey: {
    operationId: "getBalance",
    route: "GET /api/v1/balance",
    summary: "Read the balance",
    description: "Credits, subscription quota or unlimited access that the workspace can use.",
  },
  forMember: {
    operationId: "getWorkspaceBalance",
    route: "GET /api/account/workspaces/{workspaceId}/balance",
    summary: "Read a workspace's balance",
  },
  handler: async (c, { db, workspaceId }) => {
    return succeed(c, 200, presentBalance(await readPaidAccess(db, workspaceId, c.get("nowMs"))));
  },
});

export const [listUsageRoute, listWorkspaceUsageRoute] = defineTwins({
  scope: "balance:read",
  query: usageQuery,
  responses: { 200: success(usagePageSchema, "A page of ledger events") },
  forKey: {
    operationId: "listUsage",
    route: "GET /api/v1/usage",
    summary: "List ledger events",
    description:
      "Newest first. A job's reservation is a consumption; a canceled or failed job adds a refund.",
  },
  forMember: {
    operationId: "listWorkspaceUsage",
    route: "GET /api/account/workspaces/{workspaceId}/usage",
    summary: "List a workspace's ledger events",
    description: "Newest first.",
  },
  handler: async (c, { db, workspaceId, query: { limit, before } }) => {
    const page = acceptedValue(await readUsage(db, workspaceId, limit, before));
    return succeed(c, 200, presentPage(page, presentEvent));
  },
});
