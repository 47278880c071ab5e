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

/** The three ends of a job, each one batch. */

export interface JobStores {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
}

/**
 * Ends a running job whose parts are all drawn. Leaves any other job as it is, so this may be repeated. True when the job
 * succeeded by this very call.
 */
export const finishJob = async (stores: JobStores, jobId: string, nowMs: number): Promise<boolean> =>
  finishDrawnJob(stores, await partsOfDrawnJob.all(stores.db, { jobId }), nowMs);

/**
 * As `finishJob`, of a job whose parts were read already, or of none. The manifest, and the image of an image URL, are
 * stored first, with the same bytes at each repeat; then artifact, status and the end of the parts are one batch. Stopped between the two, the job is still
 * running, and is finished again.
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

/** The newest engine that drew a file; this one for files that were drawn before their engine was recorded. */
const newestEngine = (drawn: readonly DrawnFile[]): string =>
  drawn
    .map(({ engineVersion = ENGINE_VERSION }) => engineVersion)
    .sort((one, other) => one.localeCompare(other, "en", { numeric: true }))
    .at(-1) ?? ENGINE_VERSION;

export interface Failure {
  readonly code: JobFailureCode;
  /** A sentence for the caller: what is wrong and what to do. */
  readonly message: string;
}

/** The failure of a job for which the service, not its inputs, is at fault. */
export const RENDERING_FAILED: Failure = {
  code: "RENDERING_FAILED",
  message: "The pack could not be drawn after several attempts; create the job again.",
};

/** Longer than any attempt runs (15 min): after it nothing still writes files of a failed job. */
const FILES_KEPT_MS = 30 * 60_000;

/** Why a job failed, for its log line: a reason from a fixed list, and where the fault was. */
export type FailureCause = Pick<LogLine, "reason" | "sizeId" | "errorName" | "frames">;

/**
 * Fails an open job: its parts lose their leases, and its cost is refunded. A job that has ended is left as it is; the
 * refund depends on the job's status and its own unique reference. Every failed job ends here, and has one `job_failed`
 * line in the log.
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
 * Cancels a queued job and refunds its cost; a job that has ended is returned as it is. 404 JOB_NOT_FOUND (one that is
 * foreign or of the other mode too), 409 JOB_RUNNING. A first claim is a separate batch, so whichever comes first in the database wins and the
 * other changes nothing. The refund is of this workspace's cancelled job or of none.
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
    return refuse("JOB_RUNNING", "The job is being drawn and can no longer be cancelled.");
  }
  return accept(job);
}

/**
 * Settles a part whose message the queue gave up. `exhausted`: it had all its attempts, and the job has failed and was
 * refunded. `pending`: the queue gave up because the service was away, and the sweep sends other messages within a minute.
 * `done`: the part is drawn, or another message draws it under a lease. May be repeated.
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
