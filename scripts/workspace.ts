/** The operator's hand on workspaces, grants and keys: npm run workspace -- <command> (see USAGE) */

import { Failure } from "./local/failure.ts";
import { type Command, readInvocation, type Target, USAGE, UsageError } from "./operator/arguments.ts";
import { create, grant, revoke, show, type Workplace } from "./operator/commands.ts";
import { openDatabase } from "./operator/open-database.ts";
import { reportCreated, reportGranted, reportRevoked, reportWorkspace } from "./operator/report.ts";

const EXIT_FAILED = 1;
const EXIT_NOT_UNDERSTOOD = 2;

/** What a command found, and the same for a person. */
interface Result {
  readonly found: object;
  readonly text: string;
}

const resultOf = <T extends object>(found: T, report: (found: T) => string): Result => ({
  found,
  text: report(found),
});

async function perform(workplace: Workplace, command: Command): Promise<Result> {
  switch (command.name) {
    case "create":
      return resultOf(await create(workplace, command), reportCreated);
    case "grant":
      return resultOf(await grant(workplace, command), reportGranted);
    case "show":
      return resultOf(await show(workplace, command), reportWorkspace);
    case "revoke-key":
      return resultOf(await revoke(workplace, command), reportRevoked);
  }
}

/** A sentence for what an operator can mend; null for a defect, whose stack is of more use. */
function explain(thrown: unknown, target: Target | null): string | null {
  if (thrown instanceof Failure) return thrown.message;
  if (thrown instanceof UsageError) return `${thrown.message}\n\n${USAGE}`;
  if (!(thrown instanceof Error)) return null;
  if (thrown.message.includes("no such table") && target !== null) {
    const where = target.isRemote ? "--remote" : `--local --persist-to ${target.stateFolder}`;
    return `The database has no tables yet. Run: npx wrangler d1 migrations apply DB ${where}`;
  }
  return null;
}

async function main(parameters: readonly string[]): Promise<void> {
  if (parameters.length === 0 || parameters.includes("--help") || parameters.includes("-h")) {
    process.stdout.write(USAGE);
    process.exitCode = parameters.length === 0 ? EXIT_NOT_UNDERSTOOD : 0;
    return;
  }
  let target: Target | null = null;
  try {
    const invocation = readInvocation(parameters);
    target = invocation.target;
    const { db, close } = await openDatabase(target);
    try {
      const { found, text } = await perform({ db, target, nowMs: Date.now() }, invocation.command);
      process.stdout.write(`${invocation.isJson ? JSON.stringify(found) : text}\n`);
    } finally {
      await close();
    }
  } catch (thrown) {
    process.exitCode = thrown instanceof UsageError ? EXIT_NOT_UNDERSTOOD : EXIT_FAILED;
    const stack = thrown instanceof Error ? thrown.stack : String(thrown);
    process.stderr.write(`${explain(thrown, target) ?? stack}\n`);
  }
}

await main(process.argv.slice(2));
