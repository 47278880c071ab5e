import { type PackFigures, sum } from "./pack.ts";

/**
 * Each workspace's share of the load, largest first: quantiles of a Pareto tail rather than random samples, so that the
 * largest does not depend on a seed. With an exponent of 1.16, a fifth of the workspaces makes three quarters of the
 * load.
 */
export function sharesOf(count: number, exponent: number): Float64Array {
  const weights = new Float64Array(count).map((_, rank) => ((rank + 0.5) / count) ** (-1 / exponent));
  const total = sum(weights);
  return weights.map((weight) => weight / total);
}

/**
 * Shards after a rebalancing, fullest first: workspaces from the largest to the smallest go to the shard with the least
 * load. A workspace is never split, so the largest one determines the fullest shard.
 */
export function balancedShards(shares: Float64Array, shards: number) {
  const loads = Array.from({ length: shards }, () => ({ share: 0, workspaces: 0 }));
  for (const share of shares) {
    const emptiest = loads.reduce((least, load) => (load.share < least.share ? load : least));
    emptiest.share += share;
    emptiest.workspaces += 1;
  }
  return loads.sort((one, other) => other.share - one.share);
}

export const YEAR_DAYS = 365;
export const YEAR_MARKS = [30, 90, 180, YEAR_DAYS];
/** File bytes per byte of rows and index entries: with random keys, SQLite leaves a third of each page empty. */
const PAGE_SLACK = 1.4;

/** Bytes of a database at the end of a day, counted from 1, at this number of packs per day. */
export function bytesAt(day: number, packsADay: number, { bytes, days }: PackFigures): number {
  const fresh = Math.min(day, days.rows);
  return packsADay * (fresh * (bytes.kept * PAGE_SLACK) + (day - fresh) * (bytes.afterArchive * PAGE_SLACK));
}

const DAYS = Array.from({ length: YEAR_DAYS }, (_, before) => before + 1);

/** The first day of the year at whose end the database exceeds the limit; null if it never does. */
export const dayOver = (limitBytes: number, packsADay: number, figures: PackFigures): number | null =>
  DAYS.find((day) => bytesAt(day, packsADay, figures) > limitBytes) ?? null;
