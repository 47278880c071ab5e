import { LIMITS } from "#api/limits.ts";
import type { OutputFormat } from "#catalogue/types.ts";
import type { RowOf } from "#platform/db/statement.ts";
import { log } from "#platform/log/log.ts";
import { pick } from "#platform/pick-members.ts";
import { objectPrefixOf } from "../artifacts/stored-file.ts";
import { partsOf } from "./part-store.ts";
import {
  deleteTestJobRows,
  jobsWithFilesToDelete,
  lostJobs,
  oldTestJobs,
  openJobsSince,
  setJobFilesDeleted,
  unsentJobs,
} from "./sweep-store.ts";

/** The sweeps' work on jobs. */

/** A request sends its messages right after its commit. If it has not done so after this time, it has failed. */
const UNSENT_AFTER_MS = 30_000;
/** After this time a message counts as lost. In a queue without backlog, no message takes that long to wait and run. */
const LOST_AFTER_MS = 15 * 60_000;
/**
 * After this shorter time a message that was never claimed counts as lost, if there are at least as many consumers as
 * messages.
 */
const LOST_SOON_AFTER_MS = LIMITS.partLeaseMs;

/** An open job to send again, with the parts that are neither drawn nor leased; no parts when all are drawn. */
interface StaleJob {
  readonly jobId: string;
  readonly parts: readonly number[];
  readonly outputFormat: OutputFormat;
}

const toStaleJob = ({ takenParts, ...job }: RowOf<typeof unsentJobs>): StaleJob => ({
  ...pick(job, "jobId", "outputFormat"),
  parts: partsOf(job).filter((part) => !takenParts.includes(part)),
});

/**
 * Open jobs whose messages may be missing: never sent; sent, with a lease that has expired; sent long ago, with no
 * valid lease; or sent two minutes ago and never claimed although the queue has no backlog. Sending twice is harmless,
 * so in doubt a job is included. Returns at most `limit`, the longest waiting first.
 */
export async function findStaleJobs(
  db: D1Database,
  nowMs: number,
  queuedMessagesMax: number,
  limit: number,
): Promise<readonly StaleJob[]> {
  const [unsent, lost] = await db.batch([
    unsentJobs.bind(db, { nowMs, createdByMs: nowMs - UNSENT_AFTER_MS, limit }),
    lostJobs.bind(db, {
      nowMs,
      limit,
      soonByMs: nowMs - LOST_SOON_AFTER_MS,
      sentByMs: nowMs - LOST_AFTER_MS,
      // The number of messages that the consumers process at once, half of the queue's maximum.
      messagesMax: queuedMessagesMax / 2,
    }),
  ]);
  return shareOut(unsentJobs.rows(unsent), lostJobs.rows(lost), limit).map(toStaleJob);
}

/** At most `limit` items from two lists. Each gets half, plus what the other does not use. */
function shareOut<T>(first: readonly T[], second: readonly T[], limit: number): readonly T[] {
  const places = Math.max(Math.ceil(limit / 2), limit - second.length);
  const taken = first.slice(0, places);
  return [...taken, ...second.slice(0, limit - taken.length)];
}

/** Every retry ends within the hour in a queue without backlog; after a day the job counts as stuck. */
const OPEN_MS_MAX = 24 * 60 * 60_000;

/** At most `limit` jobs that have been open for longer than `OPEN_MS_MAX`. */
export const findStuckJobs = (
  db: D1Database,
  nowMs: number,
  limit: number,
): Promise<readonly { readonly jobId: string }[]> =>
  openJobsSince.all(db, { createdByMs: nowMs - OPEN_MS_MAX, limit });

/** R2's limit for listing and deleting objects at once; a pack has fewer. */
const OBJECTS_PER_PASS_MAX = 1_000;

/**
 * Deletes the stored files of failed jobs; returns the number of jobs handled. A job stays marked until its files are
 * deleted, so that a crash or a failed deletion only repeats the work.
 */
export async function deleteFailedJobFiles(
  db: D1Database,
  bucket: R2Bucket,
  nowMs: number,
  limit: number,
): Promise<number> {
  const cleared = await deleteFilesOf(bucket, await jobsWithFilesToDelete.all(db, { nowMs, limit }));
  if (cleared.length > 0) await setJobFilesDeleted.run(db, { jobIds: JSON.stringify(cleared) });
  return cleared.length;
}

/** Deletes all stored objects of jobs; returns the ids of the jobs that have none left. */
async function deleteFilesOf(
  bucket: R2Bucket,
  jobs: readonly RowOf<typeof jobsWithFilesToDelete>[],
): Promise<readonly string[]> {
  const cleared: string[] = [];
  for (const { jobId, workspaceId, artifactId } of jobs) {
    try {
      const prefix = objectPrefixOf(workspaceId, artifactId);
      const { objects, truncated } = await bucket.list({ prefix, limit: OBJECTS_PER_PASS_MAX });
      if (objects.length > 0) await bucket.delete(objects.map((object) => object.key));
      if (!truncated) cleared.push(jobId);
    } catch (thrown) {
      log.failure({ event: "job_files_not_deleted", jobId }, thrown);
    }
  }
  return cleared;
}

/**
 * Deletes test jobs older than two days with their files and rows; returns how many. Nothing refers to them, as they
 * have no ledger event and no share. The rows go last, so that a crash in between only repeats the work.
 */
export async function deleteOldTestJobs(
  db: D1Database,
  bucket: R2Bucket,
  nowMs: number,
  limit: number,
): Promise<number> {
  const createdByMs = nowMs - LIMITS.testJobRetentionMs;
  const cleared = await deleteFilesOf(bucket, await oldTestJobs.all(db, { createdByMs, limit }));
  const jobIds = JSON.stringify(cleared);
  if (cleared.length > 0) await db.batch(deleteTestJobRows.map((rows) => rows.bind(db, { jobIds })));
  return cleared.length;
}
