import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LIMITS, ROUTE_FAMILIES } from "#api/limits.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { call, createWorkspace } from "../support/workspace.ts";

const WINDOW_MS = LIMITS.rateLimitWindowMs;
/** A window in which no other test counts. */
const START_MS = Date.parse("2030-06-18T12:00:00.000Z");
/** A window that ended long ago. */
const PAST_MS = Date.parse("2026-06-18T12:00:00.000Z");

const newWindow = () => env.RATE_LIMIT_WINDOW.get(env.RATE_LIMIT_WINDOW.idFromName(newId()));

describe("one window", () => {
  it("API §8.8 with a limit below twenty loses no count when evicted", async () => {
    const object = newWindow();
    for (let at = 0; at < 7; at += 1) await object.count(10, WINDOW_MS, START_MS);
    await evictDurableObject(object);
    const after = await Promise.all(
      Array.from({ length: 20 }, () => object.count(10, WINDOW_MS, START_MS + 30_000)),
    );
    expect(after.filter(({ isAllowed }) => isAllowed)).toHaveLength(3);
  });

  it("ends at an exact millisecond, and the next window starts empty", async () => {
    const object = newWindow();
    expect(await object.count(1, WINDOW_MS, START_MS)).toMatchObject({ isAllowed: true, remaining: 0 });
    expect((await object.count(1, WINDOW_MS, START_MS + WINDOW_MS - 1)).isAllowed).toBe(false);
    expect(await object.count(1, WINDOW_MS, START_MS + WINDOW_MS)).toEqual({
      isAllowed: true,
      remaining: 0,
      resetsAtMs: START_MS + 2 * WINDOW_MS,
    });
  });

  it("is not reopened if the clock goes backwards", async () => {
    const object = newWindow();
    await object.count(1, WINDOW_MS, START_MS);
    expect(await object.count(1, WINDOW_MS, START_MS - 1)).toEqual({
      isAllowed: false,
      remaining: 0,
      resetsAtMs: START_MS + WINDOW_MS,
    });
  });

  it("never has a negative remainder, even if its limit is lowered meanwhile", async () => {
    const object = newWindow();
    for (let at = 0; at < 5; at += 1) await object.count(10, WINDOW_MS, START_MS);
    expect(await object.count(3, WINDOW_MS, START_MS)).toMatchObject({ isAllowed: false, remaining: 0 });
  });

  it("is deleted by an alarm long after its end; each new window postpones it", async () => {
    const object = newWindow();
    const readStored = () =>
      runInDurableObject(object, async (_, { storage }) => ({
        entries: (await storage.list()).size,
        alarmMs: (await storage.getAlarm()) ?? 0,
      }));
    await object.count(2, WINDOW_MS, PAST_MS + WINDOW_MS - 1);
    const first = await readStored();
    await object.count(2, WINDOW_MS, PAST_MS + WINDOW_MS);
    const second = await readStored();
    // The first window had one millisecond left, the second its full length.
    expect(second.alarmMs - first.alarmMs).toBeGreaterThanOrEqual(WINDOW_MS - 1);
    expect([first.entries, second.entries]).toEqual([1, 1]);
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect((await readStored()).entries).toBe(0);
    expect(await object.count(2, WINDOW_MS, PAST_MS + 3 * WINDOW_MS)).toMatchObject({ remaining: 1 });
  });
});

