import { sql } from "drizzle-orm";
import { query, statement } from "./statement.ts";

const now = statement(() =>
  query.select({ nowMs: sql<number>`cast(unixepoch('subsec') * 1000 as integer)` }).from(sql`(select 1)`),
);

/**
 * The database's clock, Unix milliseconds. Scripts use it, because a machine's own clock may be wrong: if it is ahead,
 * a job's start time is in the future, and the sweep does not resend the job until then.
 */
export async function databaseNow(db: D1Database): Promise<number> {
  const row = await now.first(db, {});
  if (row === null) throw new Error("the database tells no time");
  return row.nowMs;
}
