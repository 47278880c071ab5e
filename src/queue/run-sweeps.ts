import { mirrorChangedPeople, mirrorPeople } from "../accounts/mirror-people.ts";
import { deleteExpiredAccess } from "../accounts/store.ts";
import { DELIVERY_LIMITS } from "../api/delivery-rules.ts";
import { LIMITS } from "../api/limits.ts";
import { MAIL_LIMITS } from "../api/mail-rules.ts";
import { archiveOldPacks } from "../artifacts/archive-packs.ts";
import { expireArtifacts } from "../artifacts/expire-artifacts.ts";
import { releaseLostImports } from "../assets/import-dispatch-store.ts";
import { expireImports } from "../assets/import-lease.ts";
import {
  deleteAssetBytes,
  deleteAssetsOfEndedWorkspaces,
  deleteDeadAssets,
  expireUploads,
} from "../assets/sweeps.ts";
import { attemptTopUps } from "../billing/attempt-top-ups.ts";
import { collectOwed } from "../billing/collect-owed.ts";
import { deleteOldEvents, deleteOldOrders } from "../billing/order-store.ts";
import { isReconcileDue, logDifferences } from "../billing/reconcile.ts";
import type { Capabilities } from "../bindings/capabilities.ts";
import { capabilitiesAt } from "../bindings/capabilities-at.ts";
import { type Databases, everyDatabase } from "../databases/databases.ts";
import { heldForMove } from "../databases/move-store.ts";
import { runMoves } from "../databases/run-moves.ts";
import { DIRECTORY, type Home } from "../databases/shard-name.ts";
import { deleteEndedDeliveries } from "../deliveries/delivery-store.ts";
import { deleteUnnamed } from "../deliveries/destination-store.ts";
import { releaseLostMessages } from "../deliveries/dispatch-store.ts";
import { resealDestinations } from "../deliveries/manage-destination.ts";
import { deleteExpiredKeys } from "../idempotency/store.ts";
import { failJob, finishJob, type JobStores, RENDERING_FAILED } from "../jobs/end-job.ts";
import { deleteFailedJobFiles, findStaleJobs, findStuckJobs } from "../jobs/sweep-jobs.ts";
import { markJobsDispatched } from "../jobs/sweep-store.ts";
import { deleteExpiredSessionKeys } from "../keys/session-key-store.ts";
import { deleteDeadKeys } from "../keys/store.ts";
import { deleteEndedMail, expireMail } from "../mail/attempt-store.ts";
import { releaseLostMail } from "../mail/dispatch-store.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { deleteExpiredPreviews } from "../previews/preview-cache.ts";
import { deleteOldShares } from "../shares/store.ts";
import { expireTrials } from "../workspaces/store.ts";
import { sendPendingDeliveries } from "./delivery-messages.ts";
import { enqueueWaiting } from "./enqueue-jobs.ts";
import { sendPendingImports } from "./import-messages.ts";
import { sendPendingMail } from "./mail-messages.ts";
import { sendRenderMessages } from "./render-messages.ts";

/**
 * What one run does of each part; the rest waits a minute. Small enough that a run stays under the thousand requests to
 * other services that it may make (counted by test/fault/sweep-requests.test.ts), and large enough for the load of
 * docs/scaling.md: what grows faster than it is swept grows for ever.
 */
const LIMITS_PER_RUN = {
  /** Each sends its messages and is marked, or is finished: two requests at most. */
  staleJobs: 150,
  /** Each workspace's next jobs are placed, sent and marked: four requests at most, where nothing else did it. */
  waitingWorkspaces: 40,
  stuckJobs: 50,
  /** Each costs a listing, a deletion and a write. */
  failedJobs: 30,
  assets: 80,
  /** A deletion and a write take a hundred of them, more or less; sixty requests at most. */
  artifacts: 500,
  /** Workspaces and days, each with hundreds of packs and eight requests. */
  oldPackGroups: 15,
  /** One deletion takes them all. */
  previews: 1_000,
  /** One statement each, in one batch. */
  trials: 500,
  /** Each is decrypted, encrypted and written. */
  destinations: 100,
  /** A read and a batch each. */
  owing: 20,
  /** Five requests to the provider each, and as many to the database. */
  topUps: 20,
  /** Rows only. */
  rows: 2_000,
} as const;

