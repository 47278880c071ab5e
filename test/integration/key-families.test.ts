import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { deleteDeadKeys } from "#domains/keys/store.ts";
import { clock } from "#platform/clock.ts";
import { callAs, createAccount } from "../support/accounts.ts";
import { execute } from "../support/database.ts";
import { refusalOf } from "../support/refusals.ts";
import { call, createWorkspace } from "../support/workspace.ts";

/** No key outlives its creator. Revoking a key lists its descendants, and can revoke them too. */

const SCOPES = ["api-keys:write", "api-keys:read", "balance:read"];
const ENDS = "2040-01-01T00:00:00.000Z";

const create = (secret: string, more: object = {}) =>
  call("POST", "/api/v1/api-keys", { secret, body: { name: "Child", scopes: SCOPES, ...more } });

async function created(secret: string, more: object = {}) {
  const answer = await create(secret, more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

const revoke = (secret: string, apiKeyId: string, query = "") =>
  call("DELETE", `/api/v1/api-keys/${apiKeyId}${query}`, { secret });

const idsOf = (keys: readonly { readonly apiKeyId: string }[]) => keys.map(({ apiKeyId }) => apiKeyId).sort();
const balanceStatus = async (secret: string) => (await call("GET", "/api/v1/balance", { secret })).status;

it("API §5.5 a key inherits its creator's expiry, and may expire earlier but not later", async () => {
  const { secret } = await createWorkspace({ credits: 1 });
  const parent = await created(secret, { expiresAt: ENDS });
  expect((await created(parent.secret)).expiresAt).toBe(ENDS);
  expect((await created(parent.secret, { expiresAt: null })).expiresAt).toBe(ENDS);
  expect((await created(parent.secret, { expiresAt: ENDS })).expiresAt).toBe(ENDS);
  const earlier = await created(parent.secret, { expiresAt: "2039-12-31T23:59:59.999Z" });
  expect(earlier.expiresAt).toBe("2039-12-31T23:59:59.999Z");
  const later = await create(parent.secret, { expiresAt: "2040-01-01T00:00:00.001Z" });
  expect(refusalOf(later)).toEqual([400, "INVALID_REQUEST"]);
  expect(later.body.error.details.issues[0].path).toBe("expiresAt");
  expect(later.body.error.message).toContain(ENDS);
  const grandchild = await created(earlier.secret);
  vi.spyOn(clock, "now").mockReturnValue(Date.parse(ENDS));
  expect(await balanceStatus(grandchild.secret)).toBe(401);
  expect(await balanceStatus(secret)).toBe(200);
});

describe("parents", () => {
  it("a key shows the key that created it, or none if an operator or account did", async () => {
    const { apiKeyId, secret } = await createWorkspace({ credits: 1 });
    const child = await created(secret);
    expect(child.parentKeyId).toBe(apiKeyId);
    await created(child.secret);
    const listed = (query: string) => call("GET", `/api/v1/api-keys${query}`, { secret });
    const all = (await listed("")).body.data.items;
    expect(all.find((key: { apiKeyId: string }) => key.apiKeyId === apiKeyId).parentKeyId).toBeNull();
    expect(idsOf((await listed(`?parentKeyId=${apiKeyId}`)).body.data.items)).toEqual([child.apiKeyId]);
    expect((await listed("?parentKeyId=first")).status).toBe(400);
    const { cookie, workspaceId } = await createAccount();
    const path = `/api/account/workspaces/${workspaceId}/api-keys`;
    const own = await callAs({ cookie }, "POST", path, { body: { name: "Own", scopes: ["balance:read"] } });
    expect([own.status, own.body.data.parentKeyId]).toEqual([201, null]);
  });

  it("a chain of keys has a maximum length, and an older key of the chain can still create others", async () => {
    const first = await createWorkspace({ credits: 1 });
    let last = first.secret;
    for (let made = 0; made < LIMITS.keyGenerationsMax; made += 1) last = (await created(last)).secret;
    const refused = await create(last);
    expect(refusalOf(refused)).toEqual([409, "API_KEY_LIMIT_REACHED"]);
    expect(refused.body.error.details.nextAction).toContain("an older key of the chain");
    await created(first.secret);
  });
});

describe("API §5.7 revoking", () => {
  /** The first key created A and D; A created B, which created C. */
  async function family() {
    const first = await createWorkspace({ credits: 1 });
    const a = await created(first.secret);
    const b = await created(a.secret);
    const c = await created(b.secret);
    const d = await created(first.secret);
    return { first, a, b, c, d };
  }

  it("lists the key's active descendants, and leaves them active", async () => {
    const { first, a, b, c } = await family();
    const { status, body } = await revoke(first.secret, a.apiKeyId);
    expect([status, body.data.status, idsOf(body.data.descendants)]).toEqual([200, "revoked", idsOf([b, c])]);
    expect(await balanceStatus(c.secret)).toBe(200);
    expect((await revoke(first.secret, c.apiKeyId)).body.data.descendants).toEqual([]);
    expect(idsOf((await revoke(first.secret, a.apiKeyId)).body.data.descendants)).toEqual([b.apiKeyId]);
  });

  it("with cascade=true also revokes all descendants, even below a revoked key, and no other keys", async () => {
    const { first, a, b, c, d } = await family();
    await revoke(first.secret, b.apiKeyId);
    const { status, body } = await revoke(first.secret, a.apiKeyId, "?cascade=true");
    expect([status, idsOf(body.data.descendants)]).toEqual([200, [c.apiKeyId]]);
    expect(body.data.descendants[0]).toMatchObject({ status: "revoked", revokedAt: body.data.revokedAt });
    expect(await Promise.all([a, b, c, d].map(({ secret }) => balanceStatus(secret)))).toEqual([
      401, 401, 401, 200,
    ]);
    expect((await revoke(first.secret, a.apiKeyId, "?cascade=1")).status).toBe(400);
  });

  it("with cascade=true also revokes descendants below a deleted key", async () => {
    const { first, a, b, c } = await family();
    await revoke(first.secret, b.apiKeyId);
    await deleteDeadKeys(env.DB, Date.now() + 91 * 24 * 3_600_000, 1_000);
    const { body } = await revoke(first.secret, a.apiKeyId, "?cascade=true");
    expect(idsOf(body.data.descendants)).toEqual([c.apiKeyId]);
  });

  it("works the same in an account's session", async () => {
    const { cookie, workspaceId } = await createAccount();
    await execute`UPDATE workspaces SET has_unlimited_access = 1
      WHERE workspace_id = ${workspaceId}`;
    const path = `/api/account/workspaces/${workspaceId}/api-keys`;
    const own = await callAs({ cookie }, "POST", path, { body: { name: "Own", scopes: SCOPES } });
    const child = await created(own.body.data.secret);
    const ended = await callAs({ cookie }, "POST", `${path}/${own.body.data.apiKeyId}/revoke?cascade=true`);
    expect([ended.status, idsOf(ended.body.data.descendants)]).toEqual([200, [child.apiKeyId]]);
    expect(await balanceStatus(child.secret)).toBe(401);
  });
});
