import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { mailSuppressions } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";

/** SQL of suppressed addresses, in lower case. */

/** True for a suppressed address. `address` is outside the subquery, whose table has a column of the same name. */
export const isSuppressed = (address: SQLWrapper): SQL<unknown> =>
  sql`${address} in (select ${mailSuppressions.address} from ${mailSuppressions})`;

export const suppression = statement((given: Given<{ address: string }>) =>
  query.from(mailSuppressions, "reason").where(eq(mailSuppressions.address, given.address)),
);

/** Suppresses an address; the first reason stays. */
export const suppressAddress = statement(
  (given: Given<{ address: string; reason: "bounced" | "complained"; nowMs: number }>) =>
    query
      .insert(mailSuppressions)
      .values({ address: given.address, reason: given.reason, createdAt: given.nowMs })
      .onConflictDoNothing(),
);

/** Ends an address's suppression; returns its reason and start. */
export const allowAddress = statement((given: Given<{ address: string }>) =>
  query
    .delete(mailSuppressions)
    .where(eq(mailSuppressions.address, given.address))
    .returning({ reason: mailSuppressions.reason, createdAtMs: mailSuppressions.createdAt }),
);
