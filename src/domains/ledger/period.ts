/** Subscription periods: whole days or calendar months from the subscription's own start, in UTC. */

export type Period = "day" | "month";

export interface PeriodSpan {
  readonly startMs: number;
  readonly endMs: number;
}

const DAY_MS = 86_400_000;

/** Adds calendar months in UTC; the 31st becomes the last day of a shorter month. */
export function addMonths(timeMs: number, months: number): number {
  const from = new Date(timeMs);
  const year = from.getUTCFullYear();
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay));
  return midnight + (timeMs % DAY_MS);
}

/**
 * The period that contains `nowMs`, of a subscription anchored at `anchorMs`. Months count from the anchor, not from
 * each other, so that the 31st does not drift to the 28th.
 */
export function periodAt(period: Period, anchorMs: number, nowMs: number): PeriodSpan {
  if (period === "day") {
    const days = Math.max(0, Math.floor((nowMs - anchorMs) / DAY_MS));
    return { startMs: anchorMs + days * DAY_MS, endMs: anchorMs + (days + 1) * DAY_MS };
  }
  const anchor = new Date(anchorMs);
  const now = new Date(nowMs);
  const guess =
    (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  const months = Math.max(0, addMonths(anchorMs, guess) <= nowMs ? guess : guess - 1);
  return { startMs: addMonths(anchorMs, months), endMs: addMonths(anchorMs, months + 1) };
}
