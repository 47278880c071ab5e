import { accept, type Outcome } from "#api/errors.ts";
import { type Page, toPage } from "#platform/db/page.ts";
import type { Reader } from "#platform/db/reader.ts";
import type { OpenStorage } from "../artifacts/read-archive.ts";
import { restoreJob, restoreJobs } from "./archived-jobs.ts";
import { type JobStatus, jobNotFound } from "./job.ts";
import { type Job, jobOfWorkspace, jobPages, type ListedJob } from "./store.ts";

/** One job of the workspace, from its archive where it has left. 404 JOB_NOT_FOUND, for a foreign one too. */
export async function getJob(
  db: Reader,
  open: OpenStorage,
  workspaceId: string,
  jobId: string,
): Promise<Outcome<Job>> {
  const job = await jobOfWorkspace.first(db, { workspaceId, jobId });
  return job === null ? jobNotFound() : accept(await restoreJob(open, job));
}

export interface JobFilter {
  readonly status: JobStatus | null;
  /** Only jobs created before this time. */
  readonly beforeMs: number | null;
  /** Only jobs of this fingerprint that can be used again. */
  readonly renderFingerprint: string | null;
  /** Only this job and those that are versions of it. */
  readonly versionOf: string | null;
}

/** A page of the workspace's jobs, newest first. Its cursor is the time of a job's creation. */
export async function listJobs(
  db: Reader,
  open: OpenStorage,
  workspaceId: string,
  { status, beforeMs, renderFingerprint, versionOf }: JobFilter,
  limit: number,
  nowMs: number,
): Promise<Page<ListedJob, number>> {
  const { all, ofOpenStatus, ofEndedStatus, reusable, reusableOfStatus, versions } = jobPages;
  const ofStatus = status === "queued" || status === "running" ? ofOpenStatus : ofEndedStatus;
  const ofAnyFingerprint = status === null ? all : ofStatus;
  const ofThisFingerprint = status === null ? reusable : reusableOfStatus;
  const ofAnyVersion = renderFingerprint === null ? ofAnyFingerprint : ofThisFingerprint;
  const page = versionOf === null ? ofAnyVersion : versions;
  const found = await page.all(db, {
    workspaceId,
    status,
    renderFingerprint,
    versionOf,
    nowMs,
    beforeMs: beforeMs ?? Number.MAX_SAFE_INTEGER,
    limit: limit + 1,
  });
  const jobs = toPage(found, limit, ({ createdAtMs }) => createdAtMs);
  return { ...jobs, items: [...(await restoreJobs(open, jobs.items))] };
}
