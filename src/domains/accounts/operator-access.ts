import type { Databases } from "#platform/databases/databases.ts";
import { latest } from "#platform/db/reader.ts";
import { endMirroredSessions } from "./members/end-sessions-on-shards.ts";
import {
  accountForOperator,
  confirmAddressStatements,
  endAllSessionsStatements,
  type OperatedAccount,
  resetPasswordStatements,
} from "./operator-store.ts";
import { hashPassword } from "./password/password-hash.ts";

export { readOverview } from "./operator-store.ts";

/**
 * Operator actions for a user who lost the password and cannot read mail, or whose sessions may be stolen. Each adds an
 * account event in the same batch.
 */

/** 32 letters and digits that cannot be mistaken for each other. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 5;
const GROUP_CHARACTERS = 5;

/** A readable password of 125 random bits, such as `k3f9w-…`. */
function newPassword(): string {
  const random = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_CHARACTERS));
  const text = Array.from(random, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
  return (text.match(/.{5}/g) ?? []).join("-");
}

/** The account with this address, ignoring case, or null. */
export const findAccount = (db: D1Database, email: string): Promise<OperatedAccount | null> =>
  accountForOperator.first(latest(db), { email: email.trim().toLowerCase() });

export interface PasswordReset {
  /** Shown once and never stored. */
  readonly password: string;
  readonly sessionsEnded: number;
}

/**
 * Sets a new random password and ends all sessions. Null, without changes, when the account has no password (a provider
 * signs it in) or the password changed meanwhile. A concurrent sign-in with the old password ends its own session
 * (`signIn`).
 */
export async function resetPassword(
  databases: Databases,
  { accountId, passwordHash }: OperatedAccount,
  nowMs: number,
): Promise<PasswordReset | null> {
  if (passwordHash === null) return null;
  const password = newPassword();
  const newHash = await hashPassword(password);
  const change = { accountId, oldHash: passwordHash, newHash, nowMs };
  const { directory } = databases;
  const [changed, , ended] = await directory.batch(resetPasswordStatements(directory, change));
  if (changed?.meta.changes !== 1) return null;
  await endMirroredSessions(databases, accountId);
  return { password, sessionsEnded: ended?.meta.changes ?? 0 };
}

/** Confirms an address that the operator has verified elsewhere. False when it was confirmed already. */
export async function confirmAddressOf(db: D1Database, accountId: string, nowMs: number): Promise<boolean> {
  const [, confirmed] = await db.batch(confirmAddressStatements(db, accountId, nowMs));
  return (confirmed?.meta.changes ?? 0) > 0;
}

/** Ends all sessions of the account and returns their number. API keys of its workspaces stay valid. */
export async function endAllSessions(
  databases: Databases,
  accountId: string,
  nowMs: number,
): Promise<number> {
  const { directory } = databases;
  const [, ended] = await directory.batch(endAllSessionsStatements(directory, accountId, nowMs));
  await endMirroredSessions(databases, accountId);
  return ended?.meta.changes ?? 0;
}
