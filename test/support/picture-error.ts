/** Mean absolute difference of two images' samples, 0–255; 255 if their lengths differ. */
export function meanError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) return 255;
  let sum = 0;
  for (let at = 0; at < expected.length; at++) sum += Math.abs((actual[at] ?? 0) - (expected[at] ?? 0));
  return sum / expected.length;
}

/** Largest absolute difference of two images' samples, 0–255; 255 if their lengths differ. */
export function largestError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) return 255;
  let largest = 0;
  for (let at = 0; at < expected.length; at++) {
    largest = Math.max(largest, Math.abs((actual[at] ?? 0) - (expected[at] ?? 0)));
  }
  return largest;
}
