import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LEDGER_DESCRIPTIONS } from "#api/ledger-descriptions.ts";
import { LIMITS } from "#api/limits.ts";
import { CREDITS_PER_SIZE, costOfPack } from "#api/prices.ts";
import type { CreateJobRequest } from "#api/schemas/job.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { latest, type Reader } from "#platform/db/reader.ts";
import type { Preparer } from "#platform/db/statement.ts";
import { newId } from "#platform/ids.ts";
import { pick } from "#platform/pick-members.ts";
import { nextUtcDayMs } from "#platform/utc-day.ts";
import { engineOf } from "#renderer/version.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { rememberStatements } from "../idempotency/store.ts";
import { type BudgetAtOrder, findBudgetRefusal } from "../keys/budget.ts";
import { assertKeyBudget, budgetOfKey } from "../keys/budget-store.ts";
import { keyRevoked } from "../keys/service.ts";
import { choosePayment, type PaidAccess, type Payment, spendable } from "../ledger/payment.ts";
import { consumptionStatements, isUncoveredError, readPaidAccess } from "../ledger/service.ts";
import { ownerUnconfirmed } from "../workspaces/confirmed-owner.ts";
import { findFirstVersion } from "./named-packs.ts";
import { fingerprintOf } from "./pack-plan.ts";
import { partsOf } from "./part-store.ts";
import { type JobPreconditions, preconditionGuard, refuseInJobWindow } from "./preconditions.ts";
import { type InputLookup, planRequest } from "./prepare-inputs.ts";
import { assertTestLimit, insertJob, insertTestJob, type Job, type NewJob } from "./store.ts";

/** The order of an image URL, which has no API key. */
export interface ImageOrder {
  readonly imageHash: string;
  /**
   * First statements of the batch. They fail it when the URL's secret was revoked or the workspace has too many new
   * images.
   */
  readonly guards: readonly D1PreparedStatement[];
}

export interface CreateJobDeps extends InputLookup {
  /** False for a test key; its jobs cost nothing. */
  readonly livemode: boolean;
  /** Maximum render messages in the queue, shared by all workspaces. */
  readonly queuedMessagesMax: number;
  /** The session that writes the job; the response carries its bookmark. */
  readonly writes: D1DatabaseSession;
  /** Enqueues the new job's messages. It must not throw, and the response does not wait for it. */
  readonly enqueue: (job: Job) => void;
}

type PlanDeps = Omit<CreateJobDeps, "writes" | "enqueue">;

/** Plans a job: 422 (brand, plan, assets, copy), then 409 ASSET_NOT_READY, then 422 JOB_UNKNOWN for `versionOf`. */
async function planJob(
  deps: PlanDeps,
  { workspaceId, apiKeyId, nowMs }: IdempotencyClaim,
  request: CreateJobRequest,
  { assets }: JobPreconditions,
  awaited: readonly string[] = [],
  image: ImageOrder | null = null,
): Promise<Outcome<NewJob>> {
  const planned = await planRequest(deps, workspaceId, request, assets, awaited);
  if (!planned.ok) return planned;
  const { livemode } = deps;
  const versionOf = await findFirstVersion(deps.db, { workspaceId, livemode }, request.versionOf);
  if (!versionOf.ok) return versionOf;
  const { plan, inputs } = planned.value;
  return accept({
    jobId: newId(),
    artifactId: newId(),
    workspaceId,
    plan,
    inputs,
    brandId: request.brandId ?? null,
    name: request.name ?? null,
    versionOf: versionOf.value,
    notifyDestinationId: request.notify?.destinationId ?? null,
    imageHash: image?.imageHash ?? null,
    costCredits: costOfPack(plan.motion, plan.selectedSizeIds.length),
    renderFingerprint: await fingerprintOf(plan, inputs, engineOf(livemode)),
    apiKeyId,
    livemode,
    queuedMessagesMax: deps.queuedMessagesMax,
    nowMs,
  });
}

/** Like `planJob`, but first refuses with 403 EMAIL_NOT_CONFIRMED, or 429 when too many recent jobs were refunded. */
async function admitJob(
  deps: PlanDeps,
  claim: IdempotencyClaim,
  request: CreateJobRequest,
  preconditions: JobPreconditions,
  awaited: readonly string[] = [],
  image: ImageOrder | null = null,
): Promise<Outcome<NewJob>> {
  if (preconditions.needsConfirmedOwner && preconditions.hasUnconfirmedOwner) return ownerUnconfirmed();
  if (deps.livemode && preconditions.fullWindow !== null)
    return refuseInJobWindow(preconditions.fullWindow, claim.nowMs);
  return planJob(deps, claim, request, preconditions, awaited, image);
}

