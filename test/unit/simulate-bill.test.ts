import { describe, expect, it } from "vitest";
import { billOf, type MonthlyUse } from "../../scripts/simulate/bill.ts";
import { bytesAt, dayOver } from "../../scripts/simulate/growth.ts";
import { type Deployment, limitsOf } from "../../scripts/simulate/limits.ts";
import type { PackFigures, PartFigures } from "../../scripts/simulate/pack-figures.ts";
import { wholePack } from "../../scripts/simulate/pack-figures.ts";
import { joined, lengthOf, type PackPlans, type Step } from "../../scripts/simulate/plans.ts";
import { largestThatHolds } from "../../scripts/simulate/search.ts";

/** Guarantee: bills, growth and limits are those that one works out by hand. */

const NOTHING: MonthlyUse = {
  requests: 0,
  cpuMs: 0,
  d1RowsRead: 0,
  d1RowsWritten: 0,
  d1GbMonths: 0,
  r2ClassA: 0,
  r2ClassB: 0,
  r2GbMonths: 0,
  queueOperations: 0,
  objectRequests: 0,
  objectGbSeconds: 0,
  objectRowsWritten: 0,
  logLines: 0,
};

describe("the bill", () => {
  it("of Cloudflare's own example is the one on its page (workers/platform/pricing: example 1)", () => {
    // 15 million requests of 7 ms: $5 for the plan, $1.50 for 5 million requests, $1.50 for 75 million ms.
    const bill = billOf({ ...NOTHING, requests: 15e6, cpuMs: 105e6 });
    const dollarsOf = (what: string) => bill.find((line) => line.what === what)?.dollars;
    expect(dollarsOf("requests")).toBeCloseTo(1.5, 10);
    expect(dollarsOf("cpuMs")).toBeCloseTo(1.5, 10);
    expect(dollarsOf("together")).toBeCloseTo(8, 10);
  });

  it("takes off what the plan includes, line by line", () => {
    expect(billOf(NOTHING).at(-1)?.dollars).toBe(5);
    // 100 million messages: 300 million operations, one million of them included, at 40 cents a million.
    expect(billOf({ ...NOTHING, queueOperations: 300e6 }).at(-1)?.dollars).toBeCloseTo(5 + 119.6, 10);
    // 150 million rows at a dollar, 105 GB at 75 cents, 1 TB of files at 1.5 cents.
    const use = { ...NOTHING, d1RowsWritten: 200e6, d1GbMonths: 105, r2GbMonths: 1_010 };
    expect(billOf(use).at(-1)?.dollars).toBeCloseTo(5 + 150 + 75 + 15, 10);
  });
});

describe("growth", () => {
  it("keeps each pack whole until its rows leave, and then what stays", () => {
    const keeping = { kept: 1_000, afterArchive: 100, archiveAfterDays: 60 };
    expect(bytesAt(1, 10, keeping)).toBe(10_000);
    expect(bytesAt(60, 10, keeping)).toBe(600_000);
    expect(bytesAt(365, 10, keeping)).toBe(600_000 + 305 * 1_000);
    expect(dayOver(600_000, 10, keeping, 365)).toBe(61);
    expect(dayOver(10e9, 10, keeping, 365)).toBeNull();
  });

  it("goes on where nothing leaves", () => {
    const keeping = { kept: 1_000, afterArchive: 100, archiveAfterDays: Number.POSITIVE_INFINITY };
    expect(bytesAt(365, 10, keeping)).toBe(3_650_000);
  });
});

const part = (d1: number[]): PartFigures => ({
  d1,
  r2Reads: 0,
  r2Writes: 0,
  objectCalls: 0,
  logLines: 1,
});

