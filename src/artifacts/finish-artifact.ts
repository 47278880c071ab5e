import { LIMITS } from "../contract/limits.ts";

/** What the finishing batch of a job needs to know; all else stands in the job's own rows. */
export interface FinishedArtifact {
  readonly jobId: string;
  readonly engineVersion: string;
  readonly nowMs: number;
}

/** Every output done, and the job not ended otherwise; `jobs` must be in the query under its own name. */
const IS_COMPLETE = `jobs.job_id = ?1 AND jobs.status IN ('running', 'succeeded')
  AND NOT EXISTS (SELECT 1 FROM job_outputs WHERE job_id = ?1 AND status <> 'done')`;

/**
 * Inserts the artifact and its files from `job_outputs.files`, for the batch that moves the job to `succeeded`
 * (before or after that update, alike). Inserts nothing while an output is open, when the job failed or was
 * cancelled, or when the artifact stands already: safe to repeat. Two files of one name fail the batch.
 */
export const artifactStatements = (
  db: D1Database,
  { jobId, engineVersion, nowMs }: FinishedArtifact,
): D1PreparedStatement[] => [
  db
    .prepare(
      `INSERT INTO artifacts
         (artifact_id, job_id, workspace_id, status, engine_version, total_bytes, created_at, expires_at)
       SELECT jobs.artifact_id, jobs.job_id, jobs.workspace_id, 'ready', ?2,
         SUM(json_extract(file.value, '$.byteLength')), ?3, ?4
       FROM jobs
       JOIN job_outputs ON job_outputs.job_id = jobs.job_id
       JOIN json_each(job_outputs.files) AS file
       WHERE ${IS_COMPLETE}
       GROUP BY jobs.job_id
       ON CONFLICT (artifact_id) DO NOTHING`,
    )
    .bind(jobId, engineVersion, nowMs, nowMs + LIMITS.artifactRetentionMs),
  db
    .prepare(
      `INSERT INTO artifact_files
         (file_id, artifact_id, position, size_id, role, file_name, width, height, content_type,
          byte_length, sha256, object_key, compliance, layout, animation)
       SELECT json_extract(file.value, '$.fileId'), jobs.artifact_id,
         ROW_NUMBER() OVER (ORDER BY job_outputs.position, file.key) - 1,
         json_extract(file.value, '$.sizeId'), json_extract(file.value, '$.role'),
         json_extract(file.value, '$.fileName'), json_extract(file.value, '$.width'),
         json_extract(file.value, '$.height'), json_extract(file.value, '$.contentType'),
         json_extract(file.value, '$.byteLength'), json_extract(file.value, '$.sha256'),
         json_extract(file.value, '$.objectKey'), json_extract(file.value, '$.compliance'),
         json_extract(file.value, '$.layout'), json_extract(file.value, '$.animation')
       FROM jobs
       JOIN job_outputs ON job_outputs.job_id = jobs.job_id
       JOIN json_each(job_outputs.files) AS file
       WHERE ${IS_COMPLETE}
         AND NOT EXISTS (SELECT 1 FROM artifact_files WHERE artifact_id = jobs.artifact_id)`,
    )
    .bind(jobId),
  // What the artifact's files now say is not kept twice: it is most of what a job takes in the database.
  db
    .prepare(
      `UPDATE job_outputs SET files = '[]' WHERE job_id = ?1
         AND EXISTS (SELECT 1 FROM artifact_files JOIN artifacts USING (artifact_id) WHERE job_id = ?1)`,
    )
    .bind(jobId),
];
