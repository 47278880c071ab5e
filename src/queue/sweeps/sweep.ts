import { errorNameOf, log } from "../../platform/log.ts";

/** One of the sweeps of a database: its name in the log, and its work, which returns how many things it handled. */
export interface Sweep {
  readonly event: string;
  readonly run: () => Promise<number>;
}

/**
 * Most rows that one statement ends or deletes in a run; the rest waits a minute. Limits of sweeps that cost requests for each
 * thing stand beside them, all of them together small enough that an invocation stays under the thousand requests that it
 * may make (test/fault/sweep-requests.long.test.ts), and large enough for the load of docs/scaling.md: what grows faster than
 * it is swept grows for ever.
 */
export const ROWS_MAX = 2_000;

/** Runs one sweep after the other. Each stands alone: one that fails is logged, and the others go on. */
export async function runAll(sweeps: readonly Sweep[]): Promise<void> {
  for (const { event, run } of sweeps) {
    try {
      log.line({ event, count: await run() });
    } catch (thrown) {
      log.failure({ event, errorName: errorNameOf(thrown) });
    }
  }
}