/**
 * The first refusal of `createJob` that can be decided before the assets of the `awaited` slots exist, so that no file
 * is fetched in vain; null when nothing refuses the job yet. Does not check the daily limit of test jobs, which the
 * write checks.
 */
export async function findEarlyRefusal(
  deps: PlanDeps,
  claim: IdempotencyClaim,
  request: CreateJobRequest,
  preconditions: JobPreconditions,
  awaited: readonly string[],
): Promise<Refusal | null> {
  const job = await admitJob(deps, claim, request, preconditions, awaited);
  if (!job.ok) return job;
  if (!deps.livemode) return null;
  const { costCredits } = job.value;
  const { access, budget } = preconditions;
  const refusal = findBudgetRefusal(budget, costCredits);
  if (refusal !== null || choosePayment(access, costCredits) !== null) return refusal;
  return insufficient(costCredits, spendable(access));
}

/**
 * Creates a job: checks it, reserves its cost once, and enqueues it after the commit. The caller has checked `notify`
 * (`findNotifyRefusal`). Refuses in this order:
 * - 403 EMAIL_NOT_CONFIRMED when the owner has to confirm an address;
 * - 429 when too many recent jobs were refunded;
 * - 422 (plan, assets, copy), then 409 ASSET_NOT_READY, then 422 JOB_UNKNOWN for `versionOf`;
 * - 402 for the key's budget, then for the workspace's means of payment, or 429 TEST_LIMIT_REACHED for a test job;
 * - 401 when the key was revoked meanwhile.
 *
 * Throws when the write failed or its response was lost; the Idempotency-Key's row then shows which.
 */
export async function createJob(
  deps: CreateJobDeps,
  claim: IdempotencyClaim,
  request: CreateJobRequest,
  preconditions: JobPreconditions,
  image: ImageOrder | null = null,
): Promise<Outcome<Job>> {
  const job = await admitJob(deps, claim, request, preconditions, [], image);
  if (!job.ok) return job;
  if (claim.apiKeyId === null && image === null) throw new Error("a job is created with an API key");
  try {
    const reserved = deps.livemode
      ? await reserveJob(deps.db, claim, job.value, preconditions, deps.writes, image?.guards)
      : await admitTestJob(deps.writes, claim, job.value);
    if (reserved.ok) deps.enqueue(reserved.value);
    return reserved;
  } catch (thrown) {
    // The key was revoked after authentication; nothing was written.
    if (isGuardViolation(thrown, "key_active")) return keyRevoked();
    throw thrown;
  }
}

/**
 * Like `createJob`, with cached preconditions and a single write, which fails as a whole if any of them changed. Never
 * refuses: returns null when the job would be refused or the payment is uncertain. Throws when the write fails, also
 * because an identical request has already inserted the Idempotency-Key.
 */
export async function createJobFromCache(
  deps: CreateJobDeps,
  claim: IdempotencyClaim,
  request: CreateJobRequest,
  preconditions: JobPreconditions,
): Promise<Job | null> {
  const job = await planJob(deps, claim, request, preconditions);
  if (!job.ok) return null;
  const { subscription } = preconditions.access;
  const payment = choosePayment(preconditions.access, job.value.costCredits);
  // A subscription's remaining quota may have changed, and its period may have ended.
  const isCertain = subscription === null || payment?.source === "unlimited";
  if (payment === null || !isCertain) return null;
  const guard = preconditionGuard(deps.writes, claim, preconditions);
  const written = await writeJob(deps.writes, claim, job.value, payment, [guard]);
  deps.enqueue(written);
  return written;
}

/** Maximum number of tries. The write is tried again after another job spent the same money or key budget. */
const ATTEMPTS_MAX = 3;

const insufficient = (required: number, available: number): Refusal =>
  refuse("PAYMENT_REQUIRED", `The job costs ${required} credits and the workspace can spend ${available}.`, {
    required,
    available,
  });

/**
 * Inserts the job. A live job is selected from its consumption event in the same batch, so without the event nothing is
 * inserted.
 */
export const insertJobStatement = (db: Preparer, { plan, ...job }: NewJob): D1PreparedStatement =>
  (job.livemode ? insertJob : insertTestJob).bind(db, { ...plan, ...job, messages: partsOf(plan).length });

/**
 * Writes the Idempotency-Key, consumption and job in one batch. Throws if the batch fails; nothing is written then.
 * `guards` come first. The guard of the key's budget, or of the day's test jobs, comes last, because it counts this job
 * too. `payment` is null only for a test job.
 */