type Limits = Readonly<Record<keyof typeof LIMITS_PER_RUN, number>>;

/**
 * Databases that one run sweeps; with more, each has its turn every few minutes. One in which nothing waits costs some
 * forty requests, so that eight leave the greater part of the thousand to what they find.
 */
const DATABASES_PER_RUN_MAX = 8;
/** What they may do together, of what one alone may. */
const SHARED_PART = 0.5;

/** Entries of the directory whose shards are brought up to their people: four requests each. */
const MIRRORED_PER_RUN_MAX = 20;

const MINUTE_MS = 60_000;

/** The databases of this minute's run, and what it may do of each part in each of them. */
function planOf(databases: Databases, nowMs: number): { homes: readonly Home[]; limits: Limits } {
  const homes = everyDatabase(databases).map(({ home }) => home);
  if (homes.length === 1) return { homes, limits: LIMITS_PER_RUN };
  const turns = Math.ceil(homes.length / DATABASES_PER_RUN_MAX);
  const turn = Math.floor(nowMs / MINUTE_MS) % turns;
  const ofTurn = homes.filter((_, index) => index % turns === turn);
  const part = SHARED_PART / ofTurn.length;
  const limitOf = (name: keyof Limits) => Math.max(1, Math.floor(LIMITS_PER_RUN[name] * part));
  const limits: Limits = {
    staleJobs: limitOf("staleJobs"),
    waitingWorkspaces: limitOf("waitingWorkspaces"),
    stuckJobs: limitOf("stuckJobs"),
    failedJobs: limitOf("failedJobs"),
    assets: limitOf("assets"),
    artifacts: limitOf("artifacts"),
    destinations: limitOf("destinations"),
    // As many together as in one alone: there are as many a day, wherever they are.
    oldPackGroups: Math.ceil(LIMITS_PER_RUN.oldPackGroups / ofTurn.length),
    owing: limitOf("owing"),
    topUps: limitOf("topUps"),
    // One request takes them all, however many there are.
    previews: LIMITS_PER_RUN.previews,
    trials: LIMITS_PER_RUN.trials,
    rows: LIMITS_PER_RUN.rows,
  };
  return { homes: ofTurn, limits };
}

/** A part of the run: its name in the log, and its work, which returns how many things it handled. */
interface Sweep {
  readonly event: string;
  readonly run: () => Promise<number>;
}

/** Works on each job; returns how many succeeded. One that fails is logged under `event`, and the others go on. */
async function sweepJobs<Job extends { readonly jobId: string }>(
  event: string,
  jobs: readonly Job[],
  work: (job: Job) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  for (const job of jobs) {
    try {
      await work(job);
      count += 1;
    } catch (thrown) {
      log.failure({ event, jobId: job.jobId, errorName: errorNameOf(thrown) });
    }
  }
  return count;
}

/** Sends messages that were never sent or got lost, and finishes jobs whose parts are all drawn. */
const sweepStaleJobs = async (
  stores: JobStores,
  queue: Queue,
  nowMs: number,
  limit: number,
): Promise<number> => {
  const { db } = stores;
  return sweepJobs(
    "stale_job_failed",
    await findStaleJobs(db, nowMs, limit),
    async ({ jobId, motion, positions }) => {
      if (positions.length === 0) return finishJob(stores, jobId, nowMs);
      await sendRenderMessages(queue, [{ jobId, motion, positions }]);
      return markJobsDispatched.run(db, { jobIds: JSON.stringify([jobId]), nowMs });
    },
  );
};

/** Fails and refunds jobs that are open beyond all retries. */
const sweepStuckJobs = async (db: D1Database, nowMs: number, limit: number): Promise<number> =>
  sweepJobs("stuck_job_failed", await findStuckJobs(db, nowMs, limit), ({ jobId }) =>
    failJob(db, jobId, RENDERING_FAILED, nowMs),
  );

