/** UTC days and months, by which spending is counted. */

/** The day of a time, such as `2026-11-22`. */
export const utcDayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** The calendar month of a time, such as `2026-11`. */
export const utcMonthOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 7);

/** Start of the next day, Unix milliseconds. */
export function nextUtcDayMs(timeMs: number): number {
  const time = new Date(timeMs);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() + 1);
}

/** Start of the next calendar month, Unix milliseconds. */
export function nextUtcMonthMs(timeMs: number): number {
  const time = new Date(timeMs);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1);
}
