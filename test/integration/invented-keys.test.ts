import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { generateSecret } from "#domains/keys/secret.ts";
import { hashSecret } from "#domains/keys/service.ts";
import { clock } from "#platform/clock.ts";
import worker from "../../src/worker.ts";
import { countedCalls } from "../support/counted-calls.ts";
import { execute } from "../support/database.ts";
import { freezeClock } from "../support/freeze-clock.ts";
import { configured, createWorkspace, keyDatabase, type Settings } from "../support/workspace.ts";

const LIMIT = LIMITS.refusedKeysPerWindowMax;
const NETWORK = "198.51.100.7";
const READ = "GET /api/v1/balance";
const AGENT = "POST /mcp";
const WRITE = "DELETE /api/v1/assets/01999999-9999-7999-8999-999999999999";

/**
 * Sends the requests of one isolate. They must share one settings object, because the worker's caches are keyed by it.
 */
function isolate(changes: Settings = {}) {
  const database = countedCalls(env.DB);
  const settings = configured({ DB: database.binding, ...changes });
  const statusOf = async (secret: string, call = READ, ip = NETWORK, body = "{}"): Promise<number> => {
    const context = createExecutionContext();
    const [method = "", path = ""] = call.split(" ");
    const request = new Request<unknown, IncomingRequestCfProperties>(`https://packs.example${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${secret}`,
        "CF-Connecting-IP": ip,
        ...(method === "POST" && {
          Accept: "application/json, text/event-stream",
          "Content-Length": String(body.length),
          "Content-Type": "application/json",
          "MCP-Protocol-Version": "2025-11-25",
        }),
      },
      ...(method === "POST" && { body }),
    });
    const answer = await worker.fetch(request, settings, context);
    await answer.text();
    await waitOnExecutionContext(context);
    return answer.status;
  };
  return { statusOf, reads: () => database.calls.filter((call) => call === "withSession").length };
}

describe("API §5.2, §5.14 an invented key", () => {
  it.each([READ, AGENT])("(%s) with a wrong check code is 401 without a read", async (asked) => {
    const { statusOf, reads } = isolate();
    for (let made = 0; made < 3; made += 1) {
      const other = generateSecret("live", "DB", `${env.KEY_CHECK_SECRET}-of-another-origin`);
      expect(await statusOf(other, asked)).toBe(401);
    }
    expect(reads()).toBe(0);
  });

  it("in the old format causes a limited number of reads per minute and network, then none", async () => {
    freezeClock();
    const { statusOf, reads } = isolate();
    const statuses = new Map<number, number>();
    for (let made = 0; made < LIMIT + 20; made += 1) {
      const status = await statusOf(generateSecret("live"), made % 2 === 0 ? AGENT : READ);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 401: LIMIT, 429: 20 });
    expect(reads()).toBe(LIMIT);
    const { secret } = await createWorkspace();
    expect(await statusOf(secret)).toBe(200);
    expect(await statusOf(generateSecret("live"), READ, "198.51.100.8")).toBe(401);
  });

  it("does not block a cached key of the old format from the same network", async () => {
    freezeClock();
    const { statusOf } = isolate();
    const { secret, apiKeyId } = await createWorkspace();
    const old = generateSecret("live");
    const hash = await hashSecret(keyDatabase().keyPepper, old);
    await execute`UPDATE api_keys SET secret_hash = ${hash} WHERE api_key_id = ${apiKeyId}`;
    expect([await statusOf(secret), await statusOf(old)]).toEqual([401, 200]);
    for (let made = 0; made < LIMIT; made += 1) await statusOf(generateSecret("live"));
    expect([await statusOf(generateSecret("live")), await statusOf(old)]).toEqual([429, 200]);
  });

  it("a revoked key causes a limited number of reads a minute, and stays 401", async () => {
    freezeClock();
    const { statusOf, reads } = isolate();
    const revoked = await createWorkspace();
    await execute`UPDATE api_keys SET revoked_at = 1 WHERE api_key_id = ${revoked.apiKeyId}`;
    for (let asked = 0; asked < LIMIT; asked += 1) expect(await statusOf(revoked.secret, WRITE)).toBe(401);
    expect([await statusOf(revoked.secret, WRITE), reads()]).toEqual([401, LIMIT]);
  });

  it("a key of a suspended workspace works within ten seconds of its resumption, however often it was refused", async () => {
    const time = vi.spyOn(clock, "now");
    const minuteMs = Math.floor(Date.now() / 60_000) * 60_000;
    time.mockReturnValue(minuteMs);
    const { statusOf, reads } = isolate();
    const { secret, workspaceId } = await createWorkspace();
    const suspend = (sinceMs: number | null) =>
      execute`UPDATE workspaces SET suspended_at = ${sinceMs} WHERE workspace_id = ${workspaceId}`;
    await suspend(1);
    for (let asked = 0; asked < LIMIT; asked += 1) expect(await statusOf(secret, WRITE)).toBe(401);
    await suspend(null);
    expect([await statusOf(secret, WRITE), reads()]).toEqual([401, LIMIT]);
    time.mockReturnValue(minuteMs + LIMITS.keyMemoryMs);
    expect([await statusOf(secret, WRITE), await statusOf(secret)]).toEqual([404, 200]);
  });
});

/** A tool call in the older version of the protocol. */
const toolCall = (name: string) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } });

describe("API §5.3, §8.4 a refused key", () => {
  const LIMITED = { RATE_LIMIT_WRITE: "1", RATE_LIMIT_JOBS: "1", RATE_LIMIT_KEYS: "1", RATE_LIMIT_READ: "2" };

  it.each<[string, string?]>([
    [WRITE],
    ["POST /api/v1/jobs"],
    ["POST /api/v1/api-keys"],
    [AGENT, toolCall("cancel_pack")],
  ])("(%s) causes no read once its window is full", async (asked, body) => {
    freezeClock();
    const { statusOf, reads } = isolate(LIMITED);
    const { secret } = await createWorkspace();
    for (let sent = 0; sent < 3; sent += 1) await statusOf(secret, asked, NETWORK, body);
    const before = reads();
    for (let sent = 0; sent < 5; sent += 1) await statusOf(secret, asked, NETWORK, body);
    expect(reads() - before).toBe(0);
  });

  it.each<[string, string?]>([
    ["POST /api/v1/previews"],
    ["GET /api/v1/previews/quota"],
    [AGENT, toolCall("preview_pack")],
  ])("(%s) without the scope is read once for many refusals", async (asked, body) => {
    freezeClock();
    const { statusOf, reads } = isolate();
    const { secret } = await createWorkspace({ scopes: ["jobs:read"] });
    for (let sent = 0; sent < 20; sent += 1) {
      expect(await statusOf(secret, asked, NETWORK, body)).toBe(asked === AGENT ? 200 : 403);
    }
    expect(reads()).toBe(1);
  });
});
