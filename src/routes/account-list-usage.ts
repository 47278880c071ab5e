import { createRoute } from "@hono/zod-openapi";
import { usagePageSchema, usageQuery } from "../contract/schemas/usage.ts";
import { workspaceParams } from "../contract/schemas/workspace.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";
import { presentEvent } from "../ledger/present.ts";
import { readUsage } from "../ledger/usage.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "listWorkspaceUsage",
    summary: "List a workspace's ledger events",
    description: "Newest first.",
    family: "read",
    needs: [],
    scope: "balance:read",
  }),
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/usage",
  request: { params: workspaceParams, query: usageQuery },
  responses: {
    200: success(usagePageSchema, "A page of ledger events"),
    ...failures(400, 401, 404, 429, 500, 501),
  },
});

export const accountListUsage = defineRoute(route, async (c) => {
  const { limit, before } = c.req.valid("query");
  const { db } = requireCapability(c, "accounts");
  const { workspaceId } = await requireMembership(c, c.req.valid("param").workspaceId, "balance:read");
  const page = await readUsage(db, workspaceId, limit, before);
  return succeed(c, 200, { items: page.events.map(presentEvent), nextBefore: page.nextBefore });
});
