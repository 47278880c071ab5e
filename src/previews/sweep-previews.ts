/**
 * Removes at most `limit` kept previews whose time has passed; gives how many. Objects go first: stopped in between,
 * the rows are found again. A preview drawn anew in that moment is at worst drawn once more.
 */
export async function sweepPreviews(
  db: D1Database,
  bucket: R2Bucket,
  nowMs: number,
  limit: number,
): Promise<number> {
  const { results } = await db
    .prepare(
      "SELECT object_key AS objectKey FROM previews WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2",
    )
    .bind(nowMs, limit)
    .all<{ objectKey: string }>();
  if (results.length === 0) return 0;
  const objectKeys = results.map(({ objectKey }) => objectKey);
  await bucket.delete(objectKeys);
  await db
    .prepare(
      "DELETE FROM previews WHERE expires_at <= ?1 AND object_key IN (SELECT value FROM json_each(?2))",
    )
    .bind(nowMs, JSON.stringify(objectKeys))
    .run();
  return results.length;
}
