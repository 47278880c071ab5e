import { createRoute } from "@hono/zod-openapi";
import { balanceSchema } from "../contract/schemas/balance.ts";
import { workspaceParams } from "../contract/schemas/workspace.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";
import { presentBalance } from "../ledger/present.ts";
import { readPaidAccess } from "../ledger/service.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "getWorkspaceBalance",
    summary: "Read a workspace's balance",
    family: "read",
    needs: [],
    scope: "balance:read",
  }),
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/balance",
  request: { params: workspaceParams },
  responses: { 200: success(balanceSchema, "The balance"), ...failures(400, 401, 404, 429, 500, 501) },
});

export const accountGetBalance = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "accounts");
  const { workspaceId } = await requireMembership(c, c.req.valid("param").workspaceId, "balance:read");
  return succeed(c, 200, presentBalance(await readPaidAccess(db, workspaceId, c.var.nowMs)));
});
