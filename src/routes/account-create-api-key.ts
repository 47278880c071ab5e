import { createRoute } from "@hono/zod-openapi";
import { createApiKeyBody, createdApiKeySchema } from "../contract/schemas/api-key.ts";
import { workspaceParams } from "../contract/schemas/workspace.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";
import { createKeyAsOwner } from "../keys/create-key.ts";
import { presentKey } from "../keys/present-key.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "createWorkspaceApiKey",
    summary: "Create an API key of a workspace",
    description:
      "This is how a workspace gets its first key: an owner grants any scopes, with or without credits. " +
      "The secret is in this answer and nowhere else.",
    family: "keys",
    needs: ["database"],
    takesJson: true,
    scope: "api-keys:write",
  }),
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/api-keys",
  request: {
    params: workspaceParams,
    body: { required: true, content: { "application/json": { schema: createApiKeyBody } } },
  },
  responses: {
    201: success(createdApiKeySchema, "The key with its secret"),
    ...failures(400, 401, 403, 404, 409, 415, 429, 500, 501),
  },
});

export const accountCreateApiKey = defineRoute(route, async (c) => {
  const { name, scopes, expiresAt } = c.req.valid("json");
  const database = requireCapability(c, "database");
  const { workspaceId } = await requireMembership(c, c.req.valid("param").workspaceId, "api-keys:write");
  const request = { name, scopes, expiresAt: expiresAt ? Date.parse(expiresAt) : null };
  const created = acceptedValue(await createKeyAsOwner(database, workspaceId, request, c.var.nowMs));
  return succeed(c, 201, { ...presentKey(created.apiKey, c.var.nowMs), secret: created.secret });
});
