import { accept, type Outcome } from "#api/errors.ts";
import type { OpenStorage } from "#domains/artifacts/read-archive.ts";
import type { IdempotentResult } from "#domains/idempotency/with-idempotency.ts";
import { restoreJob } from "#domains/jobs/archived-jobs.ts";
import { cancelJob } from "#domains/jobs/end-job.ts";
import type { Job } from "#domains/jobs/store.ts";
import { latest } from "#platform/db/reader.ts";
import { noteWritten } from "#platform/log/origin-of-work.ts";
import type { Caller } from "./caller.ts";

export interface CancelDeps {
  readonly db: D1Database;
  readonly openStorage: OpenStorage;
  /** Enqueues messages about the job's end, in the background. */
  readonly enqueueDeliveries: () => void;
}

/** Cancels a queued job (`cancelJob`) and enqueues the messages about its end. */
export async function cancelPack(
  { db, openStorage, enqueueDeliveries }: CancelDeps,
  { workspaceId, livemode, nowMs }: Caller,
  jobId: string,
): Promise<Outcome<IdempotentResult<Job>>> {
  const writes = latest(db);
  const canceled = await cancelJob(writes, { workspaceId, jobId, livemode }, nowMs);
  if (!canceled.ok) return canceled;
  noteWritten(jobId);
  enqueueDeliveries();
  const job = await restoreJob(openStorage, canceled.value);
  return accept({ value: job, isReplay: false, bookmark: writes.getBookmark() });
}