async function writeJob(
  db: Reader,
  claim: IdempotencyClaim,
  job: NewJob,
  payment: Payment | null,
  guards: readonly D1PreparedStatement[],
): Promise<Job> {
  const { workspaceId, jobId, costCredits, imageHash, livemode, nowMs } = job;
  const description = imageHash === null ? LEDGER_DESCRIPTIONS.reserved : LEDGER_DESCRIPTIONS.imageReserved;
  const limit = livemode ? assertKeyBudget : assertTestLimit;
  const payments = [
    ...guards,
    // Precedes the payment, so that an identical concurrent request fails on this row and not because this one spent
    // the money.
    ...rememberStatements(db, claim, jobId, livemode ? null : LIMITS.testJobRetentionMs),
    ...(payment === null
      ? []
      : consumptionStatements(db, { workspaceId, jobId, cost: costCredits, description, payment, nowMs })),
  ];
  const results = await db.batch([
    ...payments,
    insertJobStatement(db, job),
    ...(job.apiKeyId === null ? [] : [limit.bind(db, { jobId })]),
  ]);
  const written = insertJob.row(results[payments.length]);
  if (written === null) throw new Error("a committed job was not written");
  const { plan, artifactId, renderFingerprint } = job;
  return {
    ...plan,
    ...written,
    ...pick(job, "brandId", "name", "versionOf", "notifyDestinationId", "imageHash"),
    jobId,
    artifactId,
    workspaceId,
    costCredits,
    renderFingerprint,
    livemode,
    approval: "none",
    status: "queued",
    failureCode: null,
    failureMessage: null,
    isRefunded: false,
    archive: null,
    outputsTotal: plan.selectedSizeIds.length,
    outputsDone: 0,
    startedAtMs: null,
    finishedAtMs: null,
  };
}

/** Writes a test job. 429 TEST_LIMIT_REACHED when it exceeds the workspace's daily limit. */
async function admitTestJob(db: Reader, claim: IdempotencyClaim, job: NewJob): Promise<Outcome<Job>> {
  try {
    return accept(await writeJob(db, claim, job, null, []));
  } catch (thrown) {
    if (!isGuardViolation(thrown, "key_budget")) throw thrown;
  }
  const limit = LIMITS.testOutputsPerDay;
  const resetsAtMs = nextUtcDayMs(claim.nowMs);
  return {
    ...refuse(
      "TEST_LIMIT_REACHED",
      `Test keys of a workspace order ${limit} outputs a UTC day, an animated one counted as ${CREDITS_PER_SIZE.animated}; this job has ${job.costCredits}.`,
      { limit },
    ),
    retryAfterSeconds: (resetsAtMs - claim.nowMs) / 1_000,
    fullWindow: { limit, resetsAtMs },
  };
}

/** The means of payment for a job, as last read. */
export interface Means {
  readonly access: PaidAccess;
  /** Budget of the API key that orders the job; null without a key. */
  readonly budget: BudgetAtOrder | null;
}

const readBudget = async (
  db: D1Database,
  { apiKeyId, workspaceId, nowMs }: NewJob,
): Promise<BudgetAtOrder | null> =>
  apiKeyId === null ? null : budgetOfKey.first(latest(db), { apiKeyId, workspaceId, nowMs });

/**
 * Writes a job (`writeJob`). If another job spent the same money or budget meanwhile, the batch fails as a whole and
 * the remaining money or budget is read again: 402 BUDGET_EXHAUSTED or 402 PAYMENT_REQUIRED when it does not cover the
 * cost.
 */
export async function reserveJob(
  db: D1Database,
  claim: IdempotencyClaim,
  job: NewJob,
  known: Means,
  writes: Reader = db,
  guards: readonly D1PreparedStatement[] = [],
): Promise<Outcome<Job>> {
  const { workspaceId, costCredits, nowMs } = job;
  let { access, budget } = known;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const refusal = findBudgetRefusal(budget, costCredits);
    if (refusal !== null) return refusal;
    const payment = choosePayment(access, costCredits);
    if (payment === null) break;
    try {
      return accept(await writeJob(writes, claim, job, payment, guards));
    } catch (thrown) {
      if (isGuardViolation(thrown, "key_budget")) budget = await readBudget(db, job);
      else if (isUncoveredError(thrown)) access = await readPaidAccess(db, workspaceId, nowMs);
      else throw thrown;
    }
  }
  return insufficient(costCredits, spendable(access));
}
