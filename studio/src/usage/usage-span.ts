/** A span of UTC days: first and last, both inclusive, such as `2026-06-18`. */
export interface UsageSpan {
  readonly from: string;
  readonly to: string;
}

export const SPANS = ["last30", "thisMonth", "lastMonth", "last90"] as const;
export type SpanName = (typeof SPANS)[number];

const DAY_MS = 86_400_000;

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The days of a named span at a time (Unix ms). */
export function spanOf(name: SpanName, nowMs: number): UsageSpan {
  const now = new Date(nowMs);
  const monthMs = (offset: number): number => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1);
  const to = dateOf(nowMs);
  if (name === "thisMonth") return { from: dateOf(monthMs(0)), to };
  if (name === "lastMonth") return { from: dateOf(monthMs(-1)), to: dateOf(monthMs(0) - DAY_MS) };
  return { from: dateOf(nowMs - (name === "last30" ? 29 : 89) * DAY_MS), to };
}

/** Months with a statement, newest first: this one and the eleven before it, such as `2026-11`. */
export function recentMonths(nowMs: number): readonly string[] {
  const now = new Date(nowMs);
  return Array.from({ length: 12 }, (_, back) =>
    dateOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).slice(0, 7),
  );
}

/** Credits spent and refunded on one UTC day. `date`: such as `2026-06-18`. */
export interface DayOfUse {
  readonly date: string;
  readonly spent: number;
  readonly refunded: number;
}

/** A day of the service's sums; days without orders are absent. */
interface SummedDay {
  readonly day: string;
  readonly consumed: number;
  readonly refunded: number;
}

/** A row for each day of the span, oldest first; days without orders have zeros. */
export function spentByDay({ from, to }: UsageSpan, summed: readonly SummedDay[]): readonly DayOfUse[] {
  const sums = new Map(summed.map(({ day, consumed, refunded }) => [day, { spent: consumed, refunded }]));
  const days: DayOfUse[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAY_MS) {
    const date = new Date(ms).toISOString().slice(0, 10);
    days.push({ date, ...(sums.get(date) ?? { spent: 0, refunded: 0 }) });
  }
  return days;
}
