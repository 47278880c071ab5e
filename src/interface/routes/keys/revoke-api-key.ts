import { revokedApiKeySchema, revokeKeyQuery } from "#api/schemas/api-key.ts";
import { presentRevocation, revokeKey } from "#domains/keys/manage-keys.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { recentKeysOf } from "#interface/http/key-cache.ts";
import { defineTwins, success } from "#interface/http/route.ts";

export const [revokeApiKeyRoute, revokeWorkspaceApiKeyRoute] = defineTwins({
  scope: "api-keys:write",
  window: "keys",
  errors: ["API_KEY_NOT_FOUND"],
  query: revokeKeyQuery,
  responses: { 200: success(revokedApiKeySchema, "The revoked key, and what came of it") },
  forKey: {
    operationId: "revokeApiKey",
    method: "delete",
    path: "/api/v1/api-keys/{apiKeyId}",
    tag: "Keys",
    summary: "Revoke an API key",
    description:
      "From now on the key spends, writes and makes nothing; within ten seconds it reads nothing either. " +
      "Revoking it again changes nothing; a key may revoke itself. The answer shows the live keys that it made; they go " +
      "on working unless `cascade=true`.",
  },
  forMember: {
    operationId: "revokeWorkspaceApiKey",
    method: "post",
    path: "/api/account/workspaces/{workspaceId}/api-keys/{apiKeyId}/revoke",
    tag: "Account",
    summary: "Revoke an API key of a workspace",
    description:
      "From now on the key spends, writes and makes nothing; within ten seconds it reads nothing either. " +
      "Revoking it again changes nothing. The answer shows the live keys that it made; they go on working unless " +
      "`cascade=true`.",
  },
  handler: async (c) => {
    const { apiKeyId } = c.req.valid("param");
    const { db, workspaceId } = c.get("workspace");
    const isCascade = c.req.valid("query").cascade === "true";
    const nowMs = c.get("nowMs");
    const revocation = acceptedValue(await revokeKey(db, workspaceId, apiKeyId, isCascade, nowMs));
    const recentKeys = recentKeysOf(c.get("capabilities"));
    recentKeys.delete(apiKeyId);
    if (isCascade) for (const descendant of revocation.descendants) recentKeys.delete(descendant.apiKeyId);
    return succeed(c, 200, presentRevocation(revocation, nowMs));
  },
});
