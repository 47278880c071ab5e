import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LIMITS, ROUTE_FAMILIES } from "../../src/contract/limits.ts";
import { clock, toTimestamp } from "../../src/platform/clock.ts";
import { call, createWorkspace } from "../support/workspace.ts";

/** Guarantee: a window lets exactly its limit through, whatever comes at once and whatever is evicted. */

const LIMIT = ROUTE_FAMILIES.keys;
const WINDOW_MS = LIMITS.rateLimitWindowMs;
/** Ahead of the real time, so that no alarm of these windows rings by itself. */
const windowStartMs = Math.floor(Date.now() / WINDOW_MS) * WINDOW_MS + 60 * WINDOW_MS;
const inWindowMs = windowStartMs + 20_000;

const setTime = (timeMs: number) => vi.spyOn(clock, "now").mockReturnValue(timeMs);
const listKeys = (secret: string) => call("GET", "/api/v1/api-keys", { secret });
const windowOf = (apiKeyId: string) =>
  env.RATE_LIMIT_WINDOW.get(env.RATE_LIMIT_WINDOW.idFromName(`keys:${apiKeyId}`));

beforeEach(() => {
  setTime(inWindowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("a window", () => {
  it("lets exactly its limit of 100 requests at once through, each with a remainder of its own", async () => {
    const { secret } = await createWorkspace({});
    const answers = await Promise.all(Array.from({ length: 100 }, () => listKeys(secret)));
    const allowed = answers.filter(({ status }) => status === 200);
    const remaining = allowed.map(({ headers }) => Number(headers.get("X-RateLimit-Remaining")));
    expect(remaining.sort((left, right) => left - right)).toEqual(
      Array.from({ length: LIMIT }, (_, index) => index),
    );
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      expect(refused.status).toBe(429);
      expect(refused.body.error.code).toBe("RATE_LIMITED");
      expect(refused.headers.get("X-RateLimit-Limit")).toBe(String(LIMIT));
      expect(refused.headers.get("X-RateLimit-Remaining")).toBe("0");
      expect(refused.headers.get("X-RateLimit-Reset")).toBe(toTimestamp(windowStartMs + WINDOW_MS));
      expect(refused.headers.get("Retry-After")).toBe("40");
    }
  });

  it("forgets nothing when its object is evicted in mid-window", async () => {
    const { secret, apiKeyId } = await createWorkspace({});
    for (let request = 0; request < LIMIT - 1; request += 1) await listKeys(secret);
    await evictDurableObject(windowOf(apiKeyId));
    expect((await listKeys(secret)).headers.get("X-RateLimit-Remaining")).toBe("0");
    await evictDurableObject(windowOf(apiKeyId));
    expect((await listKeys(secret)).status).toBe(429);
  });

  it("ends at its reset and not a millisecond earlier", async () => {
    const { secret } = await createWorkspace({});
    await Promise.all(Array.from({ length: LIMIT }, () => listKeys(secret)));
    setTime(windowStartMs + WINDOW_MS - 1);
    expect((await listKeys(secret)).status).toBe(429);
    setTime(windowStartMs + WINDOW_MS);
    const next = await listKeys(secret);
    expect(next.status).toBe(200);
    expect(next.headers.get("X-RateLimit-Reset")).toBe(toTimestamp(windowStartMs + 2 * WINDOW_MS));
  });

  it("is not opened anew by a clock that steps back", async () => {
    const { secret } = await createWorkspace({});
    await Promise.all(Array.from({ length: LIMIT }, () => listKeys(secret)));
    setTime(windowStartMs - 1);
    expect((await listKeys(secret)).status).toBe(429);
  });

  it("is a key's own: another key of the workspace and another family are not counted in it", async () => {
    const { secret } = await createWorkspace({ credits: 1 });
    const other = await call("POST", "/api/v1/api-keys", {
      secret,
      body: { name: "Other", scopes: ["api-keys:read"] },
    });
    await Promise.all(Array.from({ length: LIMIT }, () => listKeys(secret)));
    expect((await listKeys(secret)).status).toBe(429);
    expect((await listKeys(other.body.data.secret)).status).toBe(200);
    expect((await call("GET", "/api/v1/balance", { secret })).status).toBe(200);
  });

  it("is removed from storage once it has long ended, and not before", async () => {
    const { secret, apiKeyId } = await createWorkspace({});
    const storedEntries = () =>
      runInDurableObject(windowOf(apiKeyId), async (_, state) => (await state.storage.list()).size);
    await listKeys(secret);
    setTime(windowStartMs + 2 * WINDOW_MS - 1);
    expect(await runDurableObjectAlarm(windowOf(apiKeyId))).toBe(true);
    expect(await storedEntries()).toBe(1);

    setTime(windowStartMs + 2 * WINDOW_MS);
    await listKeys(secret);
    setTime(windowStartMs + 4 * WINDOW_MS);
    expect(await runDurableObjectAlarm(windowOf(apiKeyId))).toBe(true);
    expect(await storedEntries()).toBe(0);
    expect((await listKeys(secret)).headers.get("X-RateLimit-Remaining")).toBe(String(LIMIT - 1));
  });
});
