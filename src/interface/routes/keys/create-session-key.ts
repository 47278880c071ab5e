import { sessionKeySchema } from "#api/schemas/api-key.ts";
import { assertMembership } from "#domains/accounts/members/membership-store.ts";
import { createSessionKey } from "#domains/keys/create-session-key.ts";
import { memberWith, requireNotSuspended, whileAdmitted } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { toTimestamp } from "#platform/clock.ts";

export const createSessionKeyRoute = defineRoute({
  operationId: "createSessionKey",
  route: "POST /api/account/workspaces/{workspaceId}/session-key",
  summary: "Create a key for a Studio page",
  description:
    "A key with the scopes of the account's role, valid for an hour. It stops working when the session or " +
    "membership ends or the role changes. It is not listed, does not count towards the limit of keys, and cannot " +
    "create keys. A session has at most five per workspace; a further one revokes the oldest. Its requests count in " +
    "the account's rate limits. The secret is returned only here: keep it in memory only.",
  access: memberWith(null),
  window: "keys",
  needs: ["database"],
  errors: ["SESSION_INVALID", "ROLE_INSUFFICIENT"],
  responses: { 201: success(sessionKeySchema, "The key with its secret") },
  handler: async (c) => {
    const { session, membership, nowMs } = c.var;
    requireNotSuspended(membership);
    const { accountId, workspaceId, role, scopes } = membership;
    const { sessionId, expiresAtMs: sessionExpiresAtMs } = session;
    const database = requireCapability(c, "database");
    const guards = [assertMembership.bind(database.db, membership)];
    const holder = { accountId, sessionId, sessionExpiresAtMs, workspaceId, role, scopes };
    const { apiKey, secret } = acceptedValue(
      await whileAdmitted(() => createSessionKey(database, holder, guards, nowMs)),
    );
    const { apiKeyId, prefix, createdAt, expiresAt } = apiKey;
    c.header("Cache-Control", "no-store");
    return succeed(c, 201, {
      ...{ apiKeyId, prefix, workspaceId, role, scopes: [...scopes], secret },
      createdAt: toTimestamp(createdAt),
      expiresAt: toTimestamp(expiresAt ?? nowMs),
    });
  },
});
