/** Forgets at most `limit` keys whose retention has passed; a job's key has no end. Returns how many. */
export async function forgetExpired(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM idempotency_keys WHERE (workspace_id, idempotency_key) IN (
         SELECT workspace_id, idempotency_key FROM idempotency_keys
         WHERE expires_at IS NOT NULL AND expires_at <= ?1 ORDER BY expires_at LIMIT ?2)`,
    )
    .bind(nowMs, limit)
    .run();
  return meta.changes;
}
