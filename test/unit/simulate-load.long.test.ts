import { describe, expect, it } from "vitest";
import { burstsOf, DAY_MS, type LoadShape, rateAt } from "../../scripts/simulate/arrivals.ts";
import { histogram } from "../../scripts/simulate/histogram.ts";
import { type Calls, machinePlans, openPacks, simulateMachine } from "../../scripts/simulate/measured.ts";
import type { PackPlans, Step } from "../../scripts/simulate/plans.ts";
import { randomOf } from "../../scripts/simulate/random.ts";
import { loadOf, type Run, runLoad } from "../../scripts/simulate/run-load.ts";
import { placeBalanced, samplerOf, shardShares, sharesOf } from "../../scripts/simulate/workspaces.ts";

/** Guarantee: the simulator loses no pack, keeps to its limits, and gives equal figures for equal seeds. */

const SEED = 7;
const on = (place: Step["place"], serviceMs: number, variation = 0, delayMs = 0): Step => ({
  place,
  serviceMs,
  variation,
  delayMs,
});
const MESSAGE = [on("shard", 1, 0.5, 25), on("isolate", 400, 0.3), on("shard", 2, 0.5, 25)];
const PLANS: PackPlans = {
  request: [on("shard", 1, 0.5, 25)],
  dispatch: [on("isolate", 10)],
  messages: [MESSAGE, MESSAGE, MESSAGE],
  ending: [on("shard", 1, 0.5, 25)],
  handoverMs: 5,
  pollMs: 0.3,
  pollEveryMs: 2_000,
  readMs: 1,
};
const SHAPE: LoadShape = {
  packsPerMs: 10_000 / DAY_MS,
  waveMs: DAY_MS,
  waveHeight: 0.8,
  burstMean: 5,
  burstGapMs: 100,
};
const SHARES = sharesOf(100, 1.16);

const run = (changes: Partial<Run> = {}, shape: LoadShape = SHAPE): Run => ({
  plans: PLANS,
  placement: placeBalanced(SHARES, 4),
  shards: 4,
  consumers: 8,
  queuedMessagesMax: 160,
  next: loadOf(shape, SHARES, DAY_MS, SEED),
  burstGapMs: shape.burstGapMs,
  spanMs: DAY_MS,
  openPacksMax: 100_000,
  seed: SEED,
  sampleMs: 1_000,
  ...changes,
});

describe("a load", () => {
  it("follows its wave and has as many packs as it says", () => {
    const next = burstsOf({ ...SHAPE, packsPerMs: 200_000 / DAY_MS }, randomOf(SEED));
    const hours = new Float64Array(24);
    for (let burst = next(); burst.atMs < DAY_MS; burst = next()) {
      const hour = Math.floor((burst.atMs * 24) / DAY_MS);
      hours[hour] = (hours[hour] ?? 0) + burst.packs;
    }
    const total = hours.reduce((sum, packs) => sum + packs, 0);
    expect(total / 200_000).toBeCloseTo(1, 1);
    expect((hours[0] ?? 0) / total).toBeLessThan(0.02);
    expect((hours[12] ?? 0) / total).toBeGreaterThan(0.065);
    expect(rateAt(SHAPE, DAY_MS / 2) / SHAPE.packsPerMs).toBeCloseTo(1.8, 10);
  });

  it("falls on workspaces by their shares, a fifth of which make up three quarters and more", () => {
    const shares = sharesOf(10_000, 1.16);
    const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
    expect(sum(shares)).toBeCloseTo(1, 10);
    expect(sum(shares.slice(0, 2_000))).toBeGreaterThan(0.7);
    const drawOne = samplerOf(SHARES, randomOf(SEED));
    const drawn = new Float64Array(SHARES.length);
    for (let count = 0; count < 200_000; count += 1) {
      const workspace = drawOne();
      drawn[workspace] = (drawn[workspace] ?? 0) + 1;
    }
    SHARES.forEach((share, workspace) => {
      const expected = share * 200_000;
      expect(Math.abs((drawn[workspace] ?? 0) - expected)).toBeLessThan(5 * Math.sqrt(expected));
    });
  });

  it("is placed so that no shard has more than its part, but for a workspace that is larger alone", () => {
    const shares = shardShares(SHARES, placeBalanced(SHARES, 4), 4);
    expect(Math.max(...shares)).toBeLessThan(Math.max(1.1 / 4, SHARES[0] ?? 0) + 1e-9);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
  });
});

