import { createRoute } from "@hono/zod-openapi";
import { listMembers, presentMembers } from "../accounts/members.ts";
import { memberListSchema, workspaceParams } from "../contract/schemas/workspace.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "listMembers",
    summary: "List a workspace's members",
    description: "First comers first, and the invitations that are open. Any member may ask.",
    family: "read",
    needs: [],
    scope: null,
  }),
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/members",
  request: { params: workspaceParams },
  responses: { 200: success(memberListSchema, "The members"), ...failures(400, 401, 404, 429, 500, 501) },
});

export const accountListMembers = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "accounts");
  const { workspaceId } = await requireMembership(c, c.req.valid("param").workspaceId, null);
  return succeed(c, 200, presentMembers(await listMembers(db, workspaceId, c.var.nowMs)));
});
