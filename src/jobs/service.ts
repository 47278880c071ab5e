import { accept, type Outcome, refuse } from "../contract/errors.ts";
import type { Reader } from "../db/reader.ts";
import type { Job } from "./job.ts";
import { findJob, findJobs, type JobFilter } from "./store.ts";

const missing = () => refuse("JOB_NOT_FOUND", "The workspace has no job of this id.");

/** One job of the workspace. 404 JOB_NOT_FOUND, for a foreign one too. */
export async function getJob(db: Reader, workspaceId: string, jobId: string): Promise<Outcome<Job>> {
  const job = await findJob(db, workspaceId, jobId);
  return job === null ? missing() : accept(job);
}

/** Jobs, newest first, and the time before which the next page begins; null at the end. */
export interface JobPage {
  readonly jobs: readonly Job[];
  readonly nextBeforeMs: number | null;
}

/** A page of the workspace's jobs. */
export async function listJobs(
  db: Reader,
  workspaceId: string,
  filter: JobFilter,
  limit: number,
  nowMs: number,
): Promise<JobPage> {
  const found = await findJobs(db, workspaceId, filter, limit + 1, nowMs);
  const jobs = found.slice(0, limit);
  return { jobs, nextBeforeMs: found.length > limit ? (jobs.at(-1)?.createdAtMs ?? null) : null };
}
