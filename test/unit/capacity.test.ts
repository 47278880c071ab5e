import { describe, expect, it } from "vitest";
import { billOf, type MonthlyUse } from "../../scripts/measure/capacity/bill.ts";
import { busyConsumers, type Load, limitsOf } from "../../scripts/measure/capacity/limits.ts";
import {
  overPack,
  type PackFigures,
  type PartFigures,
  packTimes,
} from "../../scripts/measure/capacity/pack.ts";
import { balancedShards, bytesAt, dayOver, sharesOf } from "../../scripts/measure/capacity/shards.ts";

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
  it("matches Cloudflare's own example (workers/platform/pricing: example 1)", () => {
    // 15 million requests of 7 ms: $5 for the plan, $1.50 for 5 million requests, $1.50 for 75 million ms.
    const bill = billOf({ ...NOTHING, requests: 15e6, cpuMs: 105e6 });
    const dollarsOf = (what: string) => bill.find((line) => line.what === what)?.dollars;
    expect(dollarsOf("requests")).toBeCloseTo(1.5, 10);
    expect(dollarsOf("cpuMs")).toBeCloseTo(1.5, 10);
    expect(dollarsOf("together")).toBeCloseTo(8, 10);
  });

  it("subtracts the plan's included usage, line by line", () => {
    expect(billOf(NOTHING).at(-1)?.dollars).toBe(5);
    // 100 million messages: 300 million operations, one million of them included, at 40 cents a million.
    expect(billOf({ ...NOTHING, queueOperations: 300e6 }).at(-1)?.dollars).toBeCloseTo(5 + 119.6, 10);
    // 150 million rows at a dollar, 105 GB at 75 cents, 1 TB of files at 1.5 cents.
    const use = { ...NOTHING, d1RowsWritten: 200e6, d1GbMonths: 105, r2GbMonths: 1_010 };
    expect(billOf(use).at(-1)?.dollars).toBeCloseTo(5 + 150 + 75 + 15, 10);
  });
});

const part = (d1: readonly number[]): PartFigures => ({
  d1,
  r2Reads: 0,
  r2Writes: 0,
  objectCalls: 0,
  logLines: 1,
});

const FIGURES: PackFigures = {
  messages: [4, 4, 2],
  request: part([20]),
  dispatch: part([1]),
  message: { ...part([5, 0]), r2Reads: 2 },
  output: { ...part([]), r2Writes: 1 },
  ending: part([7]),
  after: part([0]),
  poll: part([0]),
  reading: part([0, 0]),
  aging: part([2]),
  d1RowsRead: 100,
  bytes: { kept: 1, afterArchive: 1, file: 1, manifest: 1 },
  days: { files: 30, rows: 60 },
};

/**
 * Figures of a pack: its rows take `kept` bytes of the database file for `rows` days, and `afterArchive` bytes from
 * then on. In the file, rows are 1.4 times as large.
 */
const keeping = (kept: number, afterArchive: number, rows = 60): PackFigures => ({
  ...FIGURES,
  bytes: { ...FIGURES.bytes, kept: kept / 1.4, afterArchive: afterArchive / 1.4 },
  days: { ...FIGURES.days, rows },
});

describe("growth", () => {
  it("counts all rows of a pack until they are archived, then only the part that remains", () => {
    const figures = keeping(1_000, 100);
    expect(bytesAt(1, 10, figures)).toBeCloseTo(10_000, 6);
    expect(bytesAt(60, 10, figures)).toBeCloseTo(600_000, 6);
    expect(bytesAt(365, 10, figures)).toBeCloseTo(600_000 + 305 * 1_000, 6);
    expect(dayOver(600_001, 10, figures)).toBe(61);
    expect(dayOver(10e9, 10, figures)).toBeNull();
  });

  it("is unbounded when no rows are deleted", () => {
    expect(bytesAt(365, 10, keeping(1_000, 100, Number.POSITIVE_INFINITY))).toBeCloseTo(3_650_000, 6);
  });
});

