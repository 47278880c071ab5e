import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LEDGER_DESCRIPTIONS } from "#api/ledger-descriptions.ts";
import type { Reader } from "#platform/db/reader.ts";
import type { DrawnFile } from "#platform/db/schema/index.ts";
import { DONE, EXHAUSTED, type MessageResult, PENDING } from "#platform/leased-work/message-result.ts";
import { type LogLine, log } from "#platform/log/log.ts";
import { ENGINE_VERSION } from "#renderer/version.ts";
import { storeManifest } from "../artifacts/manifest.ts";
import { insertArtifact } from "../artifacts/store.ts";
import { storeImage } from "../images/stored-image.ts";
import { insertRefund } from "../ledger/service.ts";
import { type JobFailureCode, jobNotFound } from "./job.ts";
import {
  deadPart,
  deletePartsOfSucceeded,
  failParts,
  type PartName,
  type PartOfDrawnJob,
  partsOfDrawnJob,
  sizeIdsOfPart,
} from "./part-store.ts";
import {
  cancelQueuedJob,
  failOpenJob,
  type Job,
  type JobInMode,
  jobOfWorkspace,
  succeedJob,
} from "./store.ts";
import { markJobUnsent } from "./sweep-store.ts";

/** The three ends of a job: succeeded, failed, canceled. Each is one batch. */

export interface JobStores {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
}

/**
 * Finishes a running job whose parts are all drawn; leaves any other job unchanged, so it may be repeated. True when
 * this call finished it.
 */
export const finishJob = async (stores: JobStores, jobId: string, nowMs: number): Promise<boolean> =>
  finishDrawnJob(stores, await partsOfDrawnJob.all(stores.db, { jobId }), nowMs);

/**
 * Like `finishJob`, for parts that were read already; does nothing for an empty list. First stores the manifest and an
 * image URL's image, whose bytes do not change between attempts. Then one batch writes artifact and status and deletes
 * the parts. After a crash in between, the job is still running and is finished again.
 */
export async function finishDrawnJob(
  { db, bucket }: JobStores,
  parts: readonly PartOfDrawnJob[],
  nowMs: number,
): Promise<boolean> {
  const [first] = parts;
  if (first === undefined) return false;
  const { jobId, workspaceId, artifactId, imageHash } = first;
  const drawn = parts.flatMap(({ files }) => files ?? []);
  const [file] = drawn;
  if (imageHash !== null && file !== undefined) {
    await storeImage(bucket, { workspaceId, imageHash }, { artifactId, ...file });
  }
  const { files, manifestSha256 } = await storeManifest(bucket, workspaceId, artifactId, drawn);
  const [, succeeded] = await db.batch([
    insertArtifact.bind(db, {
      jobId,
      engineVersion: newestEngine(drawn),
      files: JSON.stringify(files),
      totalBytes: files.reduce((sum, { byteLength }) => sum + byteLength, 0),
      manifestSha256,
      nowMs,
    }),
    succeedJob.bind(db, { jobId, nowMs }),
    deletePartsOfSucceeded.bind(db, { jobId }),
  ]);
  return (succeeded?.meta.changes ?? 0) > 0;
}

/** The newest engine that drew a file; the current one for files from before the engine was recorded. */
const newestEngine = (drawn: readonly DrawnFile[]): string =>
  drawn
    .map(({ engineVersion = ENGINE_VERSION }) => engineVersion)
    .sort((one, other) => one.localeCompare(other, "en", { numeric: true }))
    .at(-1) ?? ENGINE_VERSION;

export interface Failure {
  readonly code: JobFailureCode;
  /** One sentence for the caller: what is wrong and what to do. */
  readonly message: string;
}

/** Failure of a job by the service's own fault. */
export const RENDERING_FAILED: Failure = {
  code: "RENDERING_FAILED",
  message: "The pack could not be drawn after several attempts; create the job again.",
};

/** Longer than any attempt runs (15 min), so that no attempt still writes files of a failed job. */
const FILES_KEPT_MS = 30 * 60_000;

/** The cause of a job's failure, for its log line: a reason from a fixed list, and the place of the fault. */
export type FailureCause = Pick<LogLine, "reason" | "sizeId" | "errorName" | "frames">;

/**
 * Fails an open job: releases its parts' leases and refunds its cost. Leaves an ended job unchanged. Every failed job
 * ends here, with one `job_failed` log line.
 */
export async function failJob(
  db: D1Database,
  jobId: string,
  { code, message }: Failure,
  nowMs: number,
  cause: FailureCause,
): Promise<void> {
  const [failed] = await db.batch([
    failOpenJob.bind(db, { jobId, code, message, nowMs, deleteFilesAfterMs: nowMs + FILES_KEPT_MS }),
    failParts.bind(db, { jobId }),
    insertRefund.bind(db, { jobId, description: LEDGER_DESCRIPTIONS.failed, nowMs, canceledOf: null }),
  ]);
  const job = failOpenJob.row(failed);
  if (job === null) return;
  const { workspaceId, part } = job;
  const sizeId = part === null ? undefined : sizeIdsOfPart(job, part)[0];
  const isOfSize = sizeId !== undefined && cause.reason !== "inputs";
  log.failure({ event: "job_failed", jobId, workspaceId, ...(isOfSize && { sizeId }), code, ...cause });
}

/**
 * Cancels a queued job and refunds its cost; returns an ended job unchanged. 404 JOB_NOT_FOUND (also for a job of
 * another workspace or of the other mode), 409 JOB_RUNNING. The job's first claim is a batch too. Whichever of the two
 * commits first wins; the other changes nothing.
 */
export async function cancelJob(db: Reader, id: JobInMode, nowMs: number): Promise<Outcome<Job>> {
  const { workspaceId, jobId } = id;
  const results = await db.batch([
    cancelQueuedJob.bind(db, { ...id, nowMs }),
    insertRefund.bind(db, {
      jobId,
      description: LEDGER_DESCRIPTIONS.canceled,
      nowMs,
      canceledOf: workspaceId,
    }),
    jobOfWorkspace.bind(db, { workspaceId, jobId }),
  ]);
  const job = jobOfWorkspace.row(results[2]);
  if (job === null || job.livemode !== id.livemode) return jobNotFound();
  if (job.status === "running") {
    return refuse("JOB_RUNNING", "The job is being drawn and can no longer be canceled.");
  }
  return accept(job);
}

/**
 * Settles a part whose message became a dead letter. `exhausted`: the part had used all its attempts, so the job failed
 * and was refunded. `pending`: the service was unavailable, and the sweep sends new messages within a minute. `done`:
 * the part is drawn, or leased by another message. May be repeated.
 */
export async function settleDeadPart(db: D1Database, name: PartName, nowMs: number): Promise<MessageResult> {
  const dead = await deadPart.first(db, { ...name, nowMs });
  if (dead === null) return DONE;
  if (dead.isExhausted) {
    await failJob(db, name.jobId, RENDERING_FAILED, nowMs, { reason: "dead-letter" });
    return EXHAUSTED;
  }
  await markJobUnsent.run(db, name);
  return PENDING;
}
