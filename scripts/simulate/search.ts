/**
 * The largest factor at which something still holds, within a hundredth part of it, by halving; null when it does not
 * hold at `low`, and `high` when it holds there. What holds at a factor must hold at every smaller one.
 */
export function largestThatHolds(
  low: number,
  high: number,
  holds: (factor: number) => boolean,
): number | null {
  if (!holds(low)) return null;
  if (holds(high)) return high;
  let [good, bad] = [low, high];
  while (bad / good > 1.01) {
    const middle = Math.sqrt(good * bad);
    if (holds(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
