/**
 * How long the rows of a workspace stay where it has moved away from, in ms: requests that were led there before its new
 * database was opened have long been answered by then.
 */
export const LEFT_MS_MIN = 60_000;
