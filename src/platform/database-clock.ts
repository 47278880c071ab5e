/**
 * The time by the database's clock, Unix milliseconds: for whoever writes times from a machine whose own clock nobody
 * looks after. A job that begins in the future is not sent again by the sweep until then.
 */
export async function databaseNow(db: D1Database): Promise<number> {
  const nowMs = await db
    .prepare("SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS nowMs")
    .first<number>("nowMs");
  if (nowMs === null) throw new Error("the database tells no time");
  return nowMs;
}
