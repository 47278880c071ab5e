/** The operator's hand on workspaces, grants and keys: npm run workspace -- <command> (--help names them) */

import { setTimeout as delay } from "node:timers/promises";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { databaseNow } from "#platform/db/database-clock.ts";
import { confirmAddress, endSessions, resetPasswordOf, showAccount } from "./workspace/account-commands.ts";
import {
  reportAccount,
  reportConfirmed,
  reportPasswordReset,
  reportSessionsEnded,
} from "./workspace/account-report.ts";
import { type Command, readInvocation } from "./workspace/command-line.ts";
import {
  addKey,
  cancel,
  create,
  failedJobs,
  grant,
  type OperatorDatabase,
  rerun,
  resume,
  revoke,
  setAccess,
  show,
  suspend,
} from "./workspace/commands.ts";
import { checkAllLedgers, reportLedgers } from "./workspace/ledger-command.ts";
import { allowMail, reportMailAllowed } from "./workspace/mail-commands.ts";
import { openDatabase } from "./workspace/open-database.ts";
import { operatorDatabaseOf } from "./workspace/operator-database.ts";
import type { Invocation } from "./workspace/read-command.ts";
import { reconcileNow, reportReconciliation } from "./workspace/reconcile-command.ts";
import {
  reportAccess,
  reportCanceled,
  reportCreated,
  reportFailedJobs,
  reportGranted,
  reportKey,
  reportRerun,
  reportRevoked,
  reportSuspension,
  reportWorkspace,
} from "./workspace/report.ts";
import { type Result, resultOf, runCommand } from "./workspace/run-command.ts";
import { statement } from "./workspace/statement-command.ts";
import { reportStatement } from "./workspace/statement-report.ts";

const BUSY_ATTEMPTS_MAX = 10;
const BUSY_PAUSE_MS = 50;

async function execute(operator: OperatorDatabase, command: Command): Promise<Result> {
  switch (command.name) {
    case "create":
      return resultOf(await create(operator, command), reportCreated);
    case "grant":
      return resultOf(await grant(operator, command), reportGranted);
    case "set-access":
      return resultOf(await setAccess(operator, command), reportAccess);
    case "add-key":
      return resultOf(await addKey(operator, command), reportKey);
    case "failed-jobs":
      return resultOf(await failedJobs(operator, command), reportFailedJobs);
    case "rerun-job":
      return resultOf(await rerun(operator, command), reportRerun);
    case "cancel-job":
      return resultOf(await cancel(operator, command), reportCanceled);
    case "show":
      return resultOf(await show(operator, command), reportWorkspace);
    case "reconcile":
      return resultOf(await reconcileNow(operator, command), reportReconciliation);
    case "check-ledger":
      return resultOf(await checkAllLedgers(operator), reportLedgers);
    case "statement":
      return resultOf(await statement(operator, command), reportStatement);
    case "suspend":
      return resultOf(await suspend(operator, command), reportSuspension);
    case "resume":
      return resultOf(await resume(operator, command), reportSuspension);
    case "revoke-key":
      return resultOf(await revoke(operator, command), reportRevoked);
    case "show-account":
      return resultOf(await showAccount(operator, command), reportAccount);
    case "reset-password":
      return resultOf(await resetPasswordOf(operator, command), reportPasswordReset);
    case "allow-mail":
      return resultOf(await allowMail(operator, command), reportMailAllowed);
    case "confirm-address":
      return resultOf(await confirmAddress(operator, command), reportConfirmed);
    case "end-sessions":
      return resultOf(await endSessions(operator, command), reportSessionsEnded);
  }
}

/** Errors of a local database that `npx wrangler dev` writes to meanwhile: of SQLite, or of the emulator in a transaction. */
const BUSY = /SQLITE_BUSY|Failed to get session commit token/;

const isBusy = (thrown: unknown): boolean => thrown instanceof Error && BUSY.test(thrown.message);

/**
 * Executes again what found the local database busy: all of it was rolled back then. A deployed database queues
 * its writers; what fails there is told, because it may have happened.
 */
async function executeWhenFree(operator: OperatorDatabase, command: Command): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await execute(operator, command);
    } catch (thrown) {
      const isPassing = isBusy(thrown) && !operator.target.isRemote && attempt < BUSY_ATTEMPTS_MAX;
      if (!isPassing) throw thrown;
      await delay(BUSY_PAUSE_MS * attempt);
    }
  }
}

/** A sentence for what an operator can mend; null for a defect. */
function explain(thrown: unknown, { target }: Invocation<Command>): string | null {
  if (!(thrown instanceof Error)) return null;
  if (isBusy(thrown) && !target.isRemote) {
    return "The local database stayed busy and nothing was changed; run this again.";
  }
  if (isMovingError(thrown)) {
    return "The workspace is being moved to another database. Nothing was changed; run this again in a minute.";
  }
  if (thrown.message.includes("no such table")) {
    const command = target.isRemote
      ? "npm run deploy -- --migrate"
      : `npx wrangler d1 migrations apply DB --local --persist-to ${target.stateFolder}`;
    return `The database has no tables yet. Run: ${command}`;
  }
  return null;
}

async function resultFor({ command, target }: Invocation<Command>): Promise<Result> {
  const { db, databases, close } = await openDatabase(target);
  try {
    const operator = await operatorDatabaseOf(databases, command, { target, nowMs: await databaseNow(db) });
    return await executeWhenFree(operator, command);
  } finally {
    await close();
  }
}

await runCommand(readInvocation, resultFor, explain);
