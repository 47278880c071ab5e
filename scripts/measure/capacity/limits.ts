import { ROUTE_FAMILIES } from "#api/limits.ts";
import { type PackFigures, sum } from "./pack.ts";
import type { Scenario } from "./scenario.ts";
import { bytesAt, YEAR_DAYS } from "./shards.ts";

/** A scenario with its packs and shards. */
export interface Load {
  readonly scenario: Scenario;
  readonly figures: PackFigures;
  readonly times: { readonly consumerMs: number; readonly databaseMs: number };
  /** Share of the load on the fullest shard, 0 to 1. `largestWorkspace` is the share of the largest workspace. */
  readonly fullestShard: number;
  readonly largestWorkspace: number;
}

/**
 * The platform's limits, read in November 2026 at developers.cloudflare.com: d1/platform/limits, queues/platform/limits
 * and workers/platform/limits.
 */
export const DATABASE_BYTES = 10e9;
const ACCOUNT_BYTES = 1e12;
const MESSAGES_A_SECOND = 5_000;
const CONSUMERS_MAX = 250;
/**
 * Packs whose files the sweep can expire per day in one database (`ARTIFACTS_MAX` a minute,
 * src/interface/queue/sweeps/file-sweeps.ts).
 */
const SWEPT_A_DAY = 500 * 60 * 24;

export const packsADay = ({ scenario, figures }: Load): number =>
  scenario.outputsAMonth / sum(figures.messages) / 30;

const peakPacksASecond = (load: Load): number => (packsADay(load) * (1 + load.scenario.wave)) / 86_400;

/** Average number of running consumers at the daily peak (Little's law: arrivals per second × seconds per message). */
export const busyConsumers = (load: Load): number =>
  (peakPacksASecond(load) * load.figures.messages.length * load.times.consumerMs) / 1_000;

/** Each limit with the outputs per month at which it is reached if nothing else changes, lowest first. */
export function limitsOf(load: Load) {
  const { scenario, figures, times, fullestShard, largestWorkspace } = load;
  const packs = packsADay(load);
  const peak = peakPacksASecond(load);
  const bytes = bytesAt(YEAR_DAYS, packs, figures);
  const used = {
    "fullest-shard": (bytes * fullestShard) / DATABASE_BYTES,
    "largest-workspace": (bytes * largestWorkspace) / DATABASE_BYTES,
    "all-databases": bytes / ACCOUNT_BYTES,
    writer: (peak * fullestShard * times.databaseMs) / 1_000,
    consumers: busyConsumers(load) / scenario.consumers,
    "consumers-most": busyConsumers(load) / CONSUMERS_MAX,
    queue: (peak * figures.messages.length) / MESSAGES_A_SECOND,
    sweep: (packs * fullestShard) / SWEPT_A_DAY,
    key: (peak * 60 * largestWorkspace) / ROUTE_FAMILIES.jobs,
  };
  return Object.entries(used)
    .map(([id, share]) => ({ id, outputsAMonth: scenario.outputsAMonth / share }))
    .sort((one, other) => one.outputsAMonth - other.outputsAMonth);
}

/** Each limit as text, with its remedy. */
export const LIMIT_WORDS: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  "fullest-shard": ["the fullest shard has 10 GB after a year", "another shard"],
  "largest-workspace": [
    "the largest workspace alone has 10 GB after a year",
    "it cannot be split: less must stay of each pack",
  ],
  "all-databases": ["all databases have 1 TB, an account's, after a year", "ask the platform for more"],
  writer: ["the busiest shard's writer has no time left at the peak", "another shard"],
  consumers: ["all consumers are busy at the peak", "a higher `max_concurrency`"],
  "consumers-most": ["… with the platform's 250", "a second queue"],
  queue: ["5,000 messages a second in the queue", "a second queue"],
  sweep: ["the sweep cannot remove a shard's files as fast as they expire", "a higher limit a run"],
  key: ["the largest workspace meets the rate window of one key", "it takes more keys"],
};
