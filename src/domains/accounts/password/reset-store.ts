import { and, eq, ne, sql } from "drizzle-orm";
import {
  accountCredentials,
  accountEvents,
  accountSessions,
  accounts,
  accountVerifications,
} from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { countedSessions, deleteOpenResets, hasPasswordHash } from "../store.ts";

/** SQL of the consequences of a password reset, by an operator or by a mailed link. Runs in the batch of the reset. */

/** A password that was set earlier in the batch. */
export interface ResetPassword {
  readonly accountId: string;
  readonly newHash: string;
  readonly nowMs: number;
}

/** Must run before the sessions are deleted, because the event counts them. */
const insertResetEvent = statement(
  (given: Given<ResetPassword & { type: "password_reset" | "password_reset_by_mail" }>) =>
    query.insert(accountEvents).selecting(
      {
        ...pick(given, "accountId", "type"),
        sessionsEnded: countedSessions(given.accountId),
        createdAt: given.nowMs,
      },
      sql`where ${hasPasswordHash(given)}`,
    ),
);

const deleteSessionsOnReset = statement((given: Given<ResetPassword>) =>
  query
    .delete(accountSessions)
    .where(and(eq(accountSessions.accountId, given.accountId), hasPasswordHash(given))),
);

/**
 * Deletes the provider logins of an account whose address was never confirmed. They may be a stranger's; only the user
 * of the reset link has shown that they read the address's mail.
 */
const deleteUnprovenProviders = statement((given: Given<ResetPassword>) =>
  query.delete(accountCredentials).where(
    and(
      eq(accountCredentials.accountId, given.accountId),
      ne(accountCredentials.providerId, "credential"),
      hasPasswordHash(given),
      sql`exists (select 1 from ${accounts} where ${accounts.accountId} = ${given.accountId}
          and ${accounts.isEmailVerified} = 0)`,
    ),
  ),
);

const confirmAddressOnReset = statement((given: Given<ResetPassword>) =>
  query
    .update(accounts)
    .set({ isEmailVerified: true, updatedAt: given.nowMs })
    .where(and(eq(accounts.accountId, given.accountId), hasPasswordHash(given))),
);

/** Records a reset by an operator; ends every session and every open reset link. */
export const resetByOperatorStatements = (db: D1Database, reset: ResetPassword): D1PreparedStatement[] => [
  insertResetEvent.bind(db, { ...reset, type: "password_reset" }),
  deleteSessionsOnReset.bind(db, reset),
  deleteOpenResets.bind(db, reset),
];

/** Like `resetByOperatorStatements`, for a mailed link; also confirms the address. */
export const resetByMailStatements = (db: D1Database, reset: ResetPassword): D1PreparedStatement[] => [
  insertResetEvent.bind(db, { ...reset, type: "password_reset_by_mail" }),
  deleteSessionsOnReset.bind(db, reset),
  deleteUnprovenProviders.bind(db, reset),
  confirmAddressOnReset.bind(db, reset),
  deleteOpenResets.bind(db, reset),
];

/** The account whose password a valid link resets. `identifier` is the library's identifier, hashed. */
export const accountOfReset = statement((given: Given<{ identifier: string; nowMs: number }>) =>
  query
    .read(accountVerifications, pick(accounts, "accountId", "email"))
    .innerJoin(accounts, eq(accounts.accountId, accountVerifications.value))
    .where(
      sql`${accountVerifications.identifier} = ${given.identifier} and ${accountVerifications.expiresAt} > ${given.nowMs}`,
    ),
);
