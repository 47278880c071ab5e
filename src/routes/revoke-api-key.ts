import { createRoute, z } from "@hono/zod-openapi";
import { revokedApiKeySchema, revokeKeyQuery } from "../contract/schemas/api-key.ts";
import { uuidSchema } from "../contract/schemas/primitives.ts";
import { recentKeysOf } from "../http/authenticate.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { presentRevocation, revokeKey } from "../keys/revoke-key.ts";

const route = createRoute({
  ...operation({
    operationId: "revokeApiKey",
    summary: "Revoke an API key",
    description:
      "From now on the key spends, writes and makes nothing; within ten seconds it reads nothing either. " +
      "Revoking it again changes nothing; a key may revoke itself. The answer shows the live keys that it made; they go " +
      "on working unless `cascade=true`.",
    tag: "Keys",
    scope: "api-keys:write",
    family: "keys",
    needs: ["database"],
  }),
  method: "delete",
  path: "/api/v1/api-keys/{apiKeyId}",
  request: { params: z.object({ apiKeyId: uuidSchema }), query: revokeKeyQuery },
  responses: {
    200: success(revokedApiKeySchema, "The revoked key, and what came of it"),
    ...failures(400, 401, 403, 404, 429, 500, 501),
  },
});

export const revokeApiKey = defineRoute(route, async (c) => {
  const { apiKeyId } = c.req.valid("param");
  const { db } = requireCapability(c, "database");
  const isCascade = c.req.valid("query").cascade === "true";
  const revocation = acceptedValue(
    await revokeKey(db, c.var.principal.workspaceId, apiKeyId, isCascade, c.var.nowMs),
  );
  const recentKeys = recentKeysOf(c.var.capabilities);
  recentKeys.forget(apiKeyId);
  if (isCascade) for (const descendant of revocation.descendants) recentKeys.forget(descendant.apiKeyId);
  return succeed(c, 200, presentRevocation(revocation, c.var.nowMs));
});
