import type { LedgerEvent } from "creative-packs";

/** What one UTC day took and gave back, in credits. `date`: as `2026-06-18`. */
export interface DayOfUse {
  readonly date: string;
  readonly spent: number;
  readonly refunded: number;
}

export const DAYS = 30;
const DAY_MS = 86_400_000;

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** When the first of the days before `nowMs`, today among them, begins: ms since 1970. */
export const firstDayMs = (nowMs: number): number =>
  Math.floor(nowMs / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS;

/** A row for each of the days, oldest first; what is older than they are is left out. */
export function spentByDay(
  events: readonly Pick<LedgerEvent, "createdAt" | "type" | "amount">[],
  nowMs: number,
): readonly DayOfUse[] {
  const sums = new Map<string, { spent: number; refunded: number }>();
  for (let day = 0; day < DAYS; day += 1) {
    sums.set(dateOf(firstDayMs(nowMs) + day * DAY_MS), { spent: 0, refunded: 0 });
  }
  for (const { createdAt, type, amount } of events) {
    const sum = sums.get(createdAt.slice(0, 10));
    if (sum === undefined) continue;
    if (type === "consumption") sum.spent += Math.abs(amount);
    if (type === "refund") sum.refunded += Math.abs(amount);
  }
  return [...sums].map(([date, sum]) => ({ date, ...sum }));
}
