/** How much one sweep did, for the log. */
export interface ExpirySweep {
  readonly expired: number;
  readonly purged: number;
}

/** Longer than a download takes: what began to be sent before the artifact expired is sent to its end. */
const DOWNLOAD_GRACE_MS = 60 * 60_000;

/** R2 deletes at most this many objects a call; no pack has as many files. */
const OBJECTS_PER_DELETE_MAX = 1_000;

/** Deletions a call, each with a write: five hundred packs of sixty files. More wait for the next. */
const DELETIONS_MAX = 30;

interface ExpiredPack {
  readonly artifactId: string;
  readonly objectKeys: readonly string[];
}

/**
 * Ends what has passed its time: `ready` artifacts become `expired`; an hour later their objects leave storage, then
 * `purged_at` says so. At most `limit` artifacts of each step a call, as many of them at once as one deletion takes: a
 * call moves thousands in a few requests, or storage would grow faster than it is swept. Every step may be repeated, so a
 * sweep that dies half-way loses nothing: the next one finds the same rows. Throws at its end when storage or database
 * refused some; the others are done by then.
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
  const packs = results.map(({ artifactId, objectKeys }) => ({
    artifactId,
    objectKeys: JSON.parse(objectKeys) as string[],
  }));
  const failures: unknown[] = [];
  let purged = 0;
  for (const group of inGroups(packs).slice(0, DELETIONS_MAX)) {
    try {
      await purge(db, bucket, group, nowMs);
      purged += group.length;
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  if (failures.length > 0) throw failures[0];
  return { expired: meta.changes, purged };
}

/** The packs in their order, in groups whose objects one deletion takes. */
function inGroups(packs: readonly ExpiredPack[]): readonly (readonly ExpiredPack[])[] {
  const groups: ExpiredPack[][] = [];
  let count = Number.POSITIVE_INFINITY;
  for (const pack of packs) {
    count += pack.objectKeys.length;
    if (count <= OBJECTS_PER_DELETE_MAX) groups.at(-1)?.push(pack);
    else {
      groups.push([pack]);
      count = pack.objectKeys.length;
    }
  }
  return groups;
}

async function purge(
  db: D1Database,
  bucket: R2Bucket,
  packs: readonly ExpiredPack[],
  nowMs: number,
): Promise<void> {
  const objectKeys = packs.flatMap((pack) => pack.objectKeys);
  if (objectKeys.length > 0) await bucket.delete(objectKeys);
  await db
    .prepare(
      `UPDATE artifacts SET purged_at = ?2
       WHERE artifact_id IN (SELECT value FROM json_each(?1)) AND purged_at IS NULL`,
    )
    .bind(JSON.stringify(packs.map(({ artifactId }) => artifactId)), nowMs)
    .run();
}