describe("a run", () => {
  it("ends every pack that was asked for, and counts each once in every figure", () => {
    const figures = runLoad(run());
    expect(figures.packs).toBeGreaterThan(8_000);
    expect(figures).toMatchObject({ open: 0, ended: figures.packs, isOverloaded: false });
    expect(figures.toPackMs.count()).toBe(figures.packs);
    expect(figures.toAnswerMs.count()).toBe(figures.packs);
    expect(figures.parts.reduce((sum, { packs }) => sum + packs, 0)).toBe(figures.packs);
    // One call to create, two for each of three messages, one to end, and one for what is read.
    const calls = figures.shards.reduce((sum, shard) => sum + shard.calls, 0);
    expect(calls).toBe(figures.packs * (1 + 3 * 2 + 1 + 1));
  });

  it("is the same for the same seed, and another for another", () => {
    const figuresOf = (seed: number) => {
      const { toPackMs, depth, toAnswerMs, ...rest } = runLoad(
        run({ seed, next: loadOf(SHAPE, SHARES, DAY_MS, seed) }),
      );
      return { ...rest, medianMs: toPackMs.quantile(0.5), depth: depth.mean(), mean: toAnswerMs.mean() };
    };
    expect(figuresOf(1)).toEqual(figuresOf(1));
    expect(figuresOf(1)).not.toEqual(figuresOf(2));
  });

  it("takes as long as its steps where nobody waits", () => {
    const calm = { ...SHAPE, packsPerMs: 20 / DAY_MS, waveHeight: 0, burstMean: 1 };
    const constant = (steps: readonly Step[]) => steps.map((step) => ({ ...step, variation: 0 }));
    const plans = {
      ...PLANS,
      request: constant(PLANS.request),
      messages: PLANS.messages.map(constant),
      ending: constant(PLANS.ending),
    };
    const { toPackMs } = runLoad(run({ plans, next: loadOf(calm, SHARES, DAY_MS, SEED) }, calm));
    // The three messages of a pack reach the shard together: the last waits for the two before it.
    const expected = 26 + 10 + (26 + 2 + 400 + 27 + 2) + 26;
    expect(Math.abs(toPackMs.max() - expected)).toBeLessThan(3);
  });

  it("a shard waits as M/G/1 does (Pollaczek and Khinchine)", () => {
    const serviceMs = 50;
    const variation = 0.8;
    const use = 0.7;
    const plans: PackPlans = {
      ...PLANS,
      request: [on("shard", serviceMs, variation)],
      dispatch: [],
      messages: [[]],
      ending: [],
      pollMs: 0,
      readMs: 0,
    };
    const shape = { ...SHAPE, packsPerMs: use / serviceMs, waveHeight: 0, burstMean: 1 };
    const spanMs = 15_000_000;
    const { shards } = runLoad(
      run({
        plans,
        shards: 1,
        placement: new Int32Array(SHARES.length),
        next: loadOf(shape, SHARES, spanMs, SEED),
        spanMs,
      }),
    );
    const [shard] = shards;
    const expected = (use * serviceMs * (1 + variation ** 2)) / (2 * (1 - use));
    expect((shard?.waitedMs ?? 0) / (shard?.calls ?? 1) / expected).toBeCloseTo(1, 1);
    expect((shard?.busyMs ?? 0) / spanMs / use).toBeCloseTo(1, 1);
  });

  it("a large workspace does not hold up a small one: no more of its messages are under way than its share", () => {
    const slow: PackPlans = { ...PLANS, messages: [[on("isolate", 1_000)]], ending: [], dispatch: [] };
    const waitOfSmall = (queuedMessagesMax: number): number => {
      let smallMs = Number.NaN;
      const bursts = [
        { atMs: 0, packs: 1_000, workspace: 0 },
        { atMs: 2_000, packs: 1, workspace: 1 },
      ];
      const next = () => bursts.shift() ?? null;
      const onEnd = (askedMs: number, endMs: number, workspace: number) => {
        if (workspace === 1) smallMs = endMs - askedMs;
      };
      runLoad(run({ plans: slow, next, onEnd, consumers: 4, queuedMessagesMax, burstGapMs: 1 }));
      return smallMs;
    };
    // Before it are at most 8 of the other's messages: two rounds of four consumers, and one that is under way.
    expect(waitOfSmall(8)).toBeLessThan(4_000);
    expect(waitOfSmall(100_000)).toBeGreaterThan(200_000);
  });

  it("gives up at a load that is more than is ended", () => {
    const shape = { ...SHAPE, packsPerMs: SHAPE.packsPerMs * 100 };
    const figures = runLoad(run({ openPacksMax: 5_000, next: loadOf(shape, SHARES, DAY_MS, SEED) }, shape));
    expect(figures).toMatchObject({ isOverloaded: true, open: 5_001 });
    expect(figures.ended + figures.open).toBe(figures.packs);
  });
});

