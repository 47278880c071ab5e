import { and, eq, sql } from "drizzle-orm";
import { accountDevices, accounts } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of the browsers that an account has signed in with. */

interface SeenDevice {
  readonly accountId: string;
  readonly deviceHash: string;
  readonly nowMs: number;
}

/** Inserts a browser, or updates its `lastSeenAt`. */
export const upsertDevice = statement((given: Given<SeenDevice>) =>
  query
    .insert(accountDevices)
    .values({ ...pick(given, "accountId", "deviceHash"), lastSeenAt: given.nowMs })
    .onConflictDoUpdate({
      target: [accountDevices.accountId, accountDevices.deviceHash],
      set: { lastSeenAt: sql`${given.nowMs}` },
    }),
);

/** Deletes all but the account's `kept` most recently seen browsers. */
export const deleteOldestDevices = statement((given: Given<{ accountId: string; kept: number }>) =>
  query.delete(accountDevices).where(
    and(
      eq(accountDevices.accountId, given.accountId),
      sql`${accountDevices.deviceHash} in (select ${accountDevices.deviceHash} from ${accountDevices}
        where ${accountDevices.accountId} = ${given.accountId}
        order by ${accountDevices.lastSeenAt} desc, ${accountDevices.deviceHash} limit -1 offset ${given.kept})`,
    ),
  ),
);

/** A row if the account of an address has signed in with the browser. */
export const deviceOfAddress = statement((given: Given<{ email: string; deviceHash: string }>) =>
  query
    .from(accounts, "accountId")
    .innerJoin(accountDevices, eq(accountDevices.accountId, accounts.accountId))
    .where(and(eq(accounts.email, given.email), eq(accountDevices.deviceHash, given.deviceHash))),
);

/** The account, and whether it has signed in with the browser before. */
export const accountAtDevice = statement((given: Given<{ accountId: string; deviceHash: string }>) =>
  query
    .read(accounts, {
      ...pick(accounts, "name", "email", "language", "isEmailVerified", "createdAt"),
      isKnown: sql<number>`exists (select 1 from ${accountDevices}
        where ${accountDevices.accountId} = ${given.accountId} and ${accountDevices.deviceHash} = ${given.deviceHash})`,
    })
    .where(eq(accounts.accountId, given.accountId)),
);
