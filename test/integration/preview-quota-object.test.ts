import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";

const DAY_MS = 86_400_000;
const START_MS = Date.parse("2031-06-18T12:00:00.000Z");

const newQuota = () => env.PREVIEW_QUOTA.get(env.PREVIEW_QUOTA.idFromName(newId()));
const asked = (changes: object = {}) => ({
  apiKeyId: "key",
  limits: { product: 30, burst: 1_000 },
  nowMs: START_MS,
  reservationId: newId(),
  cacheKey: newId(),
  ...changes,
});

describe("reserving", () => {
  it("a repeated call is the same reservation, before and after settling", async () => {
    const quota = newQuota();
    const reservation = asked();
    for (let ask = 0; ask < 3; ask += 1) expect((await quota.reserve(reservation)).kind).toBe("reserved");
    await quota.settle(reservation);
    await quota.settle(reservation);
    await quota.release(reservation, true);
    const { product, burst } = await quota.read(reservation);
    expect([product.used, burst.used]).toEqual([1, 1]);
  });

  it("a cache key is busy until its reservation is settled, released or expired", async () => {
    const quota = newQuota();
    const first = asked();
    const second = asked({ cacheKey: first.cacheKey });
    await quota.reserve(first);
    expect((await quota.reserve(second)).kind).toBe("busy");
    const late = { ...second, nowMs: START_MS + LIMITS.previewLeaseMs };
    expect((await quota.reserve(late)).kind).toBe("reserved");
    expect((await quota.read(late)).product.used).toBe(1);
  });

  it("reports whether an identical preview was settled before", async () => {
    const quota = newQuota();
    const first = asked();
    const again = (changes: object = {}) => asked({ cacheKey: first.cacheKey, ...changes });
    expect((await quota.reserve(first)).wasSettled).toBe(false);
    await quota.release(first, true);
    const second = again();
    expect((await quota.reserve(second)).wasSettled).toBe(false);
    await quota.settle(second);
    expect(await quota.reserve(again())).toMatchObject({ kind: "reserved", wasSettled: true });
    expect((await quota.reserve(asked())).wasSettled).toBe(false);
  });

  it("similar pictures are limited to ten sets of files per day, each of which may be previewed repeatedly", async () => {
    const quota = newQuota();
    const picture = (files: string, trait: number, nowMs = START_MS) =>
      quota.countAlike({ ...asked({ nowMs }), files, likeness: new Int8Array(112).fill(trait).buffer });
    const isAllowed = async (...counted: Parameters<typeof picture>) => (await picture(...counted)).isAllowed;
    for (let made = 0; made < LIMITS.similarPreviewsPerDay; made += 1) {
      expect(await isAllowed(`file ${made}`, (made % 3) - 1)).toBe(true);
    }
    expect([await isAllowed("other", 2), await isAllowed("other", 3), await isAllowed("other", -9)]).toEqual([
      ...[false, true, true],
    ]);
    expect([await isAllowed("file 0", -1), await isAllowed("other", 0, START_MS + DAY_MS)]).toEqual([
      true,
      true,
    ]);
  });

  it("the end of a cache key's lease wakes a waiting call", async () => {
    const quota = newQuota();
    const reservation = asked();
    await quota.reserve(reservation);
    const waiting = quota.untilFree(reservation.cacheKey, START_MS, 30_000);
    await quota.release(reservation, true);
    await waiting;
    await quota.untilFree(reservation.cacheKey, START_MS, 30_000);
  });
});

describe("leases", () => {
  it("an expired reservation stops counting, frees its place, and cannot be renewed", async () => {
    const quota = newQuota();
    const limits = { product: 1, burst: 10 };
    const dead = asked({ limits });
    await quota.reserve(dead);
    const nowMs = START_MS + LIMITS.previewLeaseMs;
    expect((await quota.read({ ...dead, nowMs })).product.used).toBe(0);
    expect((await quota.renew({ ...dead, nowMs })).isHeld).toBe(true);
    const later = nowMs + LIMITS.previewLeaseMs;
    expect((await quota.reserve(asked({ limits, nowMs: later }))).kind).toBe("reserved");
    expect((await quota.renew({ ...dead, nowMs: later })).isHeld).toBe(false);
  });

  it("a release before the drawing starts also restores the burst", async () => {
    const quota = newQuota();
    const [attempted, unattempted] = [asked(), asked()];
    await quota.reserve(attempted);
    await quota.reserve(unattempted);
    await quota.release(attempted, true);
    const { product, burst } = await quota.release(unattempted, false);
    expect([product.used, burst.used]).toEqual([0, 1]);
  });
});

describe("time", () => {
  it("a clock that goes backwards over midnight or a minute opens no new window", async () => {
    const quota = newQuota();
    const midnightMs = Math.ceil(START_MS / DAY_MS) * DAY_MS;
    const limits = { product: 1, burst: 1 };
    await quota.reserve(asked({ limits, nowMs: midnightMs }));
    const back = await quota.reserve(asked({ limits, nowMs: midnightMs - 1 }));
    expect(back.kind).toBe("refused");
    expect(back.counts.product.resetsAtMs).toBe(midnightMs + DAY_MS);
    expect(back.counts.burst.resetsAtMs).toBe(midnightMs + LIMITS.previewBurstWindowMs);
  });

  it("a lowered limit leaves no negative remainder", async () => {
    const quota = newQuota();
    for (let reservation = 0; reservation < 3; reservation += 1) await quota.reserve(asked());
    const { product, burst } = await quota.read(asked({ limits: { product: 2, burst: 1 } }));
    expect(product).toMatchObject({ used: 3, remaining: 0 });
    expect(burst).toMatchObject({ used: 3, remaining: 0 });
  });

  it("the alarm deletes counts of past days and minutes, and finally all tables; counting then restarts", async () => {
    const quota = newQuota();
    const reservation = asked();
    await quota.reserve(reservation);
    await quota.settle(reservation);
    const now = vi.spyOn(clock, "now").mockReturnValue(START_MS + 60_000);
    expect(await runDurableObjectAlarm(quota)).toBe(true);
    expect((await quota.read(reservation)).product.used).toBe(1);
    now.mockReturnValue(START_MS + 3 * DAY_MS);
    expect(await runDurableObjectAlarm(quota)).toBe(true);
    const tables = await runInDurableObject(quota, (_, { storage }) =>
      storage.sql
        .exec("SELECT name FROM sqlite_master WHERE name IN ('reservations', 'burst_windows')")
        .toArray(),
    );
    expect(tables).toEqual([]);
    expect((await quota.reserve(asked({ nowMs: START_MS + 3 * DAY_MS }))).counts.product.used).toBe(1);
  });
});
