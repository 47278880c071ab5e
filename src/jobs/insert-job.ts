import type { Job, JobInputs, JobPlan } from "./job.ts";

/** A job about to be written. */
export interface NewJob {
  readonly jobId: string;
  readonly artifactId: string;
  readonly workspaceId: string;
  readonly plan: JobPlan;
  readonly inputs: JobInputs;
  readonly costCredits: number;
  readonly renderFingerprint: string;
  readonly nowMs: number;
}

/**
 * The job and its outputs. They stand in the batch after the consumption event and hang on it: without that row
 * no job is inserted, and then the outputs fail on their foreign key and take the whole batch back.
 * The creation time moves on by a millisecond when the workspace already has a job of that time; `insertedJob` takes
 * the first result, which tells it.
 */
export function insertJobStatements(db: D1Database, job: NewJob): D1PreparedStatement[] {
  const { plan } = job;
  return [
    db
      .prepare(
        `INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids,
           asset_ids, copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at)
         SELECT ?1, ?2, 'queued', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
           MAX(?14, COALESCE((SELECT MAX(created_at) + 1 FROM jobs WHERE workspace_id = ?2), 0))
         FROM ledger_events WHERE job_id = ?1 AND workspace_id = ?2 AND type = 'consumption'
         RETURNING created_at`,
      )
      .bind(
        job.jobId,
        job.workspaceId,
        plan.contractId,
        plan.motion,
        plan.outputFormat,
        JSON.stringify(plan.selectedSizeIds),
        JSON.stringify(plan.assetIds),
        JSON.stringify(plan.copy),
        JSON.stringify(plan.brand),
        JSON.stringify(job.inputs),
        job.costCredits,
        job.renderFingerprint,
        job.artifactId,
        job.nowMs,
      ),
    db
      .prepare(
        `INSERT INTO job_outputs (job_id, position, size_id, status)
         SELECT ?1, key, value, 'queued' FROM json_each(?2)`,
      )
      .bind(job.jobId, JSON.stringify(plan.selectedSizeIds)),
  ];
}

/** The job as it was written; null when nothing was. */
export function insertedJob(
  { jobId, artifactId, workspaceId, plan, costCredits, renderFingerprint }: NewJob,
  result: D1Result | undefined,
): Job | null {
  const row = result?.results[0] as { readonly created_at: number } | undefined;
  if (row === undefined) return null;
  return {
    ...plan,
    ...{ jobId, artifactId, workspaceId, costCredits, renderFingerprint },
    ...{ status: "queued", failure: null, isRefunded: false },
    ...{ outputsTotal: plan.selectedSizeIds.length, outputsDone: 0 },
    ...{ createdAtMs: row.created_at, startedAtMs: null, finishedAtMs: null },
  };
}
