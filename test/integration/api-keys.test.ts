import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { apiKeyPageSchema, apiKeySchema } from "#api/schemas/api-key.ts";
import { clock } from "#platform/clock.ts";
import { countRows, execute, selectRows } from "../support/database.ts";
import { paidJobId, spend } from "../support/ledger.ts";
import { refusalOf } from "../support/refusals.ts";
import { call, createWorkspace } from "../support/workspace.ts";

const create = (secret: string, body: unknown) => call("POST", "/api/v1/api-keys", { secret, body });
const revoke = (secret: string, apiKeyId: string) =>
  call("DELETE", `/api/v1/api-keys/${apiKeyId}`, { secret });
const readable = { name: "Reader", scopes: ["balance:read"] };

describe("POST /api-keys 201", () => {
  it("the secret is stored in no column of any key", async () => {
    const { workspaceId, secret } = await createWorkspace({ credits: 1 });
    const created = (await create(secret, readable)).body.data;
    const results = await selectRows`SELECT * FROM api_keys WHERE workspace_id = ${workspaceId}`;
    const written = JSON.stringify(results);
    expect(written).toContain(created.apiKeyId);
    expect(written).not.toContain(created.secret.slice(created.prefix.length));
    const listed = await call("GET", "/api/v1/api-keys", { secret });
    expect(JSON.stringify(listed.body)).not.toContain(created.secret.slice(created.prefix.length));
  });

  it.each([
    ["credits", { credits: 1 }],
    ["a subscription", { quota: 1 }],
    ["unlimited access", { unlimited: true }],
  ])("for a workspace that pays by %s", async (_, access) => {
    const { secret } = await createWorkspace(access);
    expect((await create(secret, readable)).status).toBe(201);
  });

  it("an expiry may have a UTC offset, and the key is 401 from that moment on", async () => {
    const { secret } = await createWorkspace({ credits: 1 });
    const answer = await create(secret, { ...readable, expiresAt: "2030-01-01T02:00:00+02:00" });
    expect(answer.body.data.expiresAt).toBe("2030-01-01T00:00:00.000Z");
    vi.spyOn(clock, "now").mockReturnValue(Date.parse("2030-01-01T00:00:00.000Z"));
    const after = await call("GET", "/api/v1/balance", { secret: answer.body.data.secret });
    expect(refusalOf(after)).toEqual([401, "KEY_EXPIRED"]);
  });

  it("repeated scopes are stored once", async () => {
    const { secret } = await createWorkspace({ credits: 1 });
    const answer = await create(secret, { name: "Twice", scopes: ["jobs:read", "jobs:read"] });
    expect(answer.body.data.scopes).toEqual(["jobs:read"]);
  });
});

it("403 PAID_ACCESS_REQUIRED without paid access, and once the last credit is spent", async () => {
  const none = await createWorkspace();
  expect(refusalOf(await create(none.secret, readable))).toEqual([403, "PAID_ACCESS_REQUIRED"]);
  const spent = await createWorkspace({ credits: 1 });
  expect((await create(spent.secret, readable)).status).toBe(201);
  await paidJobId(spend(spent.workspaceId, 1));
  expect(refusalOf(await create(spent.secret, readable))).toEqual([403, "PAID_ACCESS_REQUIRED"]);
  expect(await countRows("api_keys", spent.workspaceId)).toBe(2);
});

it("409 beyond the limit of active keys, until one is revoked", async () => {
  const { workspaceId, secret } = await createWorkspace({ credits: 1 });
  const fillers = Array.from({ length: LIMITS.activeKeysPerWorkspaceMax - 2 }, (_, at) => at + 1);
  await execute`INSERT INTO api_keys (api_key_id, workspace_id, name, prefix, secret_hash, scopes, created_at)
     SELECT ${workspaceId} || value, ${workspaceId}, 'Filler', '', ${workspaceId} || value, '[]', 1 FROM json_each(${JSON.stringify(fillers)})`;
  // There is room for one more key, and ten concurrent requests.
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(secret, readable)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  expect(refusalOf(await create(secret, readable))).toEqual([409, "API_KEY_LIMIT_REACHED"]);
  await execute`UPDATE api_keys SET revoked_at = 1 WHERE api_key_id = ${workspaceId} || 1`;
  expect((await create(secret, readable)).status).toBe(201);
});

async function keysOf(secret: string) {
  const answer = await call("GET", "/api/v1/api-keys", { secret });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  for (const item of answer.body.data.items) apiKeySchema.strict().parse(item);
  return apiKeyPageSchema.parse(answer.body.data).items;
}

it("GET /api-keys 200 lists active, expired and revoked keys with their current status", async () => {
  const { secret } = await createWorkspace({ credits: 1 });
  const body = { name: "Ending", scopes: ["jobs:read"], expiresAt: "2030-01-01T00:00:00Z" };
  const ending = (await create(secret, body)).body.data;
  const revoked = (await create(secret, { name: "Gone", scopes: ["jobs:read"] })).body.data;
  await revoke(secret, revoked.apiKeyId);
  const statuses = async () => (await keysOf(secret)).map(({ name, status }) => [name, status]);
  expect(await statuses()).toEqual([
    ["Gone", "revoked"],
    ["Ending", "active"],
    ["First key", "active"],
  ]);
  vi.spyOn(clock, "now").mockReturnValue(Date.parse(ending.expiresAt));
  expect(await statuses()).toEqual([
    ["Gone", "revoked"],
    ["Ending", "expired"],
    ["First key", "active"],
  ]);
});

describe("DELETE /api-keys/{apiKeyId}", () => {
  async function withSecondKey() {
    const first = await createWorkspace({ credits: 1 });
    const created = await create(first.secret, { ...readable, name: "Second" });
    return { ...first, second: created.body.data };
  }

  it("repeated and concurrent requests keep the time of the first revocation", async () => {
    const { secret, second } = await withSecondKey();
    const answers = await Promise.all(Array.from({ length: 5 }, () => revoke(secret, second.apiKeyId)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const times = new Set(answers.map(({ body }) => body.data.revokedAt));
    expect(times.size).toBe(1);
    expect(times).toContain((await revoke(secret, second.apiKeyId)).body.data.revokedAt);
  });

  it("a key may revoke itself, and is refused afterwards", async () => {
    const { apiKeyId, secret, second } = await withSecondKey();
    expect((await revoke(secret, apiKeyId)).status).toBe(200);
    expect((await revoke(secret, second.apiKeyId)).status).toBe(401);
    expect((await call("GET", "/api/v1/balance", { secret: second.secret })).status).toBe(200);
  });
});