describe("one machine", () => {
  const times = {
    requestMs: 9,
    drawMs: 100,
    answerDelayMs: 5,
    drawDelayMs: 20,
    drawPauseMs: 0,
    variation: 0,
  };
  const none = { d1: [], r2Reads: 0, r2Writes: 0, objectCalls: 0, logLines: 0 };
  /** A request comes to the thread three times, and each output twice. */
  const calls: Calls = {
    request: { ...none, d1: [1], objectCalls: 1 },
    message: none,
    output: { ...none, r2Writes: 1 },
    ending: none,
    afterMessage: none,
    afterEnding: none,
  };
  const plans = machinePlans(times, [4, 1], calls);

  it("draws a pack alone in the time of its parts", () => {
    const { packs, packsOfShards } = simulateMachine(
      [{ atMs: 0, workspace: 1 }],
      plans,
      new Int32Array([0, 1]),
      2,
      SEED,
    );
    expect(packs).toEqual([{ atMs: 0, toAnswerMs: 14, toPackMs: expect.closeTo(14 + 20 + 100, 6) }]);
    expect(packsOfShards).toEqual([0, 1]);
  });

  it("takes longer while it gets less than a processor, and while the drawing waits for others", () => {
    const paces = [
      { fromMs: 0, share: 0.5 },
      { fromMs: 58, share: 0.25 },
    ];
    const paused = machinePlans({ ...times, drawPauseMs: 50 }, [4, 1], calls);
    const alone = [{ atMs: 0, workspace: 0 }];
    const { packs } = simulateMachine(alone, plans, new Int32Array(1), 1, SEED, paces);
    // 9 ms of the request take 18 after 5, and 100 of drawing begin at 43: 7.5 until 58, and the rest at a quarter.
    expect(packs[0]?.toAnswerMs).toBeCloseTo(5 + 18, 6);
    expect(packs[0]?.toPackMs).toBeCloseTo(58 + 92.5 * 4, 6);
    const later = simulateMachine(alone, paused, new Int32Array(1), 1, SEED);
    expect(later.packs[0]?.toPackMs).toBeCloseTo(14 + 20 + 150, 6);
  });

  it("draws one pack after another, and lets a request wait for the output that is drawn", () => {
    const arrivals = [0, 0, 46].map((atMs) => ({ atMs, workspace: 0 }));
    const { packs } = simulateMachine(arrivals, plans, new Int32Array(1), 1, SEED);
    // The first comes to the thread at 5, 11 and 17 and is accepted at 20; the second, at 23. From 40 on the thread draws in
    // stretches of 10 ms, and does 3 ms of the third's request, which comes at 51, after each of three.
    const late = packs.find(({ atMs }) => atMs === 46);
    expect(late?.toAnswerMs).toBeCloseTo(60 + 3 + 10 + 3 + 10 + 3 - 46, 6);
    expect(Math.max(...packs.map(({ atMs, toPackMs }) => atMs + toPackMs))).toBeCloseTo(40 + 300 + 9, 6);
    const open = openPacks([packs]);
    expect(open).toMatchObject({ most: 3, spanMs: expect.closeTo(349, 6) });
  });
});

it("quantiles are within one percent of the sorted values", () => {
  const random = randomOf(SEED);
  const values = Array.from({ length: 20_000 }, () => random.logNormal(300, 1.5));
  const counted = histogram();
  for (const value of values) counted.add(value);
  const sorted = values.toSorted((one, other) => one - other);
  for (const share of [0.01, 0.5, 0.99, 1]) {
    const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
    expect(Math.abs(counted.quantile(share) / exact - 1)).toBeLessThan(0.01);
  }
  expect(histogram().quantile(0.5)).toBe(0);
});
