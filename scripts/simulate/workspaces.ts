import type { Random } from "./random.ts";

/**
 * Each workspace's share of the load, the largest first: a Pareto tail, taken at its quantiles rather than drawn, so that
 * the largest does not hang on the seed. With an exponent of 1.16 a fifth of the workspaces makes four fifths of the load.
 */
export function sharesOf(workspaces: number, exponent: number): Float64Array {
  const shares = new Float64Array(workspaces);
  let sum = 0;
  for (let rank = 0; rank < workspaces; rank += 1) {
    const share = ((rank + 0.5) / workspaces) ** (-1 / exponent);
    shares[rank] = share;
    sum += share;
  }
  return shares.map((share) => share / sum);
}

/** Which shard each workspace lives on. */
export type Placement = Int32Array;

/**
 * Placement as it is after a rebalancing: one workspace after another, the largest first, on the shard with the least
 * load. No workspace is ever split, so the largest sets what the fullest shard holds.
 */
export function placeBalanced(shares: Float64Array, shards: number): Placement {
  const loads = new Float64Array(shards);
  return Int32Array.from(shares, (share) => {
    const shard = loads.indexOf(Math.min(...loads));
    loads[shard] = (loads[shard] ?? 0) + share;
    return shard;
  });
}

/** Placement before anything is known of what a workspace will draw: by chance. */
export const placeAtRandom = (shares: Float64Array, shards: number, random: Random): Placement =>
  Int32Array.from(shares, () => Math.floor(random.uniform() * shards));

/** The share of the load that falls on each shard. */
export function shardShares(shares: Float64Array, placement: Placement, shards: number): Float64Array {
  const loads = new Float64Array(shards);
  shares.forEach((share, workspace) => {
    const shard = placement[workspace] ?? 0;
    loads[shard] = (loads[shard] ?? 0) + share;
  });
  return loads;
}

/** Draws workspaces by their shares, each in constant time: the alias method of A. J. Walker, tables after M. D. Vose. */
export function samplerOf(shares: Float64Array, random: Random): () => number {
  const count = shares.length;
  const kept = new Float64Array(count);
  const other = new Int32Array(count);
  const scaled = shares.map((share) => share * count);
  const small: number[] = [];
  const large: number[] = [];
  scaled.forEach((share, place) => {
    (share < 1 ? small : large).push(place);
  });
  for (;;) {
    const less = small.pop();
    const more = less === undefined ? undefined : large.pop();
    if (less === undefined) break;
    if (more === undefined) {
      kept[less] = 1;
      continue;
    }
    kept[less] = scaled[less] ?? 0;
    other[less] = more;
    const rest = (scaled[more] ?? 0) - (1 - (scaled[less] ?? 0));
    scaled[more] = rest;
    (rest < 1 ? small : large).push(more);
  }
  for (const place of large) kept[place] = 1;
  return () => {
    const place = Math.floor(random.uniform() * count);
    return random.uniform() < (kept[place] ?? 0) ? place : (other[place] ?? 0);
  };
}
