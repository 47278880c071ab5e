import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { mailSuppressions } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";

/** SQL of the addresses that are sent nothing. They are in lower case. */

/** True of an address that is sent nothing. It stands outside the subquery, whose table has a column of its name. */
export const isSuppressed = (address: SQLWrapper): SQL<unknown> =>
  sql`${address} in (select ${mailSuppressions.address} from ${mailSuppressions})`;

/** A row for an address that is sent nothing. */
export const suppression = statement((given: Given<{ address: string }>) =>
  query.from(mailSuppressions, "reason").where(eq(mailSuppressions.address, given.address)),
);

/** Sends an address nothing from now on; the first reason stays. */
export const suppressAddress = statement(
  (given: Given<{ address: string; reason: "bounced" | "complained"; nowMs: number }>) =>
    query
      .insert(mailSuppressions)
      .values({ address: given.address, reason: given.reason, createdAt: given.nowMs })
      .onConflictDoNothing(),
);

/** Lets an address be sent mail again; gives why and since when it was sent none. */
export const allowAddress = statement((given: Given<{ address: string }>) =>
  query
    .delete(mailSuppressions)
    .where(eq(mailSuppressions.address, given.address))
    .returning({ reason: mailSuppressions.reason, createdAtMs: mailSuppressions.createdAt }),
);
