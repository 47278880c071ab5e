import { artifactStatements } from "../artifacts/store.ts";
import { ENGINE_VERSION } from "../renderer/version.ts";

/**
 * Ends a running job whose outputs are all done: status, artifact and files in one batch. Any other job is left
 * as it is, so this may be asked as often as one likes. True when the job succeeded by this very call.
 */
export async function finishJob(db: D1Database, jobId: string, nowMs: number): Promise<boolean> {
  const [succeeded] = await db.batch([
    db
      .prepare(
        `UPDATE jobs SET status = 'succeeded', finished_at = ?1 WHERE job_id = ?2 AND status = 'running'
           AND NOT EXISTS (SELECT 1 FROM job_outputs WHERE job_id = ?2 AND status <> 'done')`,
      )
      .bind(nowMs, jobId),
    ...artifactStatements(db, { jobId, engineVersion: ENGINE_VERSION, nowMs }),
  ]);
  return (succeeded?.meta.changes ?? 0) > 0;
}
