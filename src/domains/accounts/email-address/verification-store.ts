import { and, eq, gt, type SQLWrapper, sql } from "drizzle-orm";
import { insertMailWhere } from "#domains/mail/outbox-store.ts";
import { accountEvents, accounts, accountVerifications } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of pending address changes, at most one per account. */

interface StoredChange {
  readonly verificationId: string;
  /** Derived from the account's id, so an account has at most one pending change. */
  readonly identifier: string;
  /** The change as JSON: `accountId`, `tokenHash`, `oldEmail` and `newEmail`. */
  readonly value: string;
  readonly expiresAt: number;
  readonly nowMs: number;
}

export const deleteChange = statement((given: Given<{ identifier: string }>) =>
  query.delete(accountVerifications).where(eq(accountVerifications.identifier, given.identifier)),
);

export const insertChange = statement((given: Given<StoredChange>) =>
  query.insert(accountVerifications).values({
    ...pick(given, "verificationId", "identifier", "value", "expiresAt"),
    createdAt: given.nowMs,
    updatedAt: given.nowMs,
  }),
);

/** An account's pending change, with the account's name, address and language. */
export const waitingChange = statement(
  (given: Given<{ identifier: string; accountId: string; nowMs: number }>) =>
    query
      .read(accountVerifications, {
        ...pick(accountVerifications, "verificationId", "value"),
        ...pick(accounts, "name", "email", "language"),
      })
      .innerJoin(accounts, eq(accounts.accountId, given.accountId))
      .where(
        and(
          eq(accountVerifications.identifier, given.identifier),
          gt(accountVerifications.expiresAt, given.nowMs),
        ),
      ),
);

interface Change {
  readonly verificationId: string;
  readonly accountId: string;
  readonly oldEmail: string;
  readonly newEmail: string;
  readonly nowMs: number;
}

/**
 * Sets the new address, if the change is pending, the old address is unchanged and no other account has the new one.
 */
export const changeAddress = statement((given: Given<Change>) =>
  query
    .update(accounts)
    .set({ email: given.newEmail, isEmailVerified: true, updatedAt: given.nowMs })
    .where(
      and(
        eq(accounts.accountId, given.accountId),
        eq(accounts.email, given.oldEmail),
        sql`exists (select 1 from ${accountVerifications}
          where ${accountVerifications.verificationId} = ${given.verificationId})`,
        sql`not exists (select 1 from ${accounts} other where other.email = ${given.newEmail})`,
      ),
    ),
);

/** True after `changeAddress` changed the address, until the change is deleted. */
const isChanged = (verificationId: SQLWrapper) =>
  sql`exists (select 1 from ${accountVerifications} join ${accounts}
    on ${accounts.accountId} = ${accountVerifications.value} ->> 'accountId'
      and ${accounts.email} = ${accountVerifications.value} ->> 'newEmail'
    where ${accountVerifications.verificationId} = ${verificationId})`;

/** Mails the notice to the old address if `changeAddress` applied the change. */
export const insertChangeNotice = insertMailWhere(isChanged);

export const insertChangeEvent = statement((given: Given<Change>) =>
  query.insert(accountEvents).selecting(
    {
      accountId: given.accountId,
      type: "address_changed",
      sessionsEnded: sql`0`,
      createdAt: given.nowMs,
    },
    sql`where ${isChanged(given.verificationId)}`,
  ),
);

/** Deletes password resets that were sent to the old address. */
export const deleteResetsOfOldAddress = statement((given: Given<Change>) =>
  query
    .delete(accountVerifications)
    .where(and(eq(accountVerifications.value, given.accountId), isChanged(given.verificationId))),
);

/** Deletes the change, whether or not it was applied. */
export const deleteUsedChange = statement((given: Given<Change>) =>
  query.delete(accountVerifications).where(eq(accountVerifications.verificationId, given.verificationId)),
);