/** The parts of a run, as far as the origin is configured for them. */
function sweepsOf(
  { database, storage, queue, deliveries, imports, mail, billing }: Capabilities,
  nowMs: number,
  limits: Limits,
): readonly Sweep[] {
  if (database === null) return [];
  const { db, queuedMessagesMax } = database;
  const { artifacts, assets, failedJobs, oldPackGroups, previews, rows, trials } = limits;
  const sweeps: Sweep[] = [
    { event: "sweep_stuck_jobs", run: () => sweepStuckJobs(db, nowMs, limits.stuckJobs) },
    { event: "sweep_uploads", run: () => expireUploads(db, nowMs, rows) },
    { event: "sweep_imports", run: () => expireImports(db, nowMs, rows) },
    { event: "sweep_trials", run: () => expireTrials(db, nowMs, trials) },
    { event: "sweep_ended_workspaces", run: () => deleteAssetsOfEndedWorkspaces(db, nowMs, rows) },
    { event: "sweep_dead_assets", run: () => deleteDeadAssets(db, nowMs, rows) },
    { event: "sweep_dead_keys", run: () => deleteDeadKeys(db, nowMs, rows) },
    { event: "sweep_shares", run: () => deleteOldShares(db, nowMs, rows) },
    { event: "sweep_session_keys", run: () => deleteExpiredSessionKeys.run(db, { nowMs, limit: rows }) },
    { event: "sweep_sessions", run: () => deleteExpiredAccess(db, nowMs, rows) },
    { event: "sweep_idempotency_keys", run: () => deleteExpiredKeys(db, nowMs, rows) },
  ];
  if (queue !== null && storage !== null) {
    const stores = { db, bucket: storage };
    sweeps.unshift(
      {
        event: "sweep_stale_jobs",
        run: () => sweepStaleJobs(stores, queue, nowMs, limits.staleJobs),
      },
      {
        event: "sweep_waiting_jobs",
        run: () => enqueueWaiting({ queue, queuedMessagesMax }, db, nowMs, limits.waitingWorkspaces),
      },
    );
  }
  if (storage !== null) {
    sweeps.push(
      { event: "sweep_failed_jobs", run: () => deleteFailedJobFiles(db, storage, nowMs, failedJobs) },
      { event: "sweep_previews", run: () => deleteExpiredPreviews(db, storage, nowMs, previews) },
      { event: "sweep_assets", run: () => deleteAssetBytes(db, storage, nowMs, assets) },
      {
        event: "sweep_artifacts",
        run: async () => {
          const { expired, deleted } = await expireArtifacts(db, storage, nowMs, artifacts);
          return expired + deleted;
        },
      },
      { event: "sweep_old_packs", run: () => archiveOldPacks(db, storage, nowMs, oldPackGroups) },
    );
  }
  sweeps.push({
    event: "sweep_ended_deliveries",
    run: () => deleteEndedDeliveries(db, { endedBeforeMs: nowMs - DELIVERY_LIMITS.retentionMs, limit: rows }),
  });
  const unusedBeforeMs = nowMs - LIMITS.unusedOrderRetentionMs;
  sweeps.push(
    { event: "sweep_owed_credits", run: () => collectOwed(db, nowMs, limits.owing) },
    {
      event: "sweep_old_orders",
      run: () => deleteOldOrders.run(db, { createdBeforeMs: unusedBeforeMs, limit: rows }),
    },
    {
      event: "sweep_old_billing_events",
      run: () => deleteOldEvents.run(db, { receivedBeforeMs: unusedBeforeMs, limit: rows }),
    },
  );
  if (billing !== null) {
    sweeps.push({
      event: "sweep_top_ups",
      run: () => attemptTopUps(db, billing, nowMs, limits.topUps),
    });
  }
  // Triggers write mail also where none is sent.
  sweeps.push(
    { event: "sweep_expired_mail", run: () => expireMail.run(db, { nowMs, limit: rows }) },
    {
      event: "sweep_ended_mail",
      run: () => deleteEndedMail.run(db, { endedBeforeMs: nowMs - MAIL_LIMITS.retentionMs, limit: rows }),
    },
  );
  sweeps.push({ event: "sweep_removed_destinations", run: () => deleteUnnamed.run(db, { limit: rows }) });
  if (imports !== null) {
    sweeps.push(
      { event: "sweep_stale_imports", run: () => releaseLostImports.run(db, { nowMs, limit: rows }) },
      { event: "sweep_pending_imports", run: () => sendPendingImports(imports.queue, db, nowMs) },
    );
  }
  if (mail !== null) {
    sweeps.push(
      { event: "sweep_stale_mail", run: () => releaseLostMail.run(db, { nowMs, limit: rows }) },
      { event: "sweep_pending_mail", run: () => sendPendingMail(mail.queue, db, nowMs) },
    );
  }
  // Last, so that it also sends what the parts before have written.
  if (deliveries !== null) {
    sweeps.push(
      {
        event: "sweep_old_encryption",
        run: () => resealDestinations(db, deliveries.encryption, limits.destinations),
      },
      {
        event: "sweep_stale_deliveries",
        run: () => releaseLostMessages.run(db, { nowMs, limit: rows }),
      },
      {
        event: "sweep_pending_deliveries",
        run: () => sendPendingDeliveries(deliveries.queue, db, nowMs),
      },
    );
  }
  return sweeps;
}

