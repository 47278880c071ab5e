import { createRoute } from "@hono/zod-openapi";
import { apiKeyListQuery, apiKeyPageSchema } from "../contract/schemas/api-key.ts";
import { workspaceParams } from "../contract/schemas/workspace.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";
import { listKeys, presentKeyPage } from "../keys/list-keys.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "listWorkspaceApiKeys",
    summary: "List a workspace's API keys",
    description: "Without their secrets, newest first: active, expired and revoked ones.",
    family: "keys",
    needs: [],
    scope: "api-keys:read",
  }),
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/api-keys",
  request: { params: workspaceParams, query: apiKeyListQuery },
  responses: { 200: success(apiKeyPageSchema, "A page of keys"), ...failures(400, 401, 404, 429, 500, 501) },
});

export const accountListApiKeys = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "accounts");
  const { workspaceId } = await requireMembership(c, c.req.valid("param").workspaceId, "api-keys:read");
  const { limit, before, parentKeyId } = c.req.valid("query");
  const page = await listKeys(db, workspaceId, before ?? null, parentKeyId ?? null, limit);
  return succeed(c, 200, presentKeyPage(page, c.var.nowMs));
});
