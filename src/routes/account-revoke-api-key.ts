import { createRoute } from "@hono/zod-openapi";
import { refuse } from "../contract/errors.ts";
import { apiKeySchema } from "../contract/schemas/api-key.ts";
import { workspaceKeyParams } from "../contract/schemas/workspace.ts";
import { recentKeysOf } from "../http/authenticate.ts";
import { RefusedRequest, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";
import { presentKey, toApiKey } from "../keys/present-key.ts";
import { revokeKey } from "../keys/store.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "revokeWorkspaceApiKey",
    summary: "Revoke an API key of a workspace",
    description:
      "From now on the key spends, writes and makes nothing; within ten seconds it reads nothing either. " +
      "Revoking it again changes nothing.",
    family: "keys",
    needs: [],
    scope: "api-keys:write",
  }),
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/api-keys/{apiKeyId}/revoke",
  request: { params: workspaceKeyParams },
  responses: {
    200: success(apiKeySchema, "The revoked key"),
    ...failures(400, 401, 403, 404, 429, 500, 501),
  },
});

export const accountRevokeApiKey = defineRoute(route, async (c) => {
  const { workspaceId: asked, apiKeyId } = c.req.valid("param");
  const { db } = requireCapability(c, "accounts");
  const { workspaceId } = await requireMembership(c, asked, "api-keys:write");
  const row = await revokeKey(db, workspaceId, apiKeyId, c.var.nowMs);
  if (row === null) {
    throw new RefusedRequest(refuse("API_KEY_NOT_FOUND", "The workspace has no API key of this id."));
  }
  recentKeysOf(c.var.capabilities).forget(apiKeyId);
  return succeed(c, 200, presentKey(toApiKey(row), c.var.nowMs));
});
