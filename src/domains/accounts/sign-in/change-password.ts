import { accept, type Outcome, refuse } from "#api/errors.ts";
import { latest } from "#platform/db/reader.ts";
import { hashPassword, verifyPassword } from "../password/password-hash.ts";
import { deleteOpenResets, deleteOtherSessions, passwordHashById, replacePassword } from "../store.ts";
import type { AccountSession } from "./session.ts";

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/**
 * Changes the account's password and ends its other sessions and reset links, in one batch. CREDENTIALS_INVALID for a
 * wrong current password, and for an account without a password.
 */
export async function changePassword(
  db: D1Database,
  { accountId, sessionId }: AccountSession,
  { currentPassword, newPassword }: PasswordChange,
  nowMs: number,
): Promise<Outcome<void>> {
  const hash = (await passwordHashById.first(latest(db), { accountId }))?.hash ?? null;
  if (hash === null || !(await verifyPassword({ hash, password: currentPassword }))) {
    return refuse("CREDENTIALS_INVALID", "The current password is wrong.");
  }
  const change = { accountId, sessionId, oldHash: hash, newHash: await hashPassword(newPassword), nowMs };
  const [changed] = await db.batch([
    replacePassword.bind(db, change),
    deleteOtherSessions.bind(db, change),
    deleteOpenResets.bind(db, change),
  ]);
  // A concurrent change won, so the password given is no longer the current one.
  if (changed?.meta.changes !== 1) return refuse("CREDENTIALS_INVALID", "The current password is wrong.");
  return accept(undefined);
}
