/** Counts of durations in steps of one percent: quantiles of any number of them in a fixed amount of memory. */
export interface Histogram {
  readonly add: (value: number) => void;
  readonly count: () => number;
  readonly mean: () => number;
  readonly max: () => number;
  /** The value that this share of them does not exceed, within half a percent; 0 for none. */
  readonly quantile: (share: number) => number;
}

const STEP = Math.log(1.01);
/** Values below this count as 0. */
const SMALLEST = 0.01;
const LARGEST = 1e12;
const STEPS = Math.ceil(Math.log(LARGEST / SMALLEST) / STEP) + 1;

export function histogram(): Histogram {
  const counts = new Float64Array(STEPS + 1);
  let count = 0;
  let sum = 0;
  let max = 0;
  return {
    add: (value) => {
      const step =
        value < SMALLEST ? 0 : 1 + Math.min(STEPS - 1, Math.floor(Math.log(value / SMALLEST) / STEP));
      counts[step] = (counts[step] ?? 0) + 1;
      count += 1;
      sum += value;
      max = Math.max(max, value);
    },
    count: () => count,
    mean: () => (count === 0 ? 0 : sum / count),
    max: () => max,
    quantile: (share) => {
      let left = Math.max(1, Math.ceil(share * count));
      for (let step = 0; step <= STEPS; step += 1) {
        left -= counts[step] ?? 0;
        if (left <= 0) return step === 0 ? 0 : Math.min(max, SMALLEST * Math.exp((step - 0.5) * STEP));
      }
      return max;
    },
  };
}
