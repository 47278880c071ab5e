import { clock } from "#platform/clock.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { log } from "#platform/log/log.ts";

/** Sweeps by name of their log event, in order. Each returns how many items it handled. */
export type Sweeps = Readonly<Record<string, () => Promise<number>>>;

/**
 * Maximum number of rows that one statement ends or deletes per run. Sweeps that cost requests per item have their own
 * limits. Together the limits keep an invocation under 700 requests and 600 statements
 * (test/fault/sweep-requests.long.test.ts), and keep up with the load of docs/scaling.md.
 */
export const ROWS_MAX = 2_000;

/** Number of handled items by sweep, without zeros. */
export type SweepCounts = Readonly<Record<string, number>>;

/** Runs one sweep after another. Logs a failure and continues. */
export async function runAll(sweeps: Sweeps): Promise<SweepCounts> {
  const counts: Record<string, number> = {};
  for (const [event, run] of Object.entries(sweeps)) {
    try {
      const count = await run();
      if (count > 0) counts[event] = count;
    } catch (thrown) {
      // A workspace began to move between a sweep's read and its write; the next run skips it.
      if (!isMovingError(thrown)) log.failure({ event }, thrown);
    }
  }
  return counts;
}

const HOUR_MS = 60 * 60_000;
const RUN_MS = 60_000;

/** Logs one line for a run over a database, if it did anything or in the first minute of an hour. */
export function logSwept(code: string, counts: SweepCounts, startedAtMs: number): void {
  const isFirstOfHour = startedAtMs % HOUR_MS < RUN_MS;
  if (!isFirstOfHour && Object.keys(counts).length === 0) return;
  log.line({ event: "swept", code, counts, durationMs: clock.now() - startedAtMs });
}
