import { createRoute } from "@hono/zod-openapi";
import { apiKeyListSchema } from "../contract/schemas/api-key.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { presentKey, toApiKey } from "../keys/present-key.ts";
import { KEYS_LISTED_MAX, listKeys } from "../keys/store.ts";

const route = createRoute({
  ...operation({
    operationId: "listApiKeys",
    summary: "List API keys",
    description: "Without their secrets. Live keys come first, then expired and revoked ones.",
    tag: "Keys",
    scope: "api-keys:read",
    family: "keys",
    needs: ["database"],
  }),
  method: "get",
  path: "/api/v1/api-keys",
  responses: { 200: success(apiKeyListSchema, "The workspace's keys"), ...failures(401, 403, 429, 500, 501) },
});

export const listApiKeys = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "database");
  const { principal, nowMs } = c.var;
  const rows = await listKeys(db, principal.workspaceId, KEYS_LISTED_MAX, nowMs);
  return succeed(c, 200, { items: rows.map((row) => presentKey(toApiKey(row), nowMs)) });
});
