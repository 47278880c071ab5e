/** The one place that reads the time, in Unix milliseconds, and that waits, so that a test can replace both. */
export const clock = {
  now: (): number => Date.now(),
  wait: (timeMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, timeMs)),
};

/** RFC 3339 in UTC, as every time in the interface is written. */
export const toTimestamp = (timeMs: number): string => new Date(timeMs).toISOString();

/** As `toTimestamp`, keeping null. */
export const toTimestampOrNull = (timeMs: number | null): string | null =>
  timeMs === null ? null : toTimestamp(timeMs);
