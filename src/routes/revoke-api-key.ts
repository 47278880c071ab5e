import { createRoute, z } from "@hono/zod-openapi";
import { refuse } from "../contract/errors.ts";
import { apiKeySchema } from "../contract/schemas/api-key.ts";
import { uuidSchema } from "../contract/schemas/primitives.ts";
import { recentKeysOf } from "../http/authenticate.ts";
import { RefusedRequest, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { presentKey, toApiKey } from "../keys/present-key.ts";
import { revokeKey } from "../keys/store.ts";

const route = createRoute({
  ...operation({
    operationId: "revokeApiKey",
    summary: "Revoke an API key",
    description:
      "From now on the key spends, writes and makes nothing; within ten seconds it reads nothing either. " +
      "Revoking it again changes nothing; a key may revoke itself.",
    tag: "Keys",
    scope: "api-keys:write",
    family: "keys",
    needs: ["database"],
  }),
  method: "delete",
  path: "/api/v1/api-keys/{apiKeyId}",
  request: { params: z.object({ apiKeyId: uuidSchema }) },
  responses: {
    200: success(apiKeySchema, "The revoked key"),
    ...failures(400, 401, 403, 404, 429, 500, 501),
  },
});

export const revokeApiKey = defineRoute(route, async (c) => {
  const { apiKeyId } = c.req.valid("param");
  const { db } = requireCapability(c, "database");
  const row = await revokeKey(db, c.var.principal.workspaceId, apiKeyId, c.var.nowMs);
  if (row === null) {
    throw new RefusedRequest(refuse("API_KEY_NOT_FOUND", "The workspace has no API key of this id."));
  }
  recentKeysOf(c.var.capabilities).forget(apiKeyId);
  return succeed(c, 200, presentKey(toApiKey(row), c.var.nowMs));
});
