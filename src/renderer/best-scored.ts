/** The item with the highest score; the first, if several share it. Null when no score is above `floor`. */
export function bestScored<T>(
  items: Iterable<T>,
  scoreOf: (item: T) => number,
  floor: number = Number.NEGATIVE_INFINITY,
): T | null {
  let best: T | null = null;
  let bestScore = floor;
  for (const item of items) {
    const score = scoreOf(item);
    if (score <= bestScore) continue;
    best = item;
    bestScore = score;
  }
  return best;
}
