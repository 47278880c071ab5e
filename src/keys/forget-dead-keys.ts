/** Long enough for whoever looks back at a leak; what was done with a key is known by its id in logs kept as long. */
const REMEMBERED_MS = 90 * 24 * 60 * 60_000;

/**
 * Forgets at most `limit` keys that were revoked or had expired so long ago. Returns how many. A forgotten key is as
 * unknown as one that never was: 401 either way.
 */
export async function forgetDeadKeys(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM api_keys WHERE api_key_id IN (
         SELECT api_key_id FROM api_keys WHERE (revoked_at IS NOT NULL OR expires_at IS NOT NULL)
           AND COALESCE(revoked_at, expires_at) <= ?1 ORDER BY COALESCE(revoked_at, expires_at) LIMIT ?2)`,
    )
    .bind(nowMs - REMEMBERED_MS, limit)
    .run();
  return meta.changes;
}
