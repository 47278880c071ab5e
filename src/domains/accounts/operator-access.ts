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
 * What an operator does for a person who lost a password and reads no mail of the service, or whose sessions may be in other
 * hands. Each leaves an event with the account, in the batch that does it.
 */

/** Letters and digits that are not taken for one another, 32 of them. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 5;
const GROUP_CHARACTERS = 5;

/** A password of 125 random bits that can be read out, as `k3f9w-…`. */
function newPassword(): string {
  const random = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_CHARACTERS));
  const text = Array.from(random, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
  return (text.match(/.{5}/g) ?? []).join("-");
}

/** The account of an address in any case, or null. */
export const findAccount = (db: D1Database, email: string): Promise<OperatedAccount | null> =>
  accountForOperator.first(latest(db), { email: email.trim().toLowerCase() });

export interface PasswordReset {
  /** Shown this once, stored nowhere. */
  readonly password: string;
  readonly sessionsEnded: number;
}

/**
 * Gives the account a new random password and ends all its sessions. Null when it has none to replace (a provider vouches
 * for it) or when somebody changed it in between: nothing is changed then. A sign-in that is under way with the old
 * password ends its own session (see `signIn`).
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

/** Confirms the account's address, of which the operator has made sure otherwise. False where it was confirmed. */
export async function confirmAddressOf(db: D1Database, accountId: string, nowMs: number): Promise<boolean> {
  const [, confirmed] = await db.batch(confirmAddressStatements(db, accountId, nowMs));
  return (confirmed?.meta.changes ?? 0) > 0;
}

/** Ends all sessions of the account, and gives their number. API keys of its workspaces live on. */
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
