import { deleteExpiredAccess } from "../accounts/store.ts";
import { expireArtifacts } from "../artifacts/expire-artifacts.ts";
import {
  deleteAssetsOfEndedWorkspaces,
  expireUploads,
  forgetDeadAssets,
  purgeAssets,
} from "../assets/sweeps.ts";
import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import { deleteEndedDeliveries } from "../deliveries/delivery-store.ts";
import { deleteUnnamed } from "../deliveries/destination-store.ts";
import { releaseLostMessages } from "../deliveries/dispatch-store.ts";
import { resealDestinations } from "../deliveries/reseal-destinations.ts";
import { deleteExpiredKeys } from "../idempotency/store.ts";
import { failJob, RENDERING_FAILED } from "../jobs/fail-job.ts";
import { finishJob } from "../jobs/finish-job.ts";
import { findEndlessJobs, findOverdueJobs } from "../jobs/overdue-jobs.ts";
import { purgeFailedJobs } from "../jobs/purge-failed-jobs.ts";
import { deleteDeadKeys } from "../keys/store.ts";
import type { Capabilities } from "../platform/capabilities.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { deleteExpiredPreviews } from "../previews/store.ts";
import { expireTrials } from "../workspaces/store.ts";
import { sendUnsentDeliveries } from "./send-delivery-messages.ts";
import { sendRenderMessages } from "./send-render-messages.ts";

/**
 * What one run does of each part; the rest waits a minute. Small enough that a run stays under the thousand requests to
 * other services that it may make (counted by test/fault/sweep-requests.test.ts), and large enough for the load of
 * docs/scaling.md: what grows faster than it is swept grows for ever.
 */
const LIMITS_PER_RUN = {
  /** Each sends its messages and notes it, or ends: two requests at most. */
  overdueJobs: 150,
  endlessJobs: 50,
  /** Each costs a listing, a deletion and a write. */
  failedJobs: 30,
  assets: 80,
  /** A deletion and a write take a hundred of them, more or less; sixty requests at most. */
  artifacts: 500,
  /** One deletion takes them all. */
  previews: 1_000,
  /** One statement each, in one batch. */
  trials: 500,
  /** Each is decrypted, encrypted and written. */
  destinations: 100,
  /** Rows only. */
  rows: 2_000,
} as const;

/** A part of the run: what it is called in the log, and its work, which gives how many things it moved. */
interface Sweep {
  readonly event: string;
  readonly run: () => Promise<number>;
}

/** Sends what was never sent or got lost, and ends jobs of which only the end is missing. */
async function sendOverdue(db: D1Database, queue: Queue, nowMs: number): Promise<number> {
  const jobs = await findOverdueJobs(db, nowMs, LIMITS_PER_RUN.overdueJobs);
  let failures = 0;
  for (const job of jobs) {
    try {
      if (job.positions.length > 0) await sendRenderMessages(queue, db, job, nowMs);
      else await finishJob(db, job.jobId, nowMs);
    } catch (thrown) {
      failures += 1;
      log.failure({ event: "overdue_job_failed", jobId: job.jobId, errorName: errorNameOf(thrown) });
    }
  }
  return jobs.length - failures;
}

/** Fails and refunds jobs that have been open beyond all retries. */
async function endEndless(db: D1Database, nowMs: number): Promise<number> {
  const jobIds = await findEndlessJobs(db, nowMs, LIMITS_PER_RUN.endlessJobs);
  for (const jobId of jobIds) await failJob(db, jobId, RENDERING_FAILED, nowMs);
  return jobIds.length;
}

/** Everything the clock does, by what the origin is able to do. */
function sweepsOf({ database, storage, queue, deliveries }: Capabilities, nowMs: number): readonly Sweep[] {
  if (database === null) return [];
  const { db } = database;
  const { artifacts, assets, failedJobs, previews, rows, trials } = LIMITS_PER_RUN;
  const sweeps: Sweep[] = [
    { event: "sweep_endless_jobs", run: () => endEndless(db, nowMs) },
    { event: "sweep_uploads", run: () => expireUploads(db, nowMs, rows) },
    { event: "sweep_trials", run: () => expireTrials(db, nowMs, trials) },
    { event: "sweep_ended_workspaces", run: () => deleteAssetsOfEndedWorkspaces(db, nowMs, rows) },
    { event: "sweep_dead_assets", run: () => forgetDeadAssets(db, nowMs, rows) },
    { event: "sweep_dead_keys", run: () => deleteDeadKeys(db, nowMs, rows) },
    { event: "sweep_sessions", run: () => deleteExpiredAccess(db, nowMs, rows) },
    { event: "sweep_idempotency_keys", run: () => deleteExpiredKeys(db, nowMs, rows) },
  ];
  if (queue !== null) {
    sweeps.unshift({ event: "sweep_overdue_jobs", run: () => sendOverdue(db, queue, nowMs) });
  }
  if (storage !== null) {
    sweeps.push(
      { event: "sweep_failed_jobs", run: () => purgeFailedJobs(db, storage, nowMs, failedJobs) },
      { event: "sweep_previews", run: () => deleteExpiredPreviews(db, storage, nowMs, previews) },
      { event: "sweep_assets", run: () => purgeAssets(db, storage, nowMs, assets) },
      {
        event: "sweep_artifacts",
        run: async () => {
          const { expired, purged } = await expireArtifacts(db, storage, nowMs, artifacts);
          return expired + purged;
        },
      },
    );
  }
  sweeps.push({
    event: "sweep_ended_deliveries",
    run: () => deleteEndedDeliveries(db, { endedBeforeMs: nowMs - DELIVERY_LIMITS.retentionMs, limit: rows }),
  });
  sweeps.push({ event: "sweep_removed_destinations", run: () => deleteUnnamed.run(db, { limit: rows }) });
  // Last, so that it also sends what the parts before have written.
  if (deliveries !== null) {
    sweeps.push(
      {
        event: "sweep_old_encryption",
        run: () => resealDestinations(db, deliveries.encryption, LIMITS_PER_RUN.destinations),
      },
      {
        event: "sweep_lost_delivery_messages",
        run: () => releaseLostMessages.run(db, { nowMs, limit: rows }),
      },
      {
        event: "sweep_unsent_deliveries",
        run: () => sendUnsentDeliveries(deliveries.queue, db, nowMs),
      },
    );
  }
  return sweeps;
}

/** One run of the clock. Each part stands alone: one that fails is logged and the next goes on. */
export async function runSweeps(capabilities: Capabilities, nowMs: number): Promise<void> {
  for (const { event, run } of sweepsOf(capabilities, nowMs)) {
    try {
      log.line({ event, count: await run() });
    } catch (thrown) {
      log.failure({ event, errorName: errorNameOf(thrown) });
    }
  }
}