/** Moves of workspaces between databases, which the directory knows. */
function movesOf({ database }: Capabilities, nowMs: number): readonly Sweep[] {
  if (database === null || database.home !== DIRECTORY || database.databases.shards.size === 0) return [];
  const { databases } = database;
  const mirror = (workspaceId: string) => mirrorPeople(databases, workspaceId, nowMs);
  return [{ event: "sweep_moves", run: () => runMoves(databases, mirror) }];
}

/**
 * Whether rows lie in the database that nothing may change, because their workspace moves: each sweep would stop at them.
 * All wait for the minute or two that this takes.
 */
const isHeld = async ({ database }: Capabilities): Promise<boolean> =>
  database !== null &&
  database.databases.shards.size > 0 &&
  (await heldForMove.first(database.db, {})) !== null;

async function runAll(sweeps: readonly Sweep[]): Promise<void> {
  for (const { event, run } of sweeps) {
    try {
      log.line({ event, count: await run() });
    } catch (thrown) {
      log.failure({ event, errorName: errorNameOf(thrown) });
    }
  }
}

/** What is done once for all databases. */
function sweepsOfOrigin({ database, billing }: Capabilities, nowMs: number): readonly Sweep[] {
  if (database === null) return [];
  const { databases } = database;
  const sweeps: Sweep[] = [];
  if (databases.shards.size > 0) {
    sweeps.push({
      event: "sweep_people",
      run: () => mirrorChangedPeople(databases, nowMs, MIRRORED_PER_RUN_MAX),
    });
  }
  if (billing !== null && isReconcileDue(nowMs)) {
    sweeps.push({ event: "sweep_reconcile", run: () => logDifferences(databases, billing, nowMs) });
  }
  return sweeps;
}

/** Runs all sweeps. Each stands alone: one that fails is logged, and the others go on. */
export async function runSweeps(capabilities: Capabilities, nowMs: number): Promise<void> {
  if (capabilities.database === null) return;
  await runAll(movesOf(capabilities, nowMs));
  await runAll(sweepsOfOrigin(capabilities, nowMs));
  const { homes, limits } = planOf(capabilities.database.databases, nowMs);
  for (const home of homes) await sweepDatabase(capabilities, home, nowMs, limits);
}

async function sweepDatabase(
  ofOrigin: Capabilities,
  home: Home,
  nowMs: number,
  limits: Limits,
): Promise<void> {
  const capabilities = capabilitiesAt(ofOrigin, home);
  if (capabilities === null) return;
  try {
    if (await isHeld(capabilities)) return log.line({ event: "sweeps_held", code: home });
  } catch (thrown) {
    return log.failure({ event: "sweeps_failed", code: home, errorName: errorNameOf(thrown) });
  }
  await runAll(sweepsOf(capabilities, nowMs, limits));
}
