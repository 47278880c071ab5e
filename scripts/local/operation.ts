import { z } from "zod";

/** A batch of statements for one of a local worker's databases, as `operate` (`operator-statements.ts`) takes it. */

export const OPERATED_PATH = "/api/operated";

/** The variable with the token that each such request carries. */
export const OPERATOR_TOKEN = "OPERATOR_TOKEN";

const operation = z.object({
  binding: z.string(),
  statements: z.array(
    z.object({ sql: z.string(), values: z.array(z.union([z.string(), z.number(), z.null()])) }),
  ),
});
export type Operation = z.infer<typeof operation>;

export const readOperation = (body: unknown): Operation => operation.parse(body);

/** Where a local worker takes operations. */
export interface OperatedService {
  readonly origin: string;
  readonly token: string;
}