it("a whole pack is the sum of its parts, each as often as it is done", () => {
  const figures: PackFigures = {
    messages: [4, 4, 2],
    request: part([20]),
    dispatch: part([1]),
    message: { ...part([5, 0]), r2Reads: 2 },
    output: { ...part([]), r2Writes: 1 },
    ending: part([7]),
    afterMessage: part([0]),
    afterEnding: part([0]),
    poll: part([0]),
    reading: part([0, 0]),
    aging: part([2]),
    d1RowsRead: 100,
    bytes: { kept: 1, afterArchive: 1, file: 1, manifest: 1 },
    days: { files: 30, rows: 60 },
  };
  expect(wholePack(figures)).toEqual({
    d1Rows: 20 + 1 + 3 * 5 + 7 + 2,
    d1Calls: 1 + 1 + 3 * 2 + 1 + 2 + 1 + 4,
    d1Writes: 1 + 1 + 3 + 1 + 1,
    r2Reads: 6,
    r2Writes: 10,
    objectCalls: 0,
    logLines: 1 + 1 + 3 + 10 + 1 + 1 + 1 + 4,
  });
});

describe("steps", () => {
  const step = (changes: Partial<Step>): Step => ({
    delayMs: 0,
    place: "isolate",
    serviceMs: 0,
    variation: 0,
    ...changes,
  });

  it("take as long joined as they did", () => {
    const steps = [
      step({ delayMs: 10 }),
      step({ delayMs: 25, place: "shard", serviceMs: 2 }),
      step({ serviceMs: 5 }),
      step({ delayMs: 1, serviceMs: 100, variation: 0.3 }),
      step({ delayMs: 50 }),
    ];
    expect(joined(steps)).toEqual([
      step({ delayMs: 35, place: "shard", serviceMs: 2 }),
      step({ delayMs: 6, serviceMs: 100, variation: 0.3 }),
      step({ delayMs: 50 }),
    ]);
    expect(lengthOf(joined(steps))).toBe(lengthOf(steps));
  });

  it("say at which load each limit is reached", () => {
    const plans: PackPlans = {
      request: [step({ place: "shard", serviceMs: 2 })],
      dispatch: [],
      messages: [[step({ serviceMs: 950 })], [step({ serviceMs: 950 })]],
      ending: [],
      handoverMs: 50,
      pollMs: 1,
      pollEveryMs: 2_000,
      readMs: 1,
    };
    const deployment: Deployment = {
      // 10 packs a second, 20 at the peak.
      outputsAMonth: 10 * 10 * 86_400 * 30,
      outputsPerPack: 10,
      peak: 2,
      fullestShard: 0.5,
      largestWorkspace: 0.1,
      consumers: 80,
      plans,
      keeping: { kept: 1_000, afterArchive: 0, archiveAfterDays: 30 },
      days: 365,
      sweptADay: 720_000,
      jobsAMinute: 60,
    };
    const limits = limitsOf(deployment, 1);
    const timesOf = (id: string) =>
      (limits.find((limit) => limit.id === id)?.outputsAMonth ?? Number.NaN) / deployment.outputsAMonth;
    // 40 messages a second of a second each.
    expect(timesOf("consumers")).toBeCloseTo(80 / 40, 10);
    expect(timesOf("consumers-most")).toBeCloseTo(250 / 40, 10);
    expect(timesOf("queue")).toBeCloseTo(5_000 / 40, 10);
    // Ten packs a second on the fullest shard, each 2 + 1 + 1 ms.
    expect(timesOf("writer")).toBeCloseTo(1 / (10 * 0.004), 10);
    // Thirty days of 864,000 packs of a kilobyte: half of that is on the shard.
    expect(timesOf("fullest-shard")).toBeCloseTo(10e9 / (864_000 * 30 * 1_000 * 0.5), 10);
    expect(timesOf("sweep")).toBeCloseTo(720_000 / 432_000, 10);
    // Two packs a second at the peak of the largest: 120 a minute.
    expect(timesOf("key")).toBeCloseTo(60 / 120, 10);
    expect(limits.map(({ outputsAMonth }) => outputsAMonth)).toEqual(
      limits.map(({ outputsAMonth }) => outputsAMonth).toSorted((one, other) => one - other),
    );
  });
});

it("the search finds the largest that holds, within a hundredth part", () => {
  expect(largestThatHolds(1, 100, (factor) => factor <= 37)).toBeGreaterThan(36.6);
  expect(largestThatHolds(1, 100, (factor) => factor <= 37)).toBeLessThanOrEqual(37);
  expect(largestThatHolds(1, 100, () => true)).toBe(100);
  expect(largestThatHolds(1, 100, () => false)).toBeNull();
});
