import { and, eq, inArray, lte, ne, sql } from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import type { MailLanguage } from "#api/mail-rules.ts";
import { latest } from "#platform/db/reader.ts";
import {
  accountCredentials,
  accountDevices,
  accountSessions,
  accounts,
  accountVerifications,
  workspaceInvitations,
} from "#platform/db/schema/index.ts";
import { type Given, matches, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of accounts and sessions, besides the sign-in library's own statements. */

/** Whether an address, in lower case, has an account. */
export const hasAccount = async (db: D1Database, email: string): Promise<boolean> =>
  (await accountByEmail.first(latest(db), { email })) !== null;

const accountByEmail = statement((given: Given<{ email: string }>) =>
  query.from(accounts, "accountId").where(eq(accounts.email, given.email)),
);

/** True for a password; other credentials are provider logins. */
const isPassword = eq(accountCredentials.providerId, "credential");

/** The hash of an account's password; no row without one. */
export const passwordHashById = statement((given: Given<{ accountId: string }>) =>
  query
    .read(accountCredentials, { hash: accountCredentials.passwordHash })
    .where(and(eq(accountCredentials.accountId, given.accountId), isPassword)),
);

/**
 * The password hash of the account with an address, in lower case; no row for an unknown address or without a password.
 */
export const passwordHashByEmail = statement((given: Given<{ email: string }>) =>
  query
    .read(accountCredentials, { hash: accountCredentials.passwordHash })
    .innerJoin(accounts, eq(accounts.accountId, accountCredentials.accountId))
    .where(and(eq(accounts.email, given.email), isPassword)),
);

export interface PasswordReplacement {
  readonly accountId: string;
  readonly oldHash: string;
  readonly newHash: string;
  readonly nowMs: number;
}

/** Replaces a password hash if it is still the given old one. */
export const replacePassword = statement((given: Given<PasswordReplacement>) =>
  query
    .update(accountCredentials)
    .set({ passwordHash: given.newHash, updatedAt: given.nowMs })
    .where(
      and(
        eq(accountCredentials.accountId, given.accountId),
        isPassword,
        eq(accountCredentials.passwordHash, given.oldHash),
      ),
    ),
);

export const countedSessions = (accountId: Given<{ accountId: string }>["accountId"]) =>
  sql`(select count(*) from ${accountSessions} where ${accountSessions.accountId} = ${accountId})`;

/** Deletes an account's password reset links after the new hash was written. */
export const deleteOpenResets = statement((given: Given<{ accountId: string; newHash: string }>) =>
  query
    .delete(accountVerifications)
    .where(and(eq(accountVerifications.value, given.accountId), hasPasswordHash(given))),
);

/** A write that changes no row, so that timing does not reveal that another write was skipped. */
export const writeNothing = statement((given: Given<{ accountId: string }>) =>
  query
    .update(accounts)
    .set({ updatedAt: accounts.updatedAt })
    .where(and(eq(accounts.accountId, given.accountId), sql`false`)),
);

export const updateLanguage = statement(
  (given: Given<{ accountId: string; language: MailLanguage; nowMs: number }>) =>
    query
      .update(accounts)
      .set({ language: given.language, updatedAt: given.nowMs })
      .where(eq(accounts.accountId, given.accountId)),
);

/** True after `replacePassword`, earlier in the batch, has written the new hash. */
export const hasPasswordHash = (given: Given<{ accountId: string; newHash: string }>) =>
  sql`exists (select 1 from ${accountCredentials}
    where ${accountCredentials.accountId} = ${given.accountId} and ${accountCredentials.passwordHash} = ${given.newHash})`;

/** Ends all sessions of an account except one, after its password was replaced. */
export const deleteOtherSessions = statement(
  (given: Given<{ accountId: string; sessionId: string; newHash: string }>) =>
    query
      .delete(accountSessions)
      .where(
        and(
          eq(accountSessions.accountId, given.accountId),
          ne(accountSessions.sessionId, given.sessionId),
          hasPasswordHash(given),
        ),
      ),
);

export const deleteSession = statement((given: Given<{ accountId: string; sessionId: string }>) =>
  query.delete(accountSessions).where(matches(accountSessions, pick(given, "sessionId", "accountId"))),
);

/** Ends all but the account's `kept` newest sessions. */
export const deleteOldestSessions = statement((given: Given<{ accountId: string; kept: number }>) =>
  query.delete(accountSessions).where(
    inArray(
      accountSessions.sessionId,
      sql`(select ${accountSessions.sessionId} from ${accountSessions}
        where ${accountSessions.accountId} = ${given.accountId}
        order by ${accountSessions.createdAt} desc, ${accountSessions.sessionId} desc limit -1 offset ${given.kept})`,
    ),
  ),
);

const deleteExpiredSessions = statement((given: Given<{ nowMs: number; limit: number }>) => {
  const { sessionId, expiresAt } = accountSessions;
  return query.deleteFirst(accountSessions, sessionId, lte(expiresAt, given.nowMs), expiresAt, given.limit);
});

const deleteExpiredInvitations = statement((given: Given<{ nowMs: number; limit: number }>) => {
  const { invitationId, expiresAt } = workspaceInvitations;
  const isExpired = lte(expiresAt, given.nowMs);
  return query.deleteFirst(workspaceInvitations, invitationId, isExpired, expiresAt, given.limit);
});

const deleteExpiredVerifications = statement((given: Given<{ nowMs: number; limit: number }>) => {
  const { verificationId, expiresAt } = accountVerifications;
  const isExpired = lte(expiresAt, given.nowMs);
  return query.deleteFirst(accountVerifications, verificationId, isExpired, expiresAt, given.limit);
});

const deleteUnseenDevices = statement((given: Given<{ seenMs: number; limit: number }>) =>
  query.delete(accountDevices).where(
    sql`rowid in (select rowid from ${accountDevices} where ${accountDevices.lastSeenAt} <= ${given.seenMs}
      order by ${accountDevices.lastSeenAt} limit ${given.limit})`,
  ),
);

/** Deletes at most `limit` each of expired sessions, invitations, mailed links and browsers. Returns how many. */
export async function deleteExpiredAccess(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const results = await db.batch([
    deleteExpiredSessions.bind(db, { nowMs, limit }),
    deleteExpiredInvitations.bind(db, { nowMs, limit }),
    deleteExpiredVerifications.bind(db, { nowMs, limit }),
    deleteUnseenDevices.bind(db, { seenMs: nowMs - LIMITS.deviceRetentionMs, limit }),
  ]);
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}
