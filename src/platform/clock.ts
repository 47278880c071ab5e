/** The only access to time, in Unix milliseconds; tests replace both functions. */
export const clock = {
  now: (): number => Date.now(),
  wait: (timeMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, timeMs)),
};

/** RFC 3339 in UTC, the format of all times in the API. */
export const toTimestamp = (timeMs: number): string => new Date(timeMs).toISOString();

/** Like `toTimestamp`, but keeps null. */
export const toTimestampOrNull = (timeMs: number | null): string | null =>
  timeMs === null ? null : toTimestamp(timeMs);
