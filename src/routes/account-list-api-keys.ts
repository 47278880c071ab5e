import { createRoute } from "@hono/zod-openapi";
import { apiKeyListSchema } from "../contract/schemas/api-key.ts";
import { workspaceParams } from "../contract/schemas/workspace.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";
import { presentKey, toApiKey } from "../keys/present-key.ts";
import { KEYS_LISTED_MAX, listKeys } from "../keys/store.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "listWorkspaceApiKeys",
    summary: "List a workspace's API keys",
    description: "Without their secrets. Live keys come first, then expired and revoked ones.",
    family: "keys",
    needs: [],
    scope: "api-keys:read",
  }),
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/api-keys",
  request: { params: workspaceParams },
  responses: { 200: success(apiKeyListSchema, "The keys"), ...failures(400, 401, 404, 429, 500, 501) },
});

export const accountListApiKeys = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "accounts");
  const { workspaceId } = await requireMembership(c, c.req.valid("param").workspaceId, "api-keys:read");
  const rows = await listKeys(db, workspaceId, KEYS_LISTED_MAX, c.var.nowMs);
  return succeed(c, 200, { items: rows.map((row) => presentKey(toApiKey(row), c.var.nowMs)) });
});
