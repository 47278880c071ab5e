import {
  apiKeyListQuery,
  apiKeyPageSchema,
  apiKeySchema,
  createApiKeyBody,
  createdApiKeySchema,
  revokedApiKeySchema,
  revokeKeyQuery,
  updateApiKeyBody,
} from "#api/schemas/api-key.ts";
import { presentKey } from "#domains/keys/api-key.ts";
import { budgetLimitsOf } from "#domains/keys/budget.ts";
import { createKey, createKeyAsOwner } from "#domains/keys/create-key.ts";
import { listKeys, presentRevocation, revokeKey, updateKey } from "#domains/keys/manage-keys.ts";
import type { Principal } from "#domains/keys/principal.ts";
import { hasPaidAccess } from "#domains/ledger/payment.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import { memberWith } from "#interface/http/access.ts";
import { causeOf } from "#interface/http/audit-cause.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, defineTwins, success } from "#interface/http/route.ts";
import { presentPage } from "#platform/db/page.ts";

export const [createApiKeyRoute, createWorkspaceApiKeyRoute] = defineTwins({
  scope: "api-keys:write",
  window: "keys",
  json: createApiKeyBody,
  responses: { 201: success(createdApiKeySchema, "The key with its secret") },
  forKey: {
    operationId: "createApiKey",
    route: "POST /api/v1/api-keys",
    summary: "Create an API key",
    description:
      "Grants only scopes that the creating key has. A live key needs paid access or a positive balance. A test " +
      "key (`livemode` false) does not, and creates only test keys: 403 `TEST_KEY_REFUSED`. A key with a `budget` " +
      "cannot spend more than that, and cannot create keys. A key cannot outlive its creating key: `expiresAt` " +
      "defaults to that key's expiry, and a later time is 400. The secret is returned only here.",
    errors: ["SCOPE_NOT_GRANTABLE", "TEST_KEY_REFUSED", "PAID_ACCESS_REQUIRED", "API_KEY_LIMIT_REACHED"],
  },
  forMember: {
    operationId: "createWorkspaceApiKey",
    route: "POST /api/account/workspaces/{workspaceId}/api-keys",
    summary: "Create an API key for a workspace",
    description:
      "The first key of a workspace is created here. An owner can grant any scopes, with or without credits. With " +
      "`livemode` false it is a test key, whose jobs are watermarked and free. The secret is returned only here.",
    needs: ["database"],
    errors: ["API_KEY_LIMIT_REACHED"],
  },
  handler: async (c, { db, workspaceId, json: { name, scopes, expiresAt, livemode, budget } }) => {
    const request = {
      ...{ name, scopes, livemode, expiresAt: expiresAt ? Date.parse(expiresAt) : null },
      budget: budgetLimitsOf(budget ?? null),
    };
    const database = requireCapability(c, "database");
    const nowMs = c.get("nowMs");
    const creator: Principal | undefined = c.get("principal");
    const { apiKey, secret } = acceptedValue(
      creator === undefined
        ? await createKeyAsOwner(database, workspaceId, request, causeOf(c))
        : await createKey(
            database,
            creator,
            hasPaidAccess(await readPaidAccess(db, workspaceId, nowMs)),
            request,
            causeOf(c),
          ),
    );
    return succeed(c, 201, { ...presentKey(apiKey, nowMs), secret });
  },
});

const description =
  "Active, expired and revoked keys without their secrets, newest first. A test key sees and revokes only test keys.";

export const [listApiKeysRoute, listWorkspaceApiKeysRoute] = defineTwins({
  scope: "api-keys:read",
  description,
  window: "keys",
  query: apiKeyListQuery,
  responses: { 200: success(apiKeyPageSchema, "A page of keys") },
  forKey: {
    operationId: "listApiKeys",
    route: "GET /api/v1/api-keys",
    summary: "List API keys",
  },
  forMember: {
    operationId: "listWorkspaceApiKeys",
    route: "GET /api/account/workspaces/{workspaceId}/api-keys",
    summary: "List a workspace's API keys",
  },
  handler: async (c, { db, query: { limit, before, parentKeyId }, ...caller }) => {
    const nowMs = c.get("nowMs");
    const page = await listKeys(db, caller, before ?? null, parentKeyId ?? null, limit, nowMs);
    const shown = presentPage(page, (key) => presentKey(key, nowMs));
    return succeed(c, 200, shown);
  },
});

export const updateWorkspaceApiKeyRoute = defineRoute({
  operationId: "updateWorkspaceApiKey",
  route: "PATCH /api/account/workspaces/{workspaceId}/api-keys/{apiKeyId}",
  summary: "Change an API key's name or budget",
  description:
    "Absent members stay as they are. `budget` replaces the whole budget; `null` removes it. It applies from the " +
    "next job on, and counts what the key has already spent today and this month. A key cannot change itself.",
  access: memberWith("api-keys:write"),
  window: "keys",
  errors: ["API_KEY_NOT_FOUND"],
  json: updateApiKeyBody,
  responses: { 200: success(apiKeySchema, "The changed key") },
  handler: async (c, { db, workspaceId, param: { apiKeyId }, json: { name, budget } }) => {
    const nowMs = c.get("nowMs");
    const changes = { name, budget: budget === undefined ? undefined : budgetLimitsOf(budget) };
    const changed = acceptedValue(await updateKey(db, { workspaceId, apiKeyId }, changes, causeOf(c)));
    return succeed(c, 200, presentKey(changed, nowMs));
  },
});

export const [revokeApiKeyRoute, revokeWorkspaceApiKeyRoute] = defineTwins({
  scope: "api-keys:write",
  window: "keys",
  errors: ["API_KEY_NOT_FOUND"],
  query: revokeKeyQuery,
  responses: { 200: success(revokedApiKeySchema, "The revoked key and its descendants") },
  forKey: {
    operationId: "revokeApiKey",
    route: "DELETE /api/v1/api-keys/{apiKeyId}",
    summary: "Revoke an API key",
    description:
      "The key can no longer spend, write or create anything; within ten seconds it can no longer read. Revoking " +
      "it again changes nothing. A key may revoke itself. The response lists active keys that it created; they " +
      "keep working unless `cascade=true`.",
  },
  forMember: {
    operationId: "revokeWorkspaceApiKey",
    route: "POST /api/account/workspaces/{workspaceId}/api-keys/{apiKeyId}/revoke",
    summary: "Revoke an API key of a workspace",
    description:
      "The key can no longer spend, write or create anything; within ten seconds it can no longer read. Revoking " +
      "it again changes nothing. The response lists active keys that it created; they keep working unless " +
      "`cascade=true`.",
  },
  handler: async (c, { db, param: { apiKeyId }, query, ...caller }) => {
    const isCascade = query.cascade === "true";
    const nowMs = c.get("nowMs");
    const revocation = acceptedValue(await revokeKey(db, caller, apiKeyId, isCascade, causeOf(c)));
    const recentKeys = c.env.recentKeys;
    recentKeys.delete(apiKeyId);
    if (isCascade) for (const descendant of revocation.descendants) recentKeys.delete(descendant.apiKeyId);
    return succeed(c, 200, presentRevocation(revocation, nowMs));
  },
});
