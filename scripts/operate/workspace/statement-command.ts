import { readStatement } from "#domains/usage/month-statement.ts";
import { Failure } from "../../local/failure.ts";
import type { OperatorDatabase } from "./commands.ts";

/** What a customer is told of a month, for an operator who is asked about it. */

interface StatementChoice {
  readonly workspaceId: string;
  /** As `2026-11`; null for the present one. */
  readonly month: string | null;
}

/** The statement as the API gives it. It reads the database alone. */
export async function statement({ db, nowMs }: OperatorDatabase, { workspaceId, month }: StatementChoice) {
  const read = await readStatement(db, workspaceId, month ?? undefined, nowMs);
  if (read === null) throw new Failure(`There is no workspace ${workspaceId}.`);
  if (!read.ok) throw new Failure(read.message);
  return read.value;
}
