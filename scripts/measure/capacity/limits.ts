import { bytesAt, type KeptBytes } from "./growth.ts";
import type { PackTimes } from "./pack-times.ts";

/**
 * The platform's published limits, read in November 2026 at developers.cloudflare.com: d1/platform/limits,
 * queues/platform/limits and workers/platform/limits.
 */
export const PLATFORM = {
  databaseBytes: 10e9,
  databasesBytes: 1e12,
  messagesPerSecond: 5_000,
  /** Of a queue, by the platform; wrangler.toml may give fewer. */
  consumersMax: 250,
} as const;

/** One deployment and its load. */
export interface Deployment {
  readonly outputsAMonth: number;
  readonly outputsPerPack: number;
  /** Peak of the day over its mean. */
  readonly peak: number;
  /** Shares of the load: of the fullest shard and of the largest workspace. */
  readonly fullestShard: number;
  readonly largestWorkspace: number;
  readonly consumers: number;
  readonly messagesPerPack: number;
  readonly times: PackTimes;
  readonly keeping: KeptBytes;
  readonly days: number;
  /** Packs that the sweep ends in a day, in one database. */
  readonly sweptADay: number;
  /** `POST /jobs` of one key in a minute. */
  readonly jobsAMinute: number;
}

export interface Limit {
  readonly id:
    | "fullest-shard"
    | "largest-workspace"
    | "all-databases"
    | "writer"
    | "consumers"
    | "consumers-most"
    | "queue"
    | "sweep"
    | "key";
  /** Outputs a month at which it is reached. */
  readonly outputsAMonth: number;
}

const MONTH_DAYS = 30;
const DAY_MS = 86_400_000;

export const packsPerDay = ({ outputsAMonth, outputsPerPack }: Deployment): number =>
  outputsAMonth / outputsPerPack / MONTH_DAYS;

const peakPacksPerSecond = (deployment: Deployment): number =>
  (packsPerDay(deployment) * deployment.peak * 1_000) / DAY_MS;

/** Consumers at work at the peak of a day, on average (Little's law: arrivals a second times seconds each). */
export const busyConsumers = (deployment: Deployment): number =>
  (peakPacksPerSecond(deployment) * deployment.messagesPerPack * deployment.times.consumerMs) / 1_000;

/** Each limit and the load that reaches it, all else equal; the lowest first. */
export function limitsOf(deployment: Deployment): readonly Limit[] {
  const { outputsAMonth, fullestShard, largestWorkspace, times } = deployment;
  const packs = packsPerDay(deployment);
  const peakPerSecond = peakPacksPerSecond(deployment);
  const bytes = bytesAt(deployment.days, packs, deployment.keeping);
  const used: Readonly<Record<Limit["id"], number>> = {
    "fullest-shard": (bytes * fullestShard) / PLATFORM.databaseBytes,
    "largest-workspace": (bytes * largestWorkspace) / PLATFORM.databaseBytes,
    "all-databases": bytes / PLATFORM.databasesBytes,
    writer: (peakPerSecond * fullestShard * times.databaseMs) / 1_000,
    consumers: busyConsumers(deployment) / deployment.consumers,
    "consumers-most": busyConsumers(deployment) / PLATFORM.consumersMax,
    queue: (peakPerSecond * deployment.messagesPerPack) / PLATFORM.messagesPerSecond,
    sweep: (packs * fullestShard) / deployment.sweptADay,
    key: (peakPerSecond * 60 * largestWorkspace) / deployment.jobsAMinute,
  };
  return IDS.map((id) => ({ id, outputsAMonth: outputsAMonth / used[id] })).sort(
    (one, other) => one.outputsAMonth - other.outputsAMonth,
  );
}

const IDS = [
  "fullest-shard",
  "largest-workspace",
  "all-databases",
  "writer",
  "consumers",
  "consumers-most",
  "queue",
  "sweep",
  "key",
] as const satisfies readonly Limit["id"][];
