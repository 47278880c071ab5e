import type { Motion, OutputFormat } from "../contract/catalogue/types.ts";
import type { SlotId } from "../contract/slots.ts";
import type { Reader } from "../db/reader.ts";
import type { Job, JobFailureCode, JobInputs, JobStatus, PackBrand, PackCopy } from "./job.ts";

/** Reads of jobs. What changes them is in the files named for the change. */

/** A row as `JOB_COLUMNS` selects it. */
interface JobRow {
  readonly job_id: string;
  readonly workspace_id: string;
  readonly status: JobStatus;
  readonly contract_id: string;
  readonly motion: Motion;
  readonly output_format: OutputFormat;
  readonly selected_size_ids: string;
  readonly asset_ids: string;
  readonly copy: string;
  readonly brand: string;
  readonly render_inputs: string;
  readonly cost_credits: number;
  readonly render_fingerprint: string;
  readonly artifact_id: string;
  readonly failure_code: JobFailureCode | null;
  readonly failure_message: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly outputs_total: number;
  readonly outputs_done: number;
  readonly is_refunded: number;
}

const JOB_COLUMNS = `jobs.job_id, jobs.workspace_id, jobs.status, jobs.contract_id, jobs.motion, jobs.output_format,
  jobs.selected_size_ids, jobs.asset_ids, jobs.copy, jobs.brand, jobs.render_inputs, jobs.cost_credits,
  jobs.render_fingerprint, jobs.artifact_id, jobs.failure_code, jobs.failure_message,
  jobs.created_at, jobs.started_at, jobs.finished_at,
  (SELECT COUNT(*) FROM job_outputs WHERE job_outputs.job_id = jobs.job_id) AS outputs_total,
  (SELECT COUNT(*) FROM job_outputs WHERE job_outputs.job_id = jobs.job_id AND status = 'done') AS outputs_done,
  EXISTS (SELECT 1 FROM ledger_events WHERE ledger_events.job_id = jobs.job_id AND type = 'refund') AS is_refunded`;

/** Our own JSON columns, written only by `insertJobStatements`. */
function toJob(row: JobRow): Job {
  return {
    jobId: row.job_id,
    workspaceId: row.workspace_id,
    status: row.status,
    contractId: row.contract_id,
    motion: row.motion,
    outputFormat: row.output_format,
    selectedSizeIds: JSON.parse(row.selected_size_ids) as string[],
    assetIds: JSON.parse(row.asset_ids) as Partial<Record<SlotId, string>>,
    copy: JSON.parse(row.copy) as PackCopy,
    brand: JSON.parse(row.brand) as PackBrand,
    costCredits: row.cost_credits,
    renderFingerprint: row.render_fingerprint,
    artifactId: row.artifact_id,
    failure:
      row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? "" },
    isRefunded: row.is_refunded === 1,
    outputsTotal: row.outputs_total,
    outputsDone: row.outputs_done,
    createdAtMs: row.created_at,
    startedAtMs: row.started_at,
    finishedAtMs: row.finished_at,
  };
}

/** Reads the workspace's job of that id; `jobOf` takes its result. */
export const jobStatement = (db: Reader, workspaceId: string, jobId: string): D1PreparedStatement =>
  db
    .prepare(`SELECT ${JOB_COLUMNS} FROM jobs WHERE job_id = ?1 AND workspace_id = ?2`)
    .bind(jobId, workspaceId);

/** The job that `jobStatement` found, or null. */
export function jobOf(result: D1Result | undefined): Job | null {
  const row = result?.results[0] as JobRow | undefined;
  return row === undefined ? null : toJob(row);
}

/** The workspace's job of that id, or null; another workspace's job reads as none. */
export async function findJob(db: Reader, workspaceId: string, jobId: string): Promise<Job | null> {
  const row = await jobStatement(db, workspaceId, jobId).first<JobRow>();
  return row === null ? null : toJob(row);
}

/** A job and where its inputs lie, for whoever draws it; null when there is none. */
export async function findJobToDraw(
  db: D1Database,
  jobId: string,
): Promise<{ readonly job: Job; readonly inputs: JobInputs } | null> {
  const row = await db
    .prepare(`SELECT ${JOB_COLUMNS} FROM jobs WHERE job_id = ?1`)
    .bind(jobId)
    .first<JobRow>();
  return row === null ? null : { job: toJob(row), inputs: JSON.parse(row.render_inputs) as JobInputs };
}

export interface JobFilter {
  readonly status: JobStatus | null;
  /** Only jobs created before this time. */
  readonly beforeMs: number | null;
  /** Only jobs of this fingerprint that can be used again. */
  readonly renderFingerprint: string | null;
}

/** At most `limit` of the workspace's jobs, newest first. `nowMs` decides which artifacts are still kept. */
export async function findJobs(
  db: Reader,
  workspaceId: string,
  filter: JobFilter,
  limit: number,
  nowMs: number,
): Promise<readonly Job[]> {
  const conditions = ["jobs.workspace_id = ?1"];
  const values: (string | number)[] = [workspaceId];
  const add = (condition: (parameter: string) => string, value: string | number): void => {
    values.push(value);
    conditions.push(condition(`?${values.length}`));
  };
  if (filter.status !== null) add((status) => `jobs.status = ${status}`, filter.status);
  if (filter.beforeMs !== null) add((before) => `jobs.created_at < ${before}`, filter.beforeMs);
  if (filter.renderFingerprint !== null) {
    add((fingerprint) => `jobs.render_fingerprint = ${fingerprint}`, filter.renderFingerprint);
    add(
      (now) => `(jobs.status IN ('queued', 'running') OR jobs.status = 'succeeded' AND EXISTS (
        SELECT 1 FROM artifacts WHERE artifacts.artifact_id = jobs.artifact_id
          AND artifacts.status = 'ready' AND artifacts.expires_at > ${now}))`,
      nowMs,
    );
  }
  values.push(limit);
  const { results } = await db
    .prepare(
      `SELECT ${JOB_COLUMNS} FROM jobs WHERE ${conditions.join(" AND ")}
       ORDER BY jobs.created_at DESC LIMIT ?${values.length}`,
    )
    .bind(...values)
    .all<JobRow>();
  return results.map(toJob);
}
