/** Variables of workers/operated.ts. */

/** By how many milliseconds the worker's clock is ahead of the machine's. */
export const CLOCK_AHEAD_MS = "CLOCK_AHEAD_MS";

/** Set where the clock's work is done far from all storage, as it is on the platform. */
export const SWEEPS_FROM_AFAR = "SWEEPS_FROM_AFAR";
