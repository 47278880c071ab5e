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

/** What the sweeps find of jobs. */

/** A request sends its messages within moments of its commit; after this it has failed to. */
const UNSENT_AFTER_MS = 30_000;
/** Longer than a message waits and runs in a queue that keeps up; after it a message counts as lost. */
const LOST_AFTER_MS = 15 * 60_000;
/** The same while each message that was sent has a consumer to itself. */
const LOST_SOON_AFTER_MS = LIMITS.partLeaseMs;

/** An open job whose messages are sent again: of the parts that are not taken, none when all are drawn. */
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
 * Open jobs whose messages may be missing: never sent; sent, but a lease has ended since; sent long ago, and no lease is
 * active; or sent two minutes ago and never taken, and the queue has no backlog. Sending twice is harmless, so this errs
 * towards it. At most `limit` of both kinds together; of each the longest waiting come first.
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
      // As many as the consumers work on; the other half of the queue's messages follows.
      messagesMax: queuedMessagesMax / 2,
    }),
  ]);
  return shareOut(unsentJobs.rows(unsent), lostJobs.rows(lost), limit).map(toStaleJob);
}

/** At most `limit` of two lists; each has half of the places, and what the other leaves free. */
function shareOut<T>(first: readonly T[], second: readonly T[], limit: number): readonly T[] {
  const places = Math.max(Math.ceil(limit / 2), limit - second.length);
  const taken = first.slice(0, places);
  return [...taken, ...second.slice(0, limit - taken.length)];
}

/** All retries of a queue that keeps up end within the hour; a pack that took a day is no longer wanted. */
const OPEN_MS_MAX = 24 * 60 * 60_000;

/** At most `limit` jobs that have been open for longer than a job may be. */
export const findStuckJobs = (
  db: D1Database,
  nowMs: number,
  limit: number,
): Promise<readonly { readonly jobId: string }[]> =>
  openJobsSince.all(db, { createdByMs: nowMs - OPEN_MS_MAX, limit });

/** R2 lists and deletes at most this many objects at once; a pack has fewer. */
const OBJECTS_PER_PASS_MAX = 1_000;

/**
 * Deletes what failed jobs have left in storage; returns the number of jobs handled. A job stays marked until its files
 * are gone, so that a crash in between only means that it is handled again. One whose files cannot be deleted now is tried
 * again by the next call.
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

/** Deletes all that jobs have in storage; returns the ids of those that have nothing there any more. */
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
 * Deletes test jobs that are two days old, with what they have in storage and their rows; returns how many. Nothing else
 * names them: they have no ledger event and no share. A crash in between leaves the rows, and the job is found again.
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
