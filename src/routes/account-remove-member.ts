import { createRoute } from "@hono/zod-openapi";
import { removeMember } from "../accounts/members.ts";
import { memberParams, removedMemberSchema } from "../contract/schemas/workspace.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "removeMember",
    summary: "Take a member out of a workspace",
    description:
      "An owner takes any member out, a member themselves. The workspace is closed to them at once, " +
      "and destinations that they made are paused until an owner enables them.",
    family: "write",
    needs: [],
    scope: null,
  }),
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/members/{accountId}/remove",
  request: { params: memberParams },
  responses: {
    200: success(removedMemberSchema, "Who was taken out"),
    ...failures(400, 401, 403, 404, 409, 429, 500, 501),
  },
});

export const accountRemoveMember = defineRoute(route, async (c) => {
  const { workspaceId, accountId } = c.req.valid("param");
  const { db } = requireCapability(c, "accounts");
  const remover = await requireMembership(c, workspaceId, null);
  return succeed(c, 200, acceptedValue(await removeMember(db, remover, accountId, c.var.nowMs)));
});
