import { createRoute } from "@hono/zod-openapi";
import { createOwnWorkspace, getWorkspace, presentWorkspace } from "../accounts/workspaces.ts";
import { createWorkspaceBody, workspaceSchema } from "../contract/schemas/workspace.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { idempotencyHeaders, once } from "../http/idempotency.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "createWorkspace",
    summary: "Create a workspace",
    description: "The account owns it. It begins without credits.",
    family: "write",
    needs: ["database", "idempotency"],
    takesJson: true,
    scope: null,
  }),
  method: "post",
  path: "/api/account/workspaces",
  request: {
    headers: idempotencyHeaders,
    body: { required: true, content: { "application/json": { schema: createWorkspaceBody } } },
  },
  responses: {
    200: success(workspaceSchema, "The workspace that an equal request made"),
    201: success(workspaceSchema, "The new workspace"),
    ...failures(400, 401, 403, 409, 415, 429, 500, 501),
  },
});

export const accountCreateWorkspace = defineRoute(route, async (c) => {
  const body = c.req.valid("json");
  const { db } = requireCapability(c, "accounts");
  const { accountId } = c.var.session;
  const { value, isReplay } = acceptedValue(
    await once(c, {
      idempotencyKey: c.req.valid("header")["idempotency-key"],
      body,
      // The key's scope is the account: the workspace is not there yet.
      workspaceId: accountId,
      perform: (claim) => createOwnWorkspace(db, claim, accountId, body.name),
      recall: (workspaceId) => getWorkspace(db, accountId, workspaceId),
    }),
  );
  return succeed(c, isReplay ? 200 : 201, presentWorkspace(value));
});
