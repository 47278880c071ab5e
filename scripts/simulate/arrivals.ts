import type { Random } from "./random.ts";

export const DAY_MS = 86_400_000;

/** When packs are asked for. */
export interface LoadShape {
  /** Packs a ms, mean over a day. */
  readonly packsPerMs: number;
  /** Length of the wave; a day, or less when a day is told in less. */
  readonly waveMs: number;
  /** How far the wave rises above the mean and falls below it, as a share of the mean; 0 for none, at most 1. */
  readonly waveHeight: number;
  /** Mean packs of one request for work: somebody draws a campaign at once. 1 for none. */
  readonly burstMean: number;
  /** Time between the packs of a burst. */
  readonly burstGapMs: number;
}

/** The next burst: when it begins and how many packs it has. */
export interface Burst {
  readonly atMs: number;
  readonly packs: number;
}

/** Packs a ms at a moment: least at the beginning of the wave, most in its middle. */
export const rateAt = ({ packsPerMs, waveMs, waveHeight }: LoadShape, atMs: number): number =>
  packsPerMs * (1 - waveHeight * Math.cos((2 * Math.PI * atMs) / waveMs));

/** The highest rate of the wave, bursts aside. */
const peakRate = ({ packsPerMs, waveHeight }: LoadShape): number => packsPerMs * (1 + waveHeight);

/**
 * Bursts one after another: a Poisson process whose rate follows the wave, by thinning (Lewis and Shedler 1979), and a
 * geometric number of packs in each.
 */
export function burstsOf(shape: LoadShape, random: Random): () => Burst {
  const bursts = { ...shape, packsPerMs: shape.packsPerMs / shape.burstMean };
  const gapMs = 1 / peakRate(bursts);
  let atMs = 0;
  return () => {
    for (;;) {
      atMs += random.exponential(gapMs);
      if (random.uniform() * peakRate(bursts) > rateAt(bursts, atMs)) continue;
      return { atMs, packs: geometric(shape.burstMean, random) };
    }
  };
}

/** A whole number of at least 1 with this mean. */
const geometric = (mean: number, random: Random): number =>
  mean <= 1 ? 1 : 1 + Math.floor(Math.log(random.uniform()) / Math.log(1 - 1 / mean));
