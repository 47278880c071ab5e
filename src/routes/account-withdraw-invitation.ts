import { createRoute } from "@hono/zod-openapi";
import { withdrawInvitation } from "../accounts/members.ts";
import { invitationParams, withdrawnInvitationSchema } from "../contract/schemas/workspace.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership, requireOwner } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "withdrawInvitation",
    summary: "Withdraw an invitation",
    description: "An owner's. Its code opens nothing from now on.",
    family: "write",
    needs: [],
    scope: null,
  }),
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/invitations/{invitationId}/withdraw",
  request: { params: invitationParams },
  responses: {
    200: success(withdrawnInvitationSchema, "The invitation that was withdrawn"),
    ...failures(400, 401, 403, 404, 429, 500, 501),
  },
});

export const accountWithdrawInvitation = defineRoute(route, async (c) => {
  const { workspaceId: asked, invitationId } = c.req.valid("param");
  const { db } = requireCapability(c, "accounts");
  const { workspaceId } = requireOwner(await requireMembership(c, asked, null));
  return succeed(c, 200, acceptedValue(await withdrawInvitation(db, workspaceId, invitationId)));
});
