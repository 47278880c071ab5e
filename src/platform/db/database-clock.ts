import { sql } from "drizzle-orm";
import { query, statement } from "./statement.ts";

const now = statement(() =>
  query.select({ nowMs: sql<number>`cast(unixepoch('subsec') * 1000 as integer)` }).from(sql`(select 1)`),
);

/**
 * The time by the database's clock, Unix milliseconds: for whoever writes times from a machine whose own clock nobody
 * looks after. A job that begins in the future is not sent again by the sweep until then.
 */
export async function databaseNow(db: D1Database): Promise<number> {
  const row = await now.first(db, {});
  if (row === null) throw new Error("the database tells no time");
  return row.nowMs;
}
