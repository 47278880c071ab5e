import { createRoute } from "@hono/zod-openapi";
import { invite, presentInvitation } from "../accounts/members.ts";
import { createdInvitationSchema, workspaceParams } from "../contract/schemas/workspace.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership, requireOwner } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "createInvitation",
    summary: "Ask somebody into a workspace",
    description:
      "An owner's. Gives a code for one person, good for three days; whoever accepts it becomes a member. " +
      "The code is in this answer and nowhere else.",
    family: "write",
    needs: [],
    scope: null,
  }),
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/invitations",
  request: { params: workspaceParams },
  responses: {
    201: success(createdInvitationSchema, "The invitation with its code"),
    ...failures(400, 401, 403, 404, 409, 429, 500, 501),
  },
});

export const accountCreateInvitation = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "accounts");
  const { workspaceId } = requireOwner(await requireMembership(c, c.req.valid("param").workspaceId, null));
  const { code, ...invitation } = acceptedValue(await invite(db, workspaceId, c.var.nowMs));
  return succeed(c, 201, { ...presentInvitation(invitation), code });
});
