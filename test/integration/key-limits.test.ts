import { expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { createSessionKey } from "#domains/keys/create-session-key.ts";
import { newId } from "#platform/ids.ts";
import { addMember, callAs, createAccount } from "../support/accounts.ts";
import { holdQueue, packOf, postJob, workspaceWithLogo } from "../support/jobs.ts";
import { call, keyDatabase } from "../support/workspace.ts";

/**
 * Guarantee: a key spends its budget and no more, and a session's key ends with its session. The rest:
 * key-budgets.long.test.ts and session-keys.long.test.ts.
 */

it("API §5.12 a key with a budget spends exactly that, and other keys are not counted", async () => {
  holdQueue();
  const owner = await workspaceWithLogo({ credits: 20 });
  const body = { name: "Spender", scopes: ["jobs:write", "balance:read"], budget: { daily: 2 } };
  const { secret } = (await call("POST", "/api/v1/api-keys", { secret: owner.secret, body })).body.data;
  const order = (key: string) => postJob(key, packOf(owner, { selectedSizeIds: ["iab-320x50"] }));
  expect((await order(secret)).status).toBe(202);
  expect((await order(owner.secret)).status).toBe(202);
  expect((await order(secret)).status).toBe(202);
  const refused = await order(secret);
  expect([refused.status, refused.body.error.code]).toEqual([402, "BUDGET_EXHAUSTED"]);
  expect(refused.body.error.details).toMatchObject({ required: 1, available: 0 });
  expect((await order(owner.secret)).status).toBe(202);
});

it("API §10.9 a session's key expires no later than the session", async () => {
  const { accountId, sessionId, workspaceId } = await createAccount();
  const nowMs = Date.now();
  const holder = { accountId, sessionId, workspaceId, role: "owner", scopes: ["balance:read"] } as const;
  const keyUntil = async (sessionExpiresAtMs: number) => {
    const made = await createSessionKey(keyDatabase(), { ...holder, sessionExpiresAtMs }, [], nowMs);
    return made.ok ? Number(made.value.apiKey.expiresAt) - nowMs : made.code;
  };
  expect(await keyUntil(nowMs + 600_000)).toBe(600_000);
  expect(await keyUntil(nowMs + 2 * LIMITS.sessionKeyLifetimeMs)).toBe(LIMITS.sessionKeyLifetimeMs);
});

it("API §10.9 a session's key has the scopes of the role, and is revoked at signing out", async () => {
  const [owner, guest] = [await createAccount(), await createAccount()];
  await addMember(owner.workspaceId, guest.accountId, "member");
  const path = `/api/account/workspaces/${owner.workspaceId}/session-key`;
  const { secret, scopes } = (await callAs(guest, "POST", path)).body.data;
  expect(scopes).not.toContain("jobs:write");
  const read = () => call("GET", "/api/v1/balance", { secret });
  const write = await call("DELETE", `/api/v1/assets/${newId()}`, { secret });
  expect([(await read()).status, write.status, write.body.error.code]).toEqual([200, 403, "SCOPE_MISSING"]);
  await callAs(guest, "POST", "/api/account/sign-out");
  const after = await read();
  expect([after.status, after.body.error.code]).toEqual([401, "KEY_REVOKED"]);
});
