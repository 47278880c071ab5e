import { checkLedger } from "#domains/ledger/check-ledger.ts";
import { everyDatabase } from "#platform/databases/databases.ts";
import type { OperatorDatabase } from "./operator-database.ts";

/** Checks the ledgers of every database. Exits with 1 if one is wrong, for daily scripts. */
export async function checkAllLedgers({ databases }: OperatorDatabase) {
  const all = everyDatabase(databases);
  const faults = [];
  for (const { home, db } of all) {
    for (const fault of await checkLedger(db)) faults.push({ database: home, ...fault });
  }
  if (faults.length > 0) process.exitCode = 1;
  return { databases: all.length, faults };
}

export function reportLedgers({ databases, faults }: Awaited<ReturnType<typeof checkAllLedgers>>): string {
  if (faults.length === 0) return `The books of ${databases} databases are right.`;
  return faults
    .map(
      ({ database, kind, workspaceId, jobId }) =>
        `${database}  ${kind}  workspace ${workspaceId}  ${jobId ?? ""}`,
    )
    .join("\n");
}
