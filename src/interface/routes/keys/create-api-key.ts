import { createApiKeyBody, createdApiKeySchema } from "#api/schemas/api-key.ts";
import { presentKey } from "#domains/keys/api-key.ts";
import { budgetLimitsOf } from "#domains/keys/budget.ts";
import { createKey, createKeyAsOwner } from "#domains/keys/create-key.ts";
import type { Principal } from "#domains/keys/principal.ts";
import { hasPaidAccess } from "#domains/ledger/payment.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineTwins, success } from "#interface/http/route.ts";

export const [createApiKeyRoute, createWorkspaceApiKeyRoute] = defineTwins({
  scope: "api-keys:write",
  window: "keys",
  json: createApiKeyBody,
  responses: { 201: success(createdApiKeySchema, "The key with its secret") },
  forKey: {
    operationId: "createApiKey",
    method: "post",
    path: "/api/v1/api-keys",
    tag: "Keys",
    summary: "Create an API key",
    description:
      "Grants only scopes that the creating key holds, and needs paid access or a positive balance. " +
      "A key with a `budget` spends no more than that, and makes no keys. " +
      "It ends with the creating key at the latest: without `expiresAt` it takes that one's, and a later one is 400. " +
      "The secret is in this answer and nowhere else.",
    errors: ["SCOPE_NOT_GRANTABLE", "PAID_ACCESS_REQUIRED", "API_KEY_LIMIT_REACHED"],
  },
  forMember: {
    operationId: "createWorkspaceApiKey",
    method: "post",
    path: "/api/account/workspaces/{workspaceId}/api-keys",
    tag: "Account",
    summary: "Create an API key of a workspace",
    description:
      "This is how a workspace gets its first key: an owner grants any scopes, with or without credits. " +
      "The secret is in this answer and nowhere else.",
    needs: ["database"],
    errors: ["API_KEY_LIMIT_REACHED"],
  },
  handler: async (c) => {
    const { name, scopes, expiresAt, budget } = c.req.valid("json");
    const request = {
      ...{ name, scopes, expiresAt: expiresAt ? Date.parse(expiresAt) : null },
      budget: budgetLimitsOf(budget ?? null),
    };
    const database = requireCapability(c, "database");
    const { db, workspaceId } = c.get("workspace");
    const nowMs = c.get("nowMs");
    const creator: Principal | undefined = c.get("principal");
    const { apiKey, secret } = acceptedValue(
      creator === undefined
        ? await createKeyAsOwner(database, workspaceId, request, nowMs)
        : await createKey(
            database,
            creator,
            hasPaidAccess(await readPaidAccess(db, workspaceId, nowMs)),
            request,
            nowMs,
          ),
    );
    return succeed(c, 201, { ...presentKey(apiKey, nowMs), secret });
  },
});
