import {
  confirmAddressOf,
  endAllSessions,
  findAccount,
  readOverview,
  resetPassword,
} from "#domains/accounts/operator-access.ts";
import { toTimestamp } from "#platform/clock.ts";
import { Failure } from "../../local/failure.ts";
import { ofPerson } from "./define-command.ts";
import type { OperatorDatabase } from "./operator-database.ts";
import { plain } from "./plain-text.ts";
import { type Done, lines } from "./report.ts";

/** Operator's commands on accounts. */

interface Person {
  readonly email: string;
}

async function findOrFail(db: D1Database, { email }: Person) {
  const account = await findAccount(db, email);
  if (account === null) throw new Failure(`No account has the address ${email}.`);
  return account;
}

/** The account without its password hash, and operators' actions on it, newest first. */
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

/** Sets a random password, which is shown only here. */
export async function resetPasswordOf({ databases, nowMs }: OperatorDatabase, person: Person) {
  const account = await findOrFail(databases.directory, person);
  if (account.passwordHash === null) {
    throw new Failure("This account signs in with a provider and has no password.");
  }
  const reset = await resetPassword(databases, account, nowMs);
  if (reset === null) {
    throw new Failure("The password changed in the meantime; nothing was done.");
  }
  return { accountId: account.accountId, email: account.email, ...reset };
}

/** Marks the address as confirmed, as a link in an email does, so that the account's workspaces may pay and buy. */
export async function confirmAddress({ db, nowMs }: OperatorDatabase, person: Person) {
  const { accountId, email } = await findOrFail(db, person);
  return { accountId, email, isNew: await confirmAddressOf(db, accountId, nowMs) };
}

/** Ends all sessions of the account; returns their number. */
export async function endSessions({ databases, nowMs }: OperatorDatabase, person: Person) {
  const { accountId, email } = await findOrFail(databases.directory, person);
  return { accountId, email, sessionsEnded: await endAllSessions(databases, accountId, nowMs) };
}

export function reportAccount(found: Done<typeof showAccount>): string {
  const about = lines(
    ["Account", found.accountId],
    ["Name", found.name],
    ["Address", `${found.email}${found.isEmailConfirmed ? "" : ", not confirmed"}`],
    ["Created", found.createdAt],
    [
      "Signs in by",
      found.signsInWith.map((way) => (way === "credential" ? "password" : way)).join(", ") || "nothing",
    ],
    ["Sessions", String(found.sessions)],
  );
  const workspaces = found.workspaces.map(
    ({ workspaceId, role, name }) => `  ${workspaceId}  ${role}  ${plain(name)}`,
  );
  const events = found.events.map(
    ({ createdAt, type, sessionsEnded }) => `  ${createdAt}  ${type}  ${sessionsEnded} sessions ended`,
  );
  const listOf = (rows: readonly string[]) => (rows.length > 0 ? rows : ["  none"]);
  return [about, "", "Workspaces", ...listOf(workspaces), "", "Events", ...listOf(events)].join("\n");
}

export const reportPasswordReset = (reset: Done<typeof resetPasswordOf>): string =>
  `${lines(
    ["Account", reset.accountId],
    ["Address", reset.email],
    ["Password", reset.password],
    ["Sessions", `${reset.sessionsEnded} ended`],
  )}\n\nThe password is shown this once and stored nowhere. Its owner should change it after signing in.`;

export const reportConfirmed = ({ accountId, email, isNew }: Done<typeof confirmAddress>): string =>
  lines(["Account", accountId], ["Address", `${email}, ${isNew ? "confirmed" : "confirmed before"}`]);

export const reportSessionsEnded = ({ accountId, sessionsEnded }: Done<typeof endSessions>): string =>
  lines(["Account", accountId], ["Sessions", `${sessionsEnded} ended`]);

/** Commands on the account of a person. */
export const ACCOUNT_COMMANDS = [
  ofPerson(
    "show-account",
    "Shows how a person signs in, their sessions and workspaces, and operators' actions on the account.",
    showAccount,
    reportAccount,
  ),
  ofPerson(
    "reset-password",
    "Sets a new password, shown only once, and ends all sessions of the person. Verify who asks: the password gives " +
      "access to the account. Keys of their workspaces keep working.",
    resetPasswordOf,
    reportPasswordReset,
  ),
  ofPerson(
    "confirm-address",
    "Marks a person's address as confirmed, after you have verified it. Their workspaces may then pay and buy.",
    confirmAddress,
    reportConfirmed,
  ),
  ofPerson(
    "end-sessions",
    "Ends all sessions of a person, who can sign in again.",
    endSessions,
    reportSessionsEnded,
  ),
];
