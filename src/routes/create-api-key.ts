import { createRoute } from "@hono/zod-openapi";
import { createApiKeyBody, createdApiKeySchema } from "../contract/schemas/api-key.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { createKey } from "../keys/create-key.ts";
import { presentKey } from "../keys/present-key.ts";
import { hasPaidAccess } from "../ledger/payment.ts";
import { readPaidAccess } from "../ledger/service.ts";

const route = createRoute({
  ...operation({
    operationId: "createApiKey",
    summary: "Create an API key",
    description:
      "Grants only scopes that the creating key holds, and needs paid access or a positive balance. " +
      "It ends with the creating key at the latest: without `expiresAt` it takes that one's, and a later one is 400. " +
      "The secret is in this answer and nowhere else.",
    tag: "Keys",
    scope: "api-keys:write",
    family: "keys",
    needs: ["database"],
    takesJson: true,
  }),
  method: "post",
  path: "/api/v1/api-keys",
  request: { body: { required: true, content: { "application/json": { schema: createApiKeyBody } } } },
  responses: {
    201: success(createdApiKeySchema, "The key with its secret"),
    ...failures(400, 401, 403, 409, 415, 429, 500, 501),
  },
});

export const createApiKey = defineRoute(route, async (c) => {
  const { name, scopes, expiresAt } = c.req.valid("json");
  const database = requireCapability(c, "database");
  const { principal, nowMs } = c.var;
  const access = await readPaidAccess(database.db, principal.workspaceId, nowMs);
  const created = acceptedValue(
    await createKey(
      database,
      principal,
      hasPaidAccess(access),
      { name, scopes, expiresAt: expiresAt ? Date.parse(expiresAt) : null },
      nowMs,
    ),
  );
  return succeed(c, 201, { ...presentKey(created.apiKey, nowMs), secret: created.secret });
});
