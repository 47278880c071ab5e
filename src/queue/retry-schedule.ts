const SECONDS_FIRST = 5;
const SECONDS_MAX = 300;

/** Seconds until the next delivery of a message: 5, 15, 45, 135, then 300. `attempts` counts deliveries from 1. */
export const retrySeconds = (attempts: number): number =>
  Math.min(SECONDS_MAX, SECONDS_FIRST * 3 ** Math.max(0, attempts - 1));
