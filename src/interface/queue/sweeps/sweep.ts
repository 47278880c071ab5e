import { clock } from "#platform/clock.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { log } from "#platform/log/log.ts";

/** Sweeps by their names in the log, in their order. Each returns how many things it handled. */
export type Sweeps = Readonly<Record<string, () => Promise<number>>>;

/**
 * Most rows that one statement ends or deletes in a run; the rest waits a minute. Limits of sweeps that cost requests for each
 * thing stand beside them, all of them together small enough that an invocation stays under the thousand requests that it
 * may make (test/fault/sweep-requests.long.test.ts), and large enough for the load of docs/scaling.md: what grows faster than
 * it is swept grows for ever.
 */
export const ROWS_MAX = 2_000;

/** How many things each sweep handled, of those that handled any. */
export type SweepCounts = Readonly<Record<string, number>>;

/** Runs one sweep after the other. Each stands alone: one that fails is logged, and the others go on. */
export async function runAll(sweeps: Sweeps): Promise<SweepCounts> {
  const counts: Record<string, number> = {};
  for (const [event, run] of Object.entries(sweeps)) {
    try {
      const count = await run();
      if (count > 0) counts[event] = count;
    } catch (thrown) {
      // A workspace began to move between a sweep's reading and its writing: the next run leaves it alone.
      if (!isMovingError(thrown)) log.failure({ event }, thrown);
    }
  }
  return counts;
}

const HOUR_MS = 60 * 60_000;
const RUN_MS = 60_000;

/** Logs one line for a run over a database: where it did anything, and otherwise in the first minute of each hour. */
export function logSwept(code: string, counts: SweepCounts, startedAtMs: number): void {
  const isFirstOfHour = startedAtMs % HOUR_MS < RUN_MS;
  if (!isFirstOfHour && Object.keys(counts).length === 0) return;
  log.line({ event: "swept", code, counts, durationMs: clock.now() - startedAtMs });
}
