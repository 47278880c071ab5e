import { createRoute } from "@hono/zod-openapi";
import { acceptInvitation } from "../accounts/members.ts";
import { getWorkspace, presentWorkspace } from "../accounts/workspaces.ts";
import { acceptInvitationBody, workspaceSchema } from "../contract/schemas/workspace.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "acceptInvitation",
    summary: "Accept an invitation",
    description: "Makes the account a member of the workspace. A code is good for one account.",
    family: "write",
    needs: [],
    takesJson: true,
    scope: null,
  }),
  method: "post",
  path: "/api/account/invitations/accept",
  request: { body: { required: true, content: { "application/json": { schema: acceptInvitationBody } } } },
  responses: {
    200: success(workspaceSchema, "The workspace that is open now"),
    ...failures(400, 401, 403, 404, 409, 415, 429, 500, 501),
  },
});

export const accountAcceptInvitation = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "accounts");
  const { accountId } = c.var.session;
  const accepted = acceptedValue(
    await acceptInvitation(db, accountId, c.req.valid("json").code, c.var.nowMs),
  );
  const workspace = acceptedValue(await getWorkspace(db, accountId, accepted.workspaceId));
  return succeed(c, 200, presentWorkspace(workspace));
});
