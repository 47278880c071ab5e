import { describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { SCOPES } from "#api/scopes.ts";
import { createSessionKey } from "#domains/keys/create-session-key.ts";
import { deleteExpiredSessionKeys } from "#domains/keys/session-key-store.ts";
import { addMember, callAs, createAccount, createPasswordAccount, PASSWORD } from "../support/accounts.ts";
import { execute, selectRows } from "../support/database.ts";
import { refusalOf } from "../support/refusals.ts";
import type { SeededAccount } from "../support/seed-account.ts";
import { type Answer, call, createWorkspace, keyDatabase } from "../support/workspace.ts";

const ask = (account: SeededAccount, workspaceId = account.workspaceId): Promise<Answer> =>
  callAs(account, "POST", `/api/account/workspaces/${workspaceId}/session-key`);

const use = (secret: string): Promise<Answer> => call("GET", "/api/v1/balance", { secret });

/** Sends a write, which the isolate's key cache does not answer. */
const write = (secret: string): Promise<Answer> =>
  call("DELETE", "/api/v1/assets/0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71", { secret });

async function ownersKey(account: SeededAccount): Promise<string> {
  const answer = await ask(account);
  expect(answer.status).toBe(201);
  expect((await use(answer.body.data.secret)).status).toBe(200);
  return answer.body.data.secret;
}

describe("a session's key", () => {
  it("API §10.9 has the scopes of the role for an hour, and is shown once, in an uncacheable answer", async () => {
    const [owner, guest] = [await createAccount(), await createAccount()];
    await addMember(owner.workspaceId, guest.accountId, "member");
    const before = Date.now();
    const ofOwner = await ask(owner);
    expect(ofOwner.headers.get("Cache-Control")).toBe("no-store");
    expect(ofOwner.body.data).toMatchObject({
      role: "owner",
      scopes: SCOPES,
      workspaceId: owner.workspaceId,
    });
    const lifetimeMs = Date.parse(ofOwner.body.data.expiresAt) - before;
    expect(Math.abs(lifetimeMs - LIMITS.sessionKeyLifetimeMs)).toBeLessThan(60_000);
    const ofGuest = await ask(guest, owner.workspaceId);
    expect(ofGuest.body.data.role).toBe("member");
    expect(ofGuest.body.data.scopes).toEqual(
      SCOPES.filter((scope) => /^(?!audit).*:read$|^(deliveries|destinations):write$/.test(scope)),
    );
    expect((await use(ofGuest.body.data.secret)).status).toBe(200);
    expect(refusalOf(await write(ofGuest.body.data.secret))).toEqual([403, "SCOPE_MISSING"]);
  });

  it("API §10.9 works only in its workspace, and is only created for members", async () => {
    const [account, stranger] = [await createAccount(), await createAccount()];
    expect(refusalOf(await ask(stranger, account.workspaceId))).toEqual([404, "WORKSPACE_NOT_FOUND"]);
    const workspace = await createWorkspace({ credits: 7 });
    expect(refusalOf(await ask(account, workspace.workspaceId))).toEqual([404, "WORKSPACE_NOT_FOUND"]);
    expect((await use((await ask(account)).body.data.secret)).body.data.credits.available).toBe(0);
    await execute`UPDATE workspaces SET suspended_at = 1 WHERE workspace_id = ${account.workspaceId}`;
    expect(refusalOf(await ask(account))).toEqual([403, "ROLE_INSUFFICIENT"]);
  });

  it("API §10.9 is not listed, and does not count towards the limit of keys", async () => {
    const account = await createAccount();
    const secret = await ownersKey(account);
    expect((await call("GET", "/api/v1/api-keys", { secret })).body.data.items).toEqual([]);
    const listed = await callAs(account, "GET", `/api/account/workspaces/${account.workspaceId}/api-keys`);
    expect(listed.body.data.items).toEqual([]);
    await execute`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 99)
      INSERT INTO api_keys (api_key_id, workspace_id, name, prefix, secret_hash, scopes, created_at)
      SELECT ${account.workspaceId} || n, ${account.workspaceId}, 'x', 'x', ${account.workspaceId} || n, '[]', 1
      FROM number`;
    const body = { name: "The hundredth", scopes: ["balance:read"] };
    const path = `/api/account/workspaces/${account.workspaceId}/api-keys`;
    expect((await callAs(account, "POST", path, { body })).status).toBe(201);
    expect((await callAs(account, "POST", path, { body })).body.error.code).toBe("API_KEY_LIMIT_REACHED");
    expect((await ask(account)).status).toBe(201);
  });

  it("API §10.9 creates no keys, because these would outlive it", async () => {
    const account = await createAccount();
    const body = { name: "Child", scopes: ["balance:read"] };
    const made = await call("POST", "/api/v1/api-keys", { secret: await ownersKey(account), body });
    expect(refusalOf(made)).toEqual([403, "SCOPE_NOT_GRANTABLE"]);
  });

  it("API §10.9 is one of five per session and workspace: the sixth ends the oldest", async () => {
    const account = await createAccount();
    const secrets: string[] = [];
    for (let page = 0; page < 6; page += 1) secrets.push((await ask(account)).body.data.secret);
    const answers = await Promise.all(secrets.map(write));
    expect(answers.map(({ status }) => status)).toEqual([401, 404, 404, 404, 404, 404]);
    const kept = await selectRows`SELECT 1 FROM api_keys WHERE session_id = ${account.sessionId}`;
    expect(kept).toHaveLength(LIMITS.keysPerSessionMax);
  });

  it("API §10.9 counts in its account's windows, so that another session key starts no new window", async () => {
    const account = await createAccount();
    const remaining = (answer: Answer) => Number(answer.headers.get("X-RateLimit-Remaining"));
    const first = remaining(await use((await ask(account)).body.data.secret));
    expect(remaining(await use((await ask(account)).body.data.secret))).toBe(first - 1);
  });
});

describe("a session key is ended by", () => {
  const ended = async (secret: string) => {
    expect(refusalOf(await use(secret))).toEqual([401, "KEY_REVOKED"]);
    expect(refusalOf(await write(secret))).toEqual([401, "KEY_REVOKED"]);
  };

  it("API §10.9 signing out", async () => {
    const account = await createAccount();
    const secret = await ownersKey(account);
    await callAs(account, "POST", "/api/account/sign-out");
    await ended(secret);
  });

  it("API §10.9 a change of password in another session", async () => {
    const account = await createPasswordAccount();
    const [kept, other] = [await ownersKey(account), await ownersKey(account)];
    // Moves the second key to another session, as if that session had created it.
    await execute`INSERT INTO account_sessions (session_id, account_id, token, created_at, updated_at, expires_at)
      SELECT 'elsewhere ' || session_id, account_id, 'elsewhere ' || token, created_at, updated_at, expires_at
      FROM account_sessions WHERE session_id = ${account.sessionId}`;
    await execute`UPDATE api_keys SET session_id = 'elsewhere ' || session_id WHERE api_key_id =
      (SELECT max(api_key_id) FROM api_keys WHERE session_id = ${account.sessionId})`;
    const body = { currentPassword: PASSWORD, newPassword: "quite another thing 7" };
    expect((await callAs(account, "POST", "/api/account/password", { body })).status).toBe(200);
    await ended(other);
    expect((await use(kept)).status).toBe(200);
  });

  it("API §10.9 leaving the workspace, or a change of role", async () => {
    const [owner, guest] = [await createAccount(), await createAccount()];
    await addMember(owner.workspaceId, guest.accountId, "member");
    const { secret } = (await ask(guest, owner.workspaceId)).body.data;
    const own = await ownersKey(guest);
    const path = `/api/account/workspaces/${owner.workspaceId}/members/${guest.accountId}/remove`;
    expect((await use(secret)).status).toBe(200);
    expect((await callAs(owner, "POST", path)).status).toBe(200);
    await ended(secret);
    expect((await use(own)).status).toBe(200);

    await addMember(owner.workspaceId, guest.accountId, "owner");
    const again = (await ask(guest, owner.workspaceId)).body.data.secret;
    expect((await write(again)).status).toBe(404);
    await execute`UPDATE workspace_members SET role = 'member'
      WHERE workspace_id = ${owner.workspaceId} AND account_id = ${guest.accountId}`;
    expect(refusalOf(await write(again))).toEqual([401, "KEY_REVOKED"]);
  });

  it("API §10.9 the end of its hour, after which its row is deleted", async () => {
    const account = await createAccount();
    const secret = await ownersKey(account);
    await execute`UPDATE api_keys SET expires_at = ${Date.now() - 1} WHERE session_id = ${account.sessionId}`;
    expect(refusalOf(await write(secret))).toEqual([401, "KEY_EXPIRED"]);
    await deleteExpiredSessionKeys.run(keyDatabase().db, { nowMs: Date.now(), limit: 1_000 });
    expect(refusalOf(await write(secret))).toEqual([401, "KEY_INVALID"]);
  });

  it("API §10.9 any deletion of its session's row", async () => {
    const account = await createAccount();
    const secret = await ownersKey(account);
    await execute`DELETE FROM account_sessions WHERE session_id = ${account.sessionId}`;
    expect(refusalOf(await write(secret))).toEqual([401, "KEY_REVOKED"]);
  });
});

it("API §10.9 a session key expires no later than the session", async () => {
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
