import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { LIMITS, ROUTE_FAMILIES, type RouteFamily } from "#api/limits.ts";
import { clock } from "#platform/clock.ts";
import { unwrittenMaxOf } from "#platform/durable-objects/rate-limit-window.ts";
import { newId } from "#platform/ids.ts";
import { reportStress } from "../stress/report.ts";
import { readEvents } from "../support/ledger.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { call, createWorkspace } from "../support/workspace.ts";
import { callerWithJob, callerWithLogo, SIZE_IDS } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { World, type WorldRequest } from "./world.ts";

/**
 * If a window's object is evicted, the window loses at most a twentieth of its limit in counted requests. An exact
 * window loses none, and a full window stays full. If a window's object fails, the request fails.
 */

beforeAll(freshStorage);
const START_MS = Date.parse("2031-06-18T12:00:00.000Z");
const WAVES = 8;
const REQUESTS_PER_WAVE = 20;

it.for(["jobs", "write"] satisfies RouteFamily[])(
  "%s admits at most its limit plus the tolerated loss when evicted between concurrent requests",
  async (family, { task }) => {
    silenceLogs();
    vi.spyOn(clock, "now").mockReturnValue(START_MS);
    const { secret, apiKeyId } = await createWorkspace({ credits: 1 });
    const namespace = env.RATE_LIMIT_WINDOW;
    const path = family === "jobs" ? "/api/v1/jobs" : "/api/v1/assets/uploads";
    const limit = ROUTE_FAMILIES[family];
    let allowed = 0;
    let allowedMax = limit;
    for (let wave = 0; wave < WAVES; wave += 1) {
      // The window counts a request before its validation, so an empty body suffices.
      const answers = await Promise.all(
        Array.from({ length: REQUESTS_PER_WAVE }, () =>
          call("POST", path, { secret, body: {}, headers: { "Idempotency-Key": newId() } }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.every((status) => status === 400 || status === 429)).toBe(true);
      allowed += statuses.filter((status) => status === 400).length;
      // A full window is already in storage, so an eviction loses nothing.
      if (statuses.includes(429)) continue;
      await evictDurableObject(namespace.get(namespace.idFromName(`${family}:${apiKeyId}`)));
      allowedMax += unwrittenMaxOf(limit);
    }
    reportStress(task, {
      counts: { "rate-limited requests": WAVES * REQUESTS_PER_WAVE, evictions: WAVES },
      leaked: Math.max(0, allowed - allowedMax),
      lost: Math.max(0, limit - allowed),
    });
    expect(allowed).toBeGreaterThanOrEqual(limit);
    expect(allowed).toBeLessThanOrEqual(allowedMax);
  },
);

it("an eviction neither reopens a full window nor loses counts of an exact window", async () => {
  const limit = ROUTE_FAMILIES.read;
  const full = env.RATE_LIMIT_WINDOW.get(env.RATE_LIMIT_WINDOW.idFromName(newId()));
  for (let at = 0; at < limit; at += 1) await full.count(limit, LIMITS.rateLimitWindowMs, START_MS);
  const exactWindow = env.RATE_LIMIT_WINDOW.get(env.RATE_LIMIT_WINDOW.idFromName(newId()));
  for (let at = 0; at < WAVES; at += 1) {
    await evictDurableObject(full);
    expect((await full.count(limit, LIMITS.rateLimitWindowMs, START_MS)).isAllowed).toBe(false);
    expect(await exactWindow.count(limit, LIMITS.signInWindowMs, START_MS, true)).toMatchObject({
      remaining: limit - at - 1,
    });
    await evictDurableObject(exactWindow);
  }
});

it("a window with one request per second loses no count when evicted", async () => {
  const object = env.RATE_LIMIT_WINDOW.get(env.RATE_LIMIT_WINDOW.idFromName(newId()));
  for (let second = 0; second < WAVES; second += 1) {
    const count = await object.count(
      ROUTE_FAMILIES.read,
      LIMITS.rateLimitWindowMs,
      START_MS + 1_000 * second,
    );
    expect(count.remaining).toBe(ROUTE_FAMILIES.read - second - 1);
    await evictDurableObject(object);
  }
});

it("windows admit exactly their limit for concurrent requests around their end", async () => {
  const object = env.RATE_LIMIT_WINDOW.get(env.RATE_LIMIT_WINDOW.idFromName(newId()));
  const limit = 10;
  // Clients' requests carry times that differ by up to a second, so some still count in the earlier window.
  const times = Array.from(
    { length: 200 },
    (_, at) => START_MS + LIMITS.rateLimitWindowMs + (at % 21) * 50 - 500,
  );
  const counts = await Promise.all(
    times.map((nowMs) => object.count(limit, LIMITS.rateLimitWindowMs, nowMs)),
  );
  const allowedByWindow = new Map<number, number>();
  for (const { isAllowed, resetsAtMs } of counts) {
    if (isAllowed) allowedByWindow.set(resetsAtMs, (allowedByWindow.get(resetsAtMs) ?? 0) + 1);
  }
  expect([...allowedByWindow.values()].every((allowed) => allowed <= limit)).toBe(true);
  expect(allowedByWindow.get(START_MS + 2 * LIMITS.rateLimitWindowMs)).toBe(limit);
});

describe("when a window's object fails", () => {
  /** A request of each kind that spends, refunds or grants access. */
  async function payingRequests(
    world: World,
  ): Promise<readonly { readonly workspaceId: string; readonly request: WorldRequest }[]> {
    const withLogo = await callerWithLogo(world, { credits: 5 });
    const withJob = await callerWithJob(world, { credits: 5 });
    const create: WorldRequest = {
      method: "POST",
      path: "/api/v1/jobs",
      secret: withLogo.secret,
      headers: { "Idempotency-Key": newId() },
      body: { contractId: "display.v1", selectedSizeIds: SIZE_IDS, assetIds: { logo: withLogo.assetId } },
    };
    const cancel: WorldRequest = {
      method: "POST",
      path: `/api/v1/jobs/${withJob.jobId}/cancel`,
      secret: withJob.secret,
    };
    const addKey: WorldRequest = {
      method: "POST",
      path: "/api/v1/api-keys",
      secret: withLogo.secret,
      body: { name: "Another", scopes: ["jobs:write"] },
    };
    return [
      { workspaceId: withLogo.workspaceId, request: create },
      { workspaceId: withJob.workspaceId, request: cancel },
      { workspaceId: withLogo.workspaceId, request: addKey },
    ];
  }

  it.for(["fault-before", "fault-after", "kill-before"] as const)(
    "(%s) a request has no effect, and succeeds once the object works again",
    async (kind, { task }) => {
      silenceLogs();
      const world = new World(START_MS);
      let leaked = 0;
      const requests = await payingRequests(world);
      for (const { workspaceId, request } of requests) {
        const before = JSON.stringify(await readEvents(workspaceId));
        // The first call reads the key, the second counts in the window.
        world.crash({ step: 1, kind });
        const { status } = await world.request(request);
        expect(world.calls[1]).toBe("window count");
        if (status < 500 || JSON.stringify(await readEvents(workspaceId)) !== before) leaked += 1;
        world.restart();
        expect((await world.request(request)).status, request.path).toBeLessThan(300);
      }
      reportStress(task, { counts: { "requests at unreachable windows": requests.length }, leaked });
      expect(leaked).toBe(0);
    },
  );

  it("a trial is not claimed", async () => {
    silenceLogs();
    const world = new World(START_MS);
    const claim = { method: "POST", path: "/api/v1/agent/trial-key", body: { clientMarker: newId() } };
    world.crash({ step: 0, kind: "fault-before" });
    expect((await world.request(claim)).status).toBe(500);
    expect(world.calls).toEqual(["window count"]);
    world.restart();
    expect((await world.request(claim)).status).toBe(201);
  });
});
