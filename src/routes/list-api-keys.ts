import { createRoute } from "@hono/zod-openapi";
import { apiKeyListQuery, apiKeyPageSchema } from "../contract/schemas/api-key.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { listKeys, presentKeyPage } from "../keys/list-keys.ts";

const route = createRoute({
  ...operation({
    operationId: "listApiKeys",
    summary: "List API keys",
    description: "Without their secrets, newest first: active, expired and revoked ones.",
    tag: "Keys",
    scope: "api-keys:read",
    family: "keys",
    needs: ["database"],
  }),
  method: "get",
  path: "/api/v1/api-keys",
  request: { query: apiKeyListQuery },
  responses: { 200: success(apiKeyPageSchema, "A page of keys"), ...failures(400, 401, 403, 429, 500, 501) },
});

export const listApiKeys = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "database");
  const { limit, before, parentKeyId } = c.req.valid("query");
  const page = await listKeys(db, c.var.principal.workspaceId, before ?? null, parentKeyId ?? null, limit);
  return succeed(c, 200, presentKeyPage(page, c.var.nowMs));
});
