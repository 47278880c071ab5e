import { z } from "zod";

/** A batch of statements for a database of a local worker, sent to `operate` (`operator-statements.ts`). */

export const OPERATED_PATH = "/api/operated";

/** Variable with the token of these requests. */
export const OPERATOR_TOKEN = "OPERATOR_TOKEN";

const operation = z.object({
  binding: z.string(),
  statements: z.array(
    z.object({ sql: z.string(), values: z.array(z.union([z.string(), z.number(), z.null()])) }),
  ),
});
export type Operation = z.infer<typeof operation>;

export const readOperation = (body: unknown): Operation => operation.parse(body);

/** Path at which a local worker accepts operations. */
export interface OperatedService {
  readonly origin: string;
  readonly token: string;
}
