import { accept, type Outcome } from "#api/errors.ts";
import { type Page, toPage } from "#platform/db/page.ts";
import type { Reader } from "#platform/db/reader.ts";
import type { OpenStorage } from "../artifacts/read-archive.ts";
import { restoreJob, restoreJobs } from "./archived-jobs.ts";
import { type JobStatus, jobNotFound } from "./job.ts";
import { type Job, type JobInMode, jobOfWorkspace, jobPages, type ListedJob } from "./store.ts";

/**
 * A job of the workspace, with its archived columns. 404 JOB_NOT_FOUND, also for a job of another workspace or of the
 * other mode.
 */
export async function getJob(
  db: Reader,
  open: OpenStorage,
  { livemode, ...id }: JobInMode,
): Promise<Outcome<Job>> {
  const job = await jobOfWorkspace.first(db, id);
  return job === null || job.livemode !== livemode ? jobNotFound() : accept(await restoreJob(open, job));
}

export interface JobFilter {
  /** Selects the jobs of live keys or of test keys. */
  readonly livemode: boolean;
  readonly status: JobStatus | null;
  /** Only jobs created before this time. */
  readonly beforeMs: number | null;
  /** Only reusable jobs with this fingerprint. */
  readonly renderFingerprint: string | null;
  /** Only this job and its versions. */
  readonly versionOf: string | null;
}

/** A page of the workspace's jobs, newest first. The cursor is a job's creation time. */
export async function listJobs(
  db: Reader,
  open: OpenStorage,
  workspaceId: string,
  { livemode, status, beforeMs, renderFingerprint, versionOf }: JobFilter,
  limit: number,
  nowMs: number,
): Promise<Page<ListedJob, number>> {
  const { test, all, ofOpenStatus, ofEndedStatus, reusable, reusableOfStatus, versions } = jobPages;
  const ofStatus = status === "queued" || status === "running" ? ofOpenStatus : ofEndedStatus;
  const ofAnyFingerprint = status === null ? all : ofStatus;
  const ofThisFingerprint = status === null ? reusable : reusableOfStatus;
  const ofAnyVersion = renderFingerprint === null ? ofAnyFingerprint : ofThisFingerprint;
  const page = livemode ? (versionOf === null ? ofAnyVersion : versions) : test;
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
