import { apiKeyListQuery, apiKeyPageSchema } from "#api/schemas/api-key.ts";
import { listKeys, presentKeyPage } from "#domains/keys/manage-keys.ts";
import { succeed } from "#interface/http/envelope.ts";
import { defineTwins, success } from "#interface/http/route.ts";

const description = "Without their secrets, newest first: active, expired and revoked ones.";

export const [listApiKeysRoute, listWorkspaceApiKeysRoute] = defineTwins({
  scope: "api-keys:read",
  window: "keys",
  query: apiKeyListQuery,
  responses: { 200: success(apiKeyPageSchema, "A page of keys") },
  forKey: {
    operationId: "listApiKeys",
    method: "get",
    path: "/api/v1/api-keys",
    tag: "Keys",
    summary: "List API keys",
    description,
  },
  forMember: {
    operationId: "listWorkspaceApiKeys",
    method: "get",
    path: "/api/account/workspaces/{workspaceId}/api-keys",
    tag: "Account",
    summary: "List a workspace's API keys",
    description,
  },
  handler: async (c) => {
    const { limit, before, parentKeyId } = c.req.valid("query");
    const { db, workspaceId } = c.get("workspace");
    const nowMs = c.get("nowMs");
    const page = await listKeys(db, workspaceId, before ?? null, parentKeyId ?? null, limit, nowMs);
    return succeed(c, 200, presentKeyPage(page, nowMs));
  },
});
