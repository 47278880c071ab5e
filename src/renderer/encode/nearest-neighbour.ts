/** First coordinates lie in this range: they are brightnesses. */
const STEPS = 256;

/**
 * Finds which of `points` (triples) is nearest to one; of equally near points the first. Only those are measured whose
 * first coordinate alone is not farther away than what was found.
 */
export function nearestNeighbour(points: Float64Array): (a: number, b: number, c: number) => number {
  const count = points.length / 3;
  const firstOf = (index: number): number => points[index * 3] ?? 0;
  const order = Uint16Array.from(
    Array.from({ length: count }, (_, index) => index).sort((one, other) => firstOf(one) - firstOf(other)),
  );
  const sorted = new Float64Array(points.length);
  for (const [place, index] of order.entries())
    sorted.set(points.subarray(index * 3, index * 3 + 3), place * 3);
  // Of each whole brightness: how many points lie below it.
  const below = new Uint16Array(STEPS);
  for (let step = 0, place = 0; step < STEPS; step++) {
    while (place < count && (sorted[place * 3] ?? 0) < step) place++;
    below[step] = place;
  }
  return (a, b, c) => {
    const start = (below[Math.max(0, Math.min(STEPS - 1, Math.floor(a)))] ?? 0) * 3;
    let best = 0;
    let bestDistance = Number.POSITIVE_INFINITY;
    for (let at = start; at < sorted.length; at += 3) {
      const da = (sorted[at] ?? 0) - a;
      if (da > 0 && da * da > bestDistance) break;
      const db = b - (sorted[at + 1] ?? 0);
      const dc = c - (sorted[at + 2] ?? 0);
      const distance = da * da + db * db + dc * dc;
      if (distance > bestDistance) continue;
      const index = order[at / 3] ?? 0;
      if (distance < bestDistance || index < best) best = index;
      bestDistance = distance;
    }
    for (let at = start - 3; at >= 0; at -= 3) {
      const da = a - (sorted[at] ?? 0);
      if (da > 0 && da * da > bestDistance) break;
      const db = b - (sorted[at + 1] ?? 0);
      const dc = c - (sorted[at + 2] ?? 0);
      const distance = da * da + db * db + dc * dc;
      if (distance > bestDistance) continue;
      const index = order[at / 3] ?? 0;
      if (distance < bestDistance || index < best) best = index;
      bestDistance = distance;
    }
    return best;
  };
}
