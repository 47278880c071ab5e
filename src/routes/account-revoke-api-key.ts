import { createRoute } from "@hono/zod-openapi";
import { revokedApiKeySchema, revokeKeyQuery } from "../contract/schemas/api-key.ts";
import { workspaceKeyParams } from "../contract/schemas/workspace.ts";
import { recentKeysOf } from "../http/authenticate.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";
import { presentRevocation, revokeKey } from "../keys/revoke-key.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "revokeWorkspaceApiKey",
    summary: "Revoke an API key of a workspace",
    description:
      "From now on the key spends, writes and makes nothing; within ten seconds it reads nothing either. " +
      "Revoking it again changes nothing. The answer shows the live keys that it made; they go on working unless " +
      "`cascade=true`.",
    family: "keys",
    needs: [],
    scope: "api-keys:write",
  }),
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/api-keys/{apiKeyId}/revoke",
  request: { params: workspaceKeyParams, query: revokeKeyQuery },
  responses: {
    200: success(revokedApiKeySchema, "The revoked key, and what came of it"),
    ...failures(400, 401, 403, 404, 429, 500, 501),
  },
});

export const accountRevokeApiKey = defineRoute(route, async (c) => {
  const { workspaceId: asked, apiKeyId } = c.req.valid("param");
  const { db } = requireCapability(c, "accounts");
  const { workspaceId } = await requireMembership(c, asked, "api-keys:write");
  const isCascade = c.req.valid("query").cascade === "true";
  const revocation = acceptedValue(await revokeKey(db, workspaceId, apiKeyId, isCascade, c.var.nowMs));
  const recentKeys = recentKeysOf(c.var.capabilities);
  recentKeys.forget(apiKeyId);
  if (isCascade) for (const descendant of revocation.descendants) recentKeys.forget(descendant.apiKeyId);
  return succeed(c, 200, presentRevocation(revocation, c.var.nowMs));
});