it("the usage of a pack is the sum of its steps, each times its frequency", () => {
  const total = (of: (part: PartFigures) => number, polls?: number) => overPack(FIGURES, of, polls);
  expect(total(({ d1 }) => d1.reduce((sum, rows) => sum + rows, 0))).toBe(20 + 1 + 3 * 5 + 7 + 2);
  expect(total(({ d1 }) => d1.length)).toBe(1 + 1 + 3 * 2 + 1 + 2 + 1 + 4);
  expect(total(({ r2Reads }) => r2Reads)).toBe(6);
  expect(total(({ r2Writes }) => r2Writes)).toBe(10);
  expect(total(({ logLines }) => logLines)).toBe(1 + 1 + 3 + 10 + 1 + 1 + 1 + 4);
  expect(total(({ logLines }) => logLines, 2)).toBe(1 + 1 + 3 + 10 + 1 + 1 + 1 + 4 + 2);
});

it("the duration of a pack is the sum of its request, the queue, its longest message and its completion", () => {
  const times = packTimes(FIGURES, {
    requestCpuMs: 5,
    readCpuMs: 1,
    outputCpuMs: 100,
    d1TripMs: 25,
    objectTripMs: 10,
    r2TripMs: 20,
    queueMs: 50,
    d1ReadMs: 1,
    d1WriteMs: 2,
  });
  const request = 5 + 25 + 2;
  const message = (outputs: number) => 25 + 2 + 25 + 1 + 20 + outputs * (100 + 20);
  const ending = 25 + 2;
  expect(times.toResponseMs).toBe(request);
  expect(times.toPackMs).toBe(request + 50 + message(4) + ending);
  expect(times.pollsPerPack).toBe(1);
  expect(times.consumerMs).toBeCloseTo(50 + (2 * message(4) + message(2) + ending + 4 * 26) / 3, 10);
  expect(times.databaseMs).toBe(2 + 2 + 3 * 3 + 2 + 3 + 1 + 2 + 1);
});

it("workspaces are placed on the emptiest shard, the largest first, and are never split", () => {
  expect(sharesOf(100, 1.16).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
  expect(balancedShards(Float64Array.of(0.5, 0.25, 0.125, 0.125), 2)).toEqual([
    { share: 0.5, workspaces: 1 },
    { share: 0.5, workspaces: 3 },
  ]);
});

it("the load at which each limit is reached matches a manual calculation", () => {
  const load: Load = {
    // 10 packs a second, 20 at the peak.
    scenario: {
      workspaces: 1,
      outputsAMonth: 10 * 10 * 86_400 * 30,
      shards: 1,
      tail: 2,
      wave: 1,
      consumers: 80,
    },
    figures: { ...keeping(1_000, 0, 30), messages: [5, 5] },
    times: { consumerMs: 1_000, databaseMs: 4 },
    fullestShard: 0.5,
    largestWorkspace: 0.1,
  };
  const limits = limitsOf(load);
  const timesOf = (id: string) =>
    (limits.find((limit) => limit.id === id)?.outputsAMonth ?? Number.NaN) / load.scenario.outputsAMonth;
  // 40 messages per second, of one second each.
  expect(busyConsumers(load)).toBeCloseTo(40, 10);
  expect(timesOf("consumers")).toBeCloseTo(80 / 40, 10);
  expect(timesOf("consumers-most")).toBeCloseTo(250 / 40, 10);
  expect(timesOf("queue")).toBeCloseTo(5_000 / 40, 10);
  // Ten packs a second on the fullest shard, each 4 ms.
  expect(timesOf("writer")).toBeCloseTo(1 / (10 * 0.004), 10);
  // 864,000 packs of one kilobyte per day for thirty days; half of them are on the shard.
  expect(timesOf("fullest-shard")).toBeCloseTo(10e9 / (864_000 * 30 * 1_000 * 0.5), 10);
  expect(timesOf("sweep")).toBeCloseTo(720_000 / 432_000, 10);
  // The largest workspace orders two packs per second at its peak: 120 per minute.
  expect(timesOf("key")).toBeCloseTo(60 / 120, 10);
  expect(limits.map(({ outputsAMonth }) => outputsAMonth)).toEqual(
    limits.map(({ outputsAMonth }) => outputsAMonth).toSorted((one, other) => one - other),
  );
});
