import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { generateSecret } from "#domains/keys/secret.ts";
import { touchKey } from "#domains/keys/store.ts";
import { clock } from "#platform/clock.ts";
import { execute } from "../support/database.ts";
import { databaseOfWorkspace } from "../support/homes.ts";
import { refusalOf } from "../support/refusals.ts";
import { call, createWorkspace, type Settings, type TestWorkspace } from "../support/workspace.ts";

const PATH = "/api/v1/balance";
const outcomeOf = async (headers: Record<string, string>) => refusalOf(await call("GET", PATH, { headers }));

const stored = async ({ workspaceId, apiKeyId }: Pick<TestWorkspace, "workspaceId" | "apiKeyId">) => {
  const db = await databaseOfWorkspace(workspaceId);
  const row = await db
    .prepare("SELECT secret_hash, last_used_at FROM api_keys WHERE api_key_id = ?1")
    .bind(apiKeyId)
    .first<{ secret_hash: string; last_used_at: number | null }>();
  if (row === null) throw new Error("no such key");
  return row;
};

describe("200", () => {
  it("API §5.1 with the key in either header or the same key in both, whatever the case of the scheme", async () => {
    const { secret } = await createWorkspace({ credits: 1 });
    for (const headers of [
      { Authorization: `Bearer ${secret}` },
      { Authorization: `bearer ${secret}` },
      { "X-API-Key": secret },
      { "X-API-Key": ` ${secret} ` },
      { Authorization: `Bearer ${secret}`, "X-API-Key": secret },
    ]) {
      expect((await call("GET", PATH, { headers })).status).toBe(200);
    }
  });

  it("the time of use is recorded at most once a minute", async () => {
    const { workspaceId, apiKeyId, secret } = await createWorkspace();
    const startMs = Date.parse("2026-06-18T12:00:00.000Z");
    for (const [afterMs, expectedMs] of [
      [0, 0],
      [59_999, 0],
      [60_000, 60_000],
    ] as const) {
      vi.spyOn(clock, "now").mockReturnValue(startMs + afterMs);
      await call("GET", PATH, { secret });
      await vi.waitFor(
        async () => expect((await stored({ workspaceId, apiKeyId })).last_used_at).toBe(startMs + expectedMs),
        { timeout: 30_000 },
      );
    }
  });

  it("a failure to record the time of use does not fail the request", async () => {
    const { workspaceId, apiKeyId, secret } = await createWorkspace({ credits: 1 });
    const db = await databaseOfWorkspace(workspaceId);
    const { prepare } = db;
    vi.spyOn(db, "prepare").mockImplementation((query) => {
      if (query === touchKey.sql) throw new Error("no writes now");
      return prepare.call(db, query);
    });
    const failures = vi.spyOn(console, "error").mockImplementation(() => undefined);
    expect((await call("GET", PATH, { secret })).status).toBe(200);
    expect(failures).toHaveBeenCalledWith(expect.stringContaining('"key_use_not_noted"'));
    expect((await stored({ workspaceId, apiKeyId })).last_used_at).toBeNull();
  });
});

describe("401", () => {
  it("without a key, with another scheme, an empty key, or two different keys", async () => {
    const one = await createWorkspace();
    const other = await createWorkspace();
    for (const headers of [
      {},
      { Authorization: one.secret },
      { Authorization: `Basic ${one.secret}` },
      { Authorization: "Bearer" },
      { "X-API-Key": " " },
      { Authorization: `Bearer ${one.secret}`, "X-API-Key": other.secret },
    ]) {
      expect(await outcomeOf(headers)).toEqual([401, "KEY_MISSING"]);
    }
  });

  it("names the authentication scheme on routes for keys", async () => {
    for (const headers of [{}, { "X-API-Key": "x" }, { "X-API-Key": generateSecret("live") }]) {
      const answer = await call("GET", PATH, { headers });
      expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer realm="Creative Packs"');
    }
    const signedOut = await call("GET", "/api/account/session");
    expect([signedOut.status, signedOut.headers.get("WWW-Authenticate")]).toEqual([401, null]);
  });

  it("for a key from the exact expiry of the key or its trial workspace", async () => {
    const endMs = Date.parse("2030-01-01T00:00:00.000Z");
    const expiring = await createWorkspace();
    const ending = await createWorkspace();
    await execute`UPDATE api_keys SET expires_at = ${endMs} WHERE api_key_id = ${expiring.apiKeyId}`;
    await execute`UPDATE workspaces SET expires_at = ${endMs} WHERE workspace_id = ${ending.workspaceId}`;
    const codes = async () => [
      await outcomeOf({ "X-API-Key": expiring.secret }),
      await outcomeOf({ "X-API-Key": ending.secret }),
    ];
    vi.spyOn(clock, "now").mockReturnValue(endMs - 1);
    expect(await codes()).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    vi.spyOn(clock, "now").mockReturnValue(endMs);
    expect(await codes()).toEqual([
      [401, "KEY_EXPIRED"],
      [401, "WORKSPACE_INACTIVE"],
    ]);
  });
});

describe("during rotation of the pepper", () => {
  const OLD = env.KEY_PEPPER ?? "";
  const NEW = "another-pepper-of-integration-tests-0123456789";

  const statusUnder = async (secret: string, settings: Settings): Promise<number> =>
    (await call("GET", PATH, { headers: { "X-API-Key": secret }, settings })).status;

  it("a key of the old pepper works, is rehashed, and then works without the old pepper", async () => {
    const { workspaceId, apiKeyId, secret } = await createWorkspace();
    const before = (await stored({ workspaceId, apiKeyId })).secret_hash;
    expect(await statusUnder(secret, { KEY_PEPPER: NEW })).toBe(401);
    const rotation = { KEY_PEPPER: NEW, KEY_PEPPER_PREVIOUS: OLD };
    const statuses = await Promise.all(Array.from({ length: 5 }, () => statusUnder(secret, rotation)));
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect((await stored({ workspaceId, apiKeyId })).secret_hash).not.toBe(before);
    expect(await statusUnder(secret, { KEY_PEPPER: NEW })).toBe(200);
    expect(await statusUnder(secret, { KEY_PEPPER: OLD })).toBe(401);
  });

  it("a key of the new pepper works while that pepper is configured as the previous one", async () => {
    const { secret } = await createWorkspace();
    await statusUnder(secret, { KEY_PEPPER: NEW, KEY_PEPPER_PREVIOUS: OLD });
    expect(await statusUnder(secret, { KEY_PEPPER: OLD, KEY_PEPPER_PREVIOUS: NEW })).toBe(200);
  });

  it("a revoked key stays revoked, and is not rehashed", async () => {
    const { workspaceId, apiKeyId, secret } = await createWorkspace();
    await execute`UPDATE api_keys SET revoked_at = 1 WHERE api_key_id = ${apiKeyId}`;
    const before = await stored({ workspaceId, apiKeyId });
    expect(await statusUnder(secret, { KEY_PEPPER: NEW, KEY_PEPPER_PREVIOUS: OLD })).toBe(401);
    expect(await stored({ workspaceId, apiKeyId })).toEqual(before);
  });

  it("a previous pepper that is too short is ignored", async () => {
    const { secret } = await createWorkspace();
    expect(await statusUnder(secret, { KEY_PEPPER: NEW, KEY_PEPPER_PREVIOUS: OLD.slice(0, 31) })).toBe(401);
  });
});
