import { type BillLine, billOf, type MonthlyUse } from "./bill.ts";
import { bytesAt, dayOver, type KeptBytes } from "./growth.ts";
import { busyConsumers, type Deployment, type Limit, limitsOf, PLATFORM, packsPerDay } from "./limits.ts";
import { type PackFigures, wholePack } from "./pack-figures.ts";
import { type PackTimes, packTimes } from "./pack-times.ts";
import type { Scenario } from "./scenario.ts";
import type { ServiceTimes } from "./service-times.ts";
import { balancedShards, type ShardLoad, sharesOf } from "./workspaces.ts";

/** A shard over a year. */
export interface ShardYear extends ShardLoad {
  readonly rowsWritten: number;
  readonly writingCalls: number;
  /** At the end of each of `YEAR_MARKS`. */
  readonly bytes: readonly number[];
  /** The day on which it is full; null when that is beyond the year. */
  readonly fullOnDay: number | null;
}

export interface Estimate {
  readonly scenario: Scenario;
  readonly outputsPerPack: number;
  readonly times: PackTimes;
  /** At the peak of a day. */
  readonly busyConsumers: number;
  /** The fullest first. */
  readonly shards: readonly ShardYear[];
  readonly limits: readonly Limit[];
  readonly use: MonthlyUse;
  readonly bill: readonly BillLine[];
  readonly dollarsPer1000Outputs: number;
}

export const YEAR_MARKS = [30, 90, 180, 365] as const;
const YEAR_DAYS = 365;
/** Bytes of a database's file for a byte of rows and entries: SQLite leaves pages of random keys a third empty. */
const PAGE_SLACK = 1.4;
const MONTH_DAYS = 30;
const MONTHS_BEFORE_BILL = 11;

/** Of the sweep and the windows; src/interface/queue/sweeps/file-sweeps.ts and src/api/limits.ts. */
export interface ServiceLimits {
  readonly sweptAMinute: number;
  readonly jobsAMinute: number;
}

export const outputsOf = ({ messages }: PackFigures): number =>
  messages.reduce((sum, outputs) => sum + outputs, 0);

/** What one deployment holds, reaches and costs under one load. */
export function estimateCapacity(
  scenario: Scenario,
  figures: PackFigures,
  serviceTimes: ServiceTimes,
  service: ServiceLimits,
): Estimate {
  const { outputsAMonth } = scenario;
  const outputsPerPack = outputsOf(figures);
  const times = packTimes(figures, serviceTimes);
  const shares = sharesOf(scenario.workspaces, scenario.tail);
  const shards = balancedShards(shares, scenario.shards);
  const keeping = keepingOf(figures);
  const deployment: Deployment = {
    outputsAMonth,
    outputsPerPack,
    peak: 1 + scenario.wave,
    fullestShard: shards[0]?.share ?? 1,
    largestWorkspace: shares[0] ?? 1,
    consumers: scenario.consumers,
    messagesPerPack: figures.messages.length,
    times,
    keeping,
    days: YEAR_DAYS,
    sweptADay: service.sweptAMinute * 60 * 24,
    jobsAMinute: service.jobsAMinute,
  };
  const packs = packsPerDay(deployment);
  const { d1Rows, d1Writes } = wholePack(figures);
  const use = monthlyUse(figures, serviceTimes, deployment, scenario.shards);
  const bill = billOf(use);
  return {
    scenario,
    outputsPerPack,
    times,
    busyConsumers: busyConsumers(deployment),
    shards: shards.map((shard) => ({
      ...shard,
      rowsWritten: packs * shard.share * YEAR_DAYS * d1Rows,
      writingCalls: packs * shard.share * YEAR_DAYS * d1Writes,
      bytes: YEAR_MARKS.map((day) => bytesAt(day, packs * shard.share, keeping)),
      fullOnDay: dayOver(PLATFORM.databaseBytes, packs * shard.share, keeping, YEAR_DAYS),
    })),
    limits: limitsOf(deployment),
    use,
    bill,
    dollarsPer1000Outputs: ((bill.at(-1)?.dollars ?? 0) / outputsAMonth) * 1_000,
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

/** What the twelfth month of this load uses. Uploads, previews and the Studio's visitors are not in it. */
function monthlyUse(
  figures: PackFigures,
  times: ServiceTimes,
  deployment: Deployment,
  shards: number,
): MonthlyUse {
  const packs = deployment.outputsAMonth / deployment.outputsPerPack;
  const { pollsPerPack } = deployment.times;
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
