import { z } from "zod";

/** A batch for one of the worker's databases, as workers/operated.ts takes it. */

export const OPERATED_PATH = "/api/operated";

/** The variable that says by how many milliseconds the worker's clock is ahead of the machine's. */
export const CLOCK_AHEAD_MS = "CLOCK_AHEAD_MS";

/** The variable that is set where the clock's work is done far from all storage, as it is on the platform. */
export const SWEEPS_FROM_AFAR = "SWEEPS_FROM_AFAR";

const operation = z.object({
  binding: z.string(),
  statements: z.array(
    z.object({ sql: z.string(), values: z.array(z.union([z.string(), z.number(), z.null()])) }),
  ),
});
export type Operation = z.infer<typeof operation>;

export const readOperation = (body: unknown): Operation => operation.parse(body);
