import { objectPrefixOf } from "../artifacts/artifact.ts";

/** R2 lists and deletes at most this many objects at once; a pack has fewer. */
const OBJECTS_PER_PASS_MAX = 1_000;

interface FailedJob {
  readonly jobId: string;
  readonly workspaceId: string;
  readonly artifactId: string;
}

/**
 * Removes what failed jobs have left in storage; gives the number of jobs cleaned. A job stays marked until its
 * files are gone, so a crash in between only means that it is cleaned again.
 */
export async function purgeFailedJobs(
  db: D1Database,
  bucket: R2Bucket,
  nowMs: number,
  limit: number,
): Promise<number> {
  const { results } = await db
    .prepare(
      `SELECT job_id AS jobId, workspace_id AS workspaceId, artifact_id AS artifactId
       FROM jobs WHERE purge_after <= ?1 ORDER BY purge_after LIMIT ?2`,
    )
    .bind(nowMs, limit)
    .all<FailedJob>();
  for (const job of results) await purge(db, bucket, job);
  return results.length;
}

async function purge(db: D1Database, bucket: R2Bucket, job: FailedJob): Promise<void> {
  const prefix = objectPrefixOf(job.workspaceId, job.artifactId);
  const { objects, truncated } = await bucket.list({ prefix, limit: OBJECTS_PER_PASS_MAX });
  if (objects.length > 0) await bucket.delete(objects.map((object) => object.key));
  if (truncated) return;
  await db.batch([
    db.prepare("UPDATE job_outputs SET files = NULL WHERE job_id = ?1").bind(job.jobId),
    db.prepare("UPDATE jobs SET purge_after = NULL WHERE job_id = ?1").bind(job.jobId),
  ]);
}
