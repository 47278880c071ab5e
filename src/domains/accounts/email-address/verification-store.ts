import { and, eq, gt, type SQLWrapper, sql } from "drizzle-orm";
import { insertMailWhere } from "#domains/mail/outbox-store.ts";
import { accountEvents, accounts, accountVerifications } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of changes of address that wait for their confirmation: one of an account at a time. */

interface StoredChange {
  readonly verificationId: string;
  /** Names the account. */
  readonly identifier: string;
  /** The change as JSON: `accountId`, `tokenHash`, `oldEmail` and `newEmail`. */
  readonly value: string;
  readonly expiresAt: number;
  readonly nowMs: number;
}

/** Ends the change that an account has waiting. */
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

/** The change that an account has waiting, with its account. */
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

/** Gives the account its new address while the change waits, the old one stands, and nobody else has the new one. */
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

/** True behind `changeAddress`, where it has changed the address, as long as the change stands. */
const isChanged = (verificationId: SQLWrapper) =>
  sql`exists (select 1 from ${accountVerifications} join ${accounts}
    on ${accounts.accountId} = ${accountVerifications.value} ->> 'accountId'
      and ${accounts.email} = ${accountVerifications.value} ->> 'newEmail'
    where ${accountVerifications.verificationId} = ${verificationId})`;

/** Tells the old address, by the id of the change. */
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

/** Ends links that the old address was sent to reset the password by. */
export const deleteResetsOfOldAddress = statement((given: Given<Change>) =>
  query
    .delete(accountVerifications)
    .where(and(eq(accountVerifications.value, given.accountId), isChanged(given.verificationId))),
);

/** Uses the change up, whether it was made or not. */
export const deleteUsedChange = statement((given: Given<Change>) =>
  query.delete(accountVerifications).where(eq(accountVerifications.verificationId, given.verificationId)),
);
