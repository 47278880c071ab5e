import { DAY_MS, type LoadShape } from "./arrivals.ts";
import { type BillLine, billOf, type MonthlyUse } from "./bill.ts";
import { bytesAt, dayOver, type KeptBytes } from "./growth.ts";
import { type Deployment, type Limit, limitsOf, PLATFORM, packsPerDay } from "./limits.ts";
import { type PackFigures, wholePack } from "./pack-figures.ts";
import { platformPlans } from "./platform-plans.ts";
import { randomOf } from "./random.ts";
import { loadOf, type Run, type RunFigures, runLoad } from "./run-load.ts";
import type { Scenario } from "./scenario.ts";
import { largestThatHolds } from "./search.ts";
import type { ServiceTimes } from "./service-times.ts";
import { placeAtRandom, placeBalanced, shardShares, sharesOf } from "./workspaces.ts";

/** A shard over a year. */
export interface ShardYear {
  readonly shard: number;
  readonly share: number;
  readonly workspaces: number;
  readonly rowsWritten: number;
  readonly writingCalls: number;
  /** At the end of each of `YEAR_MARKS`. */
  readonly bytes: readonly number[];
  /** The day on which it is full; null when that is beyond the year. */
  readonly fullOnDay: number | null;
}

export interface Answer {
  readonly scenario: Scenario;
  readonly outputsPerPack: number;
  readonly days: RunFigures;
  readonly shards: readonly ShardYear[];
  readonly largestWorkspace: number;
  readonly limits: readonly Limit[];
  /** The load at which the 99th pack of a hundred takes a minute, in the hour of the peak; null when it does far below the consumers' limit. */
  readonly slowAtOutputsAMonth: number | null;
  readonly use: MonthlyUse;
  readonly bill: readonly BillLine[];
  readonly dollarsPer1000Outputs: number;
}

export const YEAR_MARKS = [30, 90, 180, 365] as const;
const YEAR_DAYS = 365;
/** What a database takes of its file for a byte of rows and entries: SQLite leaves pages of random keys a third empty. */
const PAGE_SLACK = 1.4;
const MONTH_DAYS = 30;
const MONTHS_BEFORE_BILL = 11;
/** A pack that takes longer is too late for who waits for it. */
const SLOW_MS = 60_000;
const OPEN_PACKS_MAX = 1_000_000;
/** Of the search, which looks at an hour. */
const OPEN_PACKS_OF_AN_HOUR_MAX = 20_000;
const HOUR_MS = 3_600_000;
const BURST_GAP_MS = 1_000;
/** The search looks at loads around the one at which all consumers are busy: this many times less and more. */
const SEARCHED = 2;

/** Of the sweep and the windows; src/queue/sweeps/file-sweeps.ts and src/api/limits.ts. */
export interface ServiceLimits {
  readonly sweptAMinute: number;
  readonly jobsAMinute: number;
}

export const outputsOf = ({ messages }: PackFigures): number =>
  messages.reduce((sum, outputs) => sum + outputs, 0);

