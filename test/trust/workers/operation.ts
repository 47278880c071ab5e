import { z } from "zod";

/** A batch for one of the worker's databases, as workers/operated.ts takes it. */

export const OPERATED_PATH = "/api/operated";

const operation = z.object({
  binding: z.string(),
  statements: z.array(
    z.object({ sql: z.string(), values: z.array(z.union([z.string(), z.number(), z.null()])) }),
  ),
});
export type Operation = z.infer<typeof operation>;

export const readOperation = (body: unknown): Operation => operation.parse(body);
