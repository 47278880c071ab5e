import type { UsageSpan } from "./usage-span.ts";

/** What one UTC day took and gave back, in credits. `date`: as `2026-06-18`. */
export interface DayOfUse {
  readonly date: string;
  readonly spent: number;
  readonly refunded: number;
}

/** A day of the service's sums; days without orders are not among them. */
interface SummedDay {
  readonly day: string;
  readonly consumed: number;
  readonly refunded: number;
}

const DAY_MS = 86_400_000;

/** A row for each day of the span, oldest first; days that nothing was ordered on have zeros. */
export function spentByDay({ from, to }: UsageSpan, summed: readonly SummedDay[]): readonly DayOfUse[] {
  const sums = new Map(summed.map(({ day, consumed, refunded }) => [day, { spent: consumed, refunded }]));
  const days: DayOfUse[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAY_MS) {
    const date = new Date(ms).toISOString().slice(0, 10);
    days.push({ date, ...(sums.get(date) ?? { spent: 0, refunded: 0 }) });
  }
  return days;
}