/** Everything that the simulator answers about one deployment under one load. Pure: equal questions, equal answers. */
export function simulateDeployment(
  scenario: Scenario,
  figures: PackFigures,
  times: ServiceTimes,
  service: ServiceLimits,
): Answer {
  const { outputsAMonth, seed, shards: count } = scenario;
  const outputsPerPack = outputsOf(figures);
  const plans = platformPlans(figures, times);
  const shares = sharesOf(scenario.workspaces, scenario.tail);
  const placement =
    scenario.placement === "balanced"
      ? placeBalanced(shares, count)
      : placeAtRandom(shares, count, randomOf(seed + 1));
  const shareOfShards = shardShares(shares, placement, count);
  const shape: LoadShape = {
    packsPerMs: outputsAMonth / outputsPerPack / MONTH_DAYS / DAY_MS,
    waveMs: DAY_MS,
    waveHeight: scenario.wave,
    burstMean: scenario.burst,
    burstGapMs: BURST_GAP_MS,
  };
  const runOf = (load: LoadShape, spanMs: number, openPacksMax: number): Run => ({
    plans,
    placement,
    shards: count,
    consumers: scenario.consumers,
    queuedMessagesMax: scenario.queuedMessagesMax,
    next: loadOf(load, shares, spanMs, seed),
    burstGapMs: load.burstGapMs,
    spanMs,
    openPacksMax,
    seed: seed + 2,
    sampleMs: 1_000,
  });
  const days = runLoad(runOf(shape, scenario.days * DAY_MS, OPEN_PACKS_MAX));
  const pollsPerPack = days.polls / Math.max(1, days.ended);
  const keeping = keepingOf(figures);
  const deployment: Deployment = {
    outputsAMonth,
    outputsPerPack,
    peak: 1 + scenario.wave,
    fullestShard: Math.max(...shareOfShards),
    largestWorkspace: shares[0] ?? 0,
    consumers: scenario.consumers,
    plans,
    keeping,
    days: YEAR_DAYS,
    sweptADay: service.sweptAMinute * 60 * 24,
    jobsAMinute: service.jobsAMinute,
  };
  const isQuick = (factor: number): boolean => {
    const peak = { ...shape, packsPerMs: shape.packsPerMs * (1 + scenario.wave) * factor, waveHeight: 0 };
    const { isOverloaded, toPackMs } = runLoad(runOf(peak, HOUR_MS, OPEN_PACKS_OF_AN_HOUR_MAX));
    return !isOverloaded && toPackMs.quantile(0.99) <= SLOW_MS;
  };
  const limits = limitsOf(deployment, pollsPerPack);
  const busyAt =
    (limits.find(({ id }) => id === "consumers")?.outputsAMonth ?? outputsAMonth) / outputsAMonth;
  const slowAt = largestThatHolds(busyAt / SEARCHED, busyAt * SEARCHED, isQuick);
  const packs = packsPerDay(deployment);
  const use = monthlyUse(figures, times, deployment, pollsPerPack, count);
  const bill = billOf(use);
  const together = bill.at(-1)?.dollars ?? 0;
  return {
    scenario,
    outputsPerPack,
    days,
    shards: [...shareOfShards].map((share, shard) => ({
      shard,
      share,
      workspaces: placement.reduce((sum, at) => (at === shard ? sum + 1 : sum), 0),
      rowsWritten: packs * share * YEAR_DAYS * wholePack(figures).d1Rows,
      writingCalls: packs * share * YEAR_DAYS * wholePack(figures).d1Writes,
      bytes: YEAR_MARKS.map((day) => bytesAt(day, packs * share, keeping)),
      fullOnDay: dayOver(PLATFORM.databaseBytes, packs * share, keeping, YEAR_DAYS),
    })),
    largestWorkspace: deployment.largestWorkspace,
    limits,
    slowAtOutputsAMonth: slowAt === null ? null : slowAt * outputsAMonth,
    use,
    bill,
    dollarsPer1000Outputs: (together / outputsAMonth) * 1_000,
  };
}

const keepingOf = ({ bytes, days }: PackFigures): KeptBytes => ({
  kept: bytes.kept * PAGE_SLACK,
  afterArchive: bytes.afterArchive * PAGE_SLACK,
  archiveAfterDays: days.rows,
});

/** Each message of the queue is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3;
/** An object counts as 128 MB while it answers, which it does in less than this. */
const OBJECT_GB_SECONDS_PER_CALL = 0.128 * 0.01;
/** At most: a window that is opened writes its count and its alarm, and the alarm is a call, too, and removes both. */
const OBJECT_ROWS_PER_CALL = 3;
const OBJECT_CALLS_PER_CALL = 2;
/** One of each minute by the clock, which sends a message for each shard's own. */
const SWEEPS_A_MONTH = 60 * 24 * MONTH_DAYS;

/** What the twelfth month of this load uses. Uploads, previews and people in the Studio are not in it. */
function monthlyUse(
  figures: PackFigures,
  times: ServiceTimes,
  deployment: Deployment,
  pollsPerPack: number,
  shards: number,
): MonthlyUse {
  const packs = deployment.outputsAMonth / deployment.outputsPerPack;
  const pack = wholePack(figures);
  const { messages, poll, reading, bytes, days } = figures;
  const objectCalls = pack.objectCalls + pollsPerPack * poll.objectCalls;
  const storedFiles = deployment.outputsPerPack * bytes.file + bytes.manifest;
  const readRequests = reading.objectCalls + pollsPerPack;
  return {
    requests: packs * (1 + messages.length + readRequests) + (1 + shards) * SWEEPS_A_MONTH,
    cpuMs:
      packs *
      (times.requestCpuMs + deployment.outputsPerPack * times.outputCpuMs + readRequests * times.readCpuMs),
    d1RowsRead: packs * figures.d1RowsRead,
    d1RowsWritten: packs * pack.d1Rows,
    d1GbMonths:
      bytesAt((MONTHS_BEFORE_BILL + 0.5) * MONTH_DAYS, packsPerDay(deployment), deployment.keeping) / 1e9,
    r2ClassA: packs * pack.r2Writes,
    r2ClassB: packs * pack.r2Reads,
    r2GbMonths: (packs * storedFiles * Math.min(days.files, MONTH_DAYS)) / MONTH_DAYS / 1e9,
    queueOperations: (packs * messages.length + shards * SWEEPS_A_MONTH) * OPERATIONS_PER_MESSAGE,
    objectRequests: packs * objectCalls * OBJECT_CALLS_PER_CALL,
    objectGbSeconds: packs * objectCalls * OBJECT_GB_SECONDS_PER_CALL,
    objectRowsWritten: packs * objectCalls * OBJECT_ROWS_PER_CALL,
    logLines: packs * (pack.logLines + pollsPerPack * poll.logLines),
  };
}
