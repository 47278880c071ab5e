import {
  confirmAddressOf,
  endAllSessions,
  findAccount,
  readOverview,
  resetPassword,
} from "#domains/accounts/operator-access.ts";
import { toTimestamp } from "#platform/clock.ts";
import { Failure } from "../../local/failure.ts";
import type { OperatorDatabase } from "./commands.ts";

/** What an operator does with the accounts of people. */

interface Person {
  readonly email: string;
}

async function findOrFail(db: D1Database, { email }: Person) {
  const account = await findAccount(db, email);
  if (account === null) throw new Failure(`No account has the address ${email}.`);
  return account;
}

/** The account without its password's hash, and what operators did to it, newest first. */
export async function showAccount({ db }: OperatorDatabase, person: Person) {
  const { accountId, name, email, isEmailVerified, createdAtMs } = await findOrFail(db, person);
  const { events, ...overview } = await readOverview(db, accountId);
  return {
    accountId,
    name,
    email,
    isEmailConfirmed: isEmailVerified,
    createdAt: toTimestamp(createdAtMs),
    ...overview,
    events: events.map(({ createdAtMs: at, ...event }) => ({ ...event, createdAt: toTimestamp(at) })),
  };
}

/** The new password, which is shown nowhere else. */
export async function resetPasswordOf({ databases, nowMs }: OperatorDatabase, person: Person) {
  const account = await findOrFail(databases.directory, person);
  if (account.passwordHash === null) {
    throw new Failure("This account signs in with a provider and has no password.");
  }
  const reset = await resetPassword(databases, account, nowMs);
  if (reset === null) {
    throw new Failure("The password was changed by somebody else in between; nothing was done.");
  }
  return { accountId: account.accountId, email: account.email, ...reset };
}

/** Lets the workspaces of the account pay and buy where mail is sent, as a link of a mail does. */
export async function confirmAddress({ db, nowMs }: OperatorDatabase, person: Person) {
  const { accountId, email } = await findOrFail(db, person);
  return { accountId, email, isNew: await confirmAddressOf(db, accountId, nowMs) };
}

/** How many sessions ended. */
export async function endSessions({ databases, nowMs }: OperatorDatabase, person: Person) {
  const { accountId, email } = await findOrFail(databases.directory, person);
  return { accountId, email, sessionsEnded: await endAllSessions(databases, accountId, nowMs) };
}
