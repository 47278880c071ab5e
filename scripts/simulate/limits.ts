import { bytesAt, type KeptBytes } from "./growth.ts";
import { lengthOf, type PackPlans, serviceAt } from "./plans.ts";

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
  readonly plans: PackPlans;
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

/** How long a message keeps its consumer, mean, were nobody else there. */
function consumerMsOf({ messages, ending }: PackPlans): number {
  const all = messages.reduce((sum, steps) => sum + lengthOf(steps), 0) + lengthOf(ending);
  return all / messages.length;
}

/** What one pack takes of its shard's time. */
const shardMsOf = (plans: PackPlans, pollsPerPack: number): number =>
  [plans.request, plans.dispatch, ...plans.messages, plans.ending].reduce(
    (sum, steps) => sum + serviceAt("shard", steps),
    plans.readMs + pollsPerPack * plans.pollMs,
  );

/** Each limit and the load that reaches it, all else equal; the lowest first. Bursts are not in it: see the search. */
export function limitsOf(deployment: Deployment, pollsPerPack: number): readonly Limit[] {
  const { outputsAMonth, fullestShard, largestWorkspace, consumers, plans, keeping, days } = deployment;
  const packs = packsPerDay(deployment);
  const peakPerSecond = (packs * deployment.peak * 1_000) / DAY_MS;
  const bytes = bytesAt(days, packs, keeping);
  const consumerSeconds = (consumerMsOf(plans) + plans.handoverMs) / 1_000;
  const busyConsumers = peakPerSecond * plans.messages.length * consumerSeconds;
  const used: Readonly<Record<Limit["id"], number>> = {
    "fullest-shard": (bytes * fullestShard) / PLATFORM.databaseBytes,
    "largest-workspace": (bytes * largestWorkspace) / PLATFORM.databaseBytes,
    "all-databases": bytes / PLATFORM.databasesBytes,
    writer: (peakPerSecond * fullestShard * shardMsOf(plans, pollsPerPack)) / 1_000,
    consumers: busyConsumers / consumers,
    "consumers-most": busyConsumers / PLATFORM.consumersMax,
    queue: (peakPerSecond * plans.messages.length) / PLATFORM.messagesPerSecond,
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
