import { balanceSchema } from "#api/schemas/balance.ts";
import { presentBalance } from "#domains/ledger/present.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import { succeed } from "#interface/http/envelope.ts";
import { defineTwins, success } from "#interface/http/route.ts";

export const [getBalanceRoute, getWorkspaceBalanceRoute] = defineTwins({
  scope: "balance:read",
  window: "read",
  responses: { 200: success(balanceSchema, "The balance") },
  forKey: {
    operationId: "getBalance",
    method: "get",
    path: "/api/v1/balance",
    tag: "Balance",
    summary: "Read the balance",
    description: "Usable credits, subscription quota or unlimited access, whichever applies.",
  },
  forMember: {
    operationId: "getWorkspaceBalance",
    method: "get",
    path: "/api/account/workspaces/{workspaceId}/balance",
    tag: "Account",
    summary: "Read a workspace's balance",
  },
  handler: async (c) => {
    const { db, workspaceId } = c.get("workspace");
    return succeed(c, 200, presentBalance(await readPaidAccess(db, workspaceId, c.get("nowMs"))));
  },
});
