/** How much one sweep did, for the log. */
export interface ExpirySweep {
  readonly expired: number;
  readonly purged: number;
}

/** Longer than a download takes: what began to be sent before the artifact expired is sent to its end. */
const DOWNLOAD_GRACE_MS = 60 * 60_000;

/** R2 deletes at most this many objects a call; no pack has as many files. */
const OBJECTS_PER_DELETE_MAX = 1_000;

/**
 * Ends what has passed its time: `ready` artifacts become `expired`; an hour later their objects leave storage, then
 * `purged_at` says so. At most `limit` artifacts of each step a call. Every step may be repeated, so a sweep
 * that dies half-way loses nothing: the next one finds the same rows.
 */
export async function expireArtifacts(
  db: D1Database,
  bucket: R2Bucket,
  nowMs: number,
  limit: number,
): Promise<ExpirySweep> {
  const { meta } = await db
    .prepare(
      `UPDATE artifacts SET status = 'expired' WHERE artifact_id IN (
         SELECT artifact_id FROM artifacts
         WHERE purged_at IS NULL AND expires_at <= ?1 AND status = 'ready' ORDER BY expires_at LIMIT ?2)`,
    )
    .bind(nowMs, limit)
    .run();
  const { results } = await db
    .prepare(
      `SELECT artifact_id AS artifactId,
         (SELECT json_group_array(object_key) FROM artifact_files
          WHERE artifact_files.artifact_id = artifacts.artifact_id) AS objectKeys
       FROM artifacts
       WHERE purged_at IS NULL AND expires_at <= ?1 AND status = 'expired' ORDER BY expires_at LIMIT ?2`,
    )
    .bind(nowMs - DOWNLOAD_GRACE_MS, limit)
    .all<{ artifactId: string; objectKeys: string }>();
  for (const { artifactId, objectKeys } of results) {
    const keys: string[] = JSON.parse(objectKeys);
    for (let start = 0; start < keys.length; start += OBJECTS_PER_DELETE_MAX) {
      await bucket.delete(keys.slice(start, start + OBJECTS_PER_DELETE_MAX));
    }
    await db
      .prepare("UPDATE artifacts SET purged_at = ?2 WHERE artifact_id = ?1 AND purged_at IS NULL")
      .bind(artifactId, nowMs)
      .run();
  }
  return { expired: meta.changes, purged: results.length };
}
