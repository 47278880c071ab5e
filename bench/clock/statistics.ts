const sorted = (values: readonly number[]): number[] => [...values].sort((left, right) => left - right);

/** The median. NaN for no values. */
export function median(values: readonly number[]): number {
  const ordered = sorted(values);
  const middle = Math.floor(ordered.length / 2);
  const upper = ordered[middle] ?? Number.NaN;
  return ordered.length % 2 === 1 ? upper : ((ordered[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The smallest value that at least `share` of the values do not exceed (nearest rank). NaN for no values. */
export function percentile(values: readonly number[], share: number): number {
  return sorted(values)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
}