describe("over HTTP", () => {
  const list = (secret: string) => call("GET", "/api/v1/api-keys", { secret });

  it("of 40 concurrent requests with one key, exactly as many as the limit are 200, the rest 429", async () => {
    vi.spyOn(clock, "now").mockReturnValue(START_MS + 12_345);
    const { secret } = await createWorkspace();
    const answers = await Promise.all(Array.from({ length: 40 }, () => list(secret)));
    const served = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([served.length, refused.length]).toEqual([ROUTE_FAMILIES.keys, 40 - ROUTE_FAMILIES.keys]);
    for (const { headers } of answers) {
      expect(headers.get("X-RateLimit-Limit")).toBe(String(ROUTE_FAMILIES.keys));
      expect(headers.get("X-RateLimit-Reset")).toBe("2030-06-18T12:01:00.000Z");
      expect(headers.get("X-Request-ID")).toBeTruthy();
    }
    expect(new Set(served.map(({ headers }) => headers.get("X-RateLimit-Remaining"))).size).toBe(
      ROUTE_FAMILIES.keys,
    );
    for (const { headers, body } of refused) {
      expect(headers.get("X-RateLimit-Remaining")).toBe("0");
      expect(headers.get("Retry-After")).toBe("48");
      expect(body.error).toMatchObject({
        code: "RATE_LIMITED",
        httpStatus: 429,
        details: { safeToRetryUnchanged: true },
      });
    }
  });

  it("a key with a known full window is refused without a read", async () => {
    vi.spyOn(clock, "now").mockReturnValue(START_MS);
    const { secret } = await createWorkspace();
    await Promise.all(Array.from({ length: ROUTE_FAMILIES.keys + 1 }, () => list(secret)));
    const windows = vi.spyOn(env.RATE_LIMIT_WINDOW, "get");
    const statements = vi.spyOn(env.DB, "prepare");
    const refused = await list(secret);
    expect([refused.status, refused.headers.get("X-RateLimit-Remaining")]).toEqual([429, "0"]);
    expect(refused.headers.get("X-RateLimit-Reset")).toBe("2030-06-18T12:01:00.000Z");
    expect(windows).not.toHaveBeenCalled();
    // Counts only reads of keys, because a job of another test may be drawn meanwhile.
    expect(statements.mock.calls.filter(([sql]) => sql.includes("api_keys"))).toEqual([]);
    vi.spyOn(clock, "now").mockReturnValue(START_MS + WINDOW_MS);
    expect((await list(secret)).status).toBe(200);
  });

  it("a refused read shows none of the results that were read while it was counted", async () => {
    vi.spyOn(clock, "now").mockReturnValue(START_MS);
    const { secret, apiKeyId } = await createWorkspace({ credits: 7 });
    const object = env.RATE_LIMIT_WINDOW.get(env.RATE_LIMIT_WINDOW.idFromName(`read:${apiKeyId}`));
    await Promise.all(
      Array.from({ length: ROUTE_FAMILIES.read }, () =>
        object.count(ROUTE_FAMILIES.read, WINDOW_MS, START_MS),
      ),
    );
    for (const path of ["/api/v1/balance", `/api/v1/jobs/${newId()}`, "/api/v1/jobs/none"]) {
      const { status, body, headers } = await call("GET", path, { secret });
      expect([status, body.error.code, body.data]).toEqual([429, "RATE_LIMITED", undefined]);
      expect([headers.get("Retry-After"), headers.get("X-RateLimit-Remaining")]).toEqual(["60", "0"]);
    }
  });

  it("each route family has separate windows, and so has each key of a workspace", async () => {
    vi.spyOn(clock, "now").mockReturnValue(START_MS);
    const { secret } = await createWorkspace({ credits: 1 });
    const created = await call("POST", "/api/v1/api-keys", {
      secret,
      body: { name: "Second", scopes: ["api-keys:read"] },
    });
    expect(created.headers.get("X-RateLimit-Remaining")).toBe("29");
    expect((await call("GET", "/api/v1/balance", { secret })).headers.get("X-RateLimit-Remaining")).toBe(
      "599",
    );
    expect((await list(created.body.data.secret)).headers.get("X-RateLimit-Remaining")).toBe("29");
  });

  it("API §5.3 a request without the scope counts in its window, up to 429", async () => {
    vi.spyOn(clock, "now").mockReturnValue(START_MS);
    const { secret } = await createWorkspace({ scopes: ["jobs:write"] });
    expect((await call("GET", "/api/v1/api-keys")).headers.has("X-RateLimit-Limit")).toBe(false);
    const settings = { RATE_LIMIT_KEYS: "2", RATE_LIMIT_READ: "2" };
    for (const path of ["/api/v1/api-keys", "/api/v1/balance"]) {
      const outcomes = [];
      for (let asked = 0; asked < 3; asked += 1) {
        const { status, headers } = await call("GET", path, { secret, settings });
        outcomes.push([status, headers.get("X-RateLimit-Remaining")]);
      }
      expect(outcomes).toEqual([
        [403, "1"],
        [403, "0"],
        [429, "0"],
      ]);
    }
  });
});
