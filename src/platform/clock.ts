/** The one place that reads the time, so that a test can move it. Unix milliseconds. */
export const clock = { now: (): number => Date.now() };

/** RFC 3339 in UTC, as every time in the interface is written. */
export const toTimestamp = (timeMs: number): string => new Date(timeMs).toISOString();

/** As `toTimestamp`, keeping null. */
export const toTimestampOrNull = (timeMs: number | null): string | null =>
  timeMs === null ? null : toTimestamp(timeMs);
