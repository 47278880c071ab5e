import { accept, type Outcome } from "#api/errors.ts";
import { costOfPack } from "#api/prices.ts";
import type { CreateJobRequest } from "#api/schemas/job.ts";
import { isGuardViolation } from "#platform/db/guard.ts";
import { newId } from "#platform/ids.ts";
import { ENGINE_VERSION } from "#renderer/version.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { keyRevoked } from "../keys/service.ts";
import { choosePayment } from "../ledger/payment.ts";
import { ownerUnconfirmed } from "../workspaces/confirmed-owner.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { planPack } from "./pack-plan.ts";
import { type JobPreconditions, preconditionGuard } from "./preconditions.ts";
import { type InputLookup, validateInputs } from "./prepare-inputs.ts";
import { refuseInJobWindow } from "./refund-rate-limit.ts";
import { reserveJob, writeJob } from "./reserve-job.ts";
import type { Job, NewJob } from "./store.ts";

export interface CreateJobDeps extends InputLookup {
  /** How many render messages workspaces share in the queue. */
  readonly queuedMessagesMax: number;
  /** The session that the job is written in: the caller shows its bookmark. */
  readonly writes: D1DatabaseSession;
  /** Enqueues the new job's messages; it must not throw, and nothing waits for it. */
  readonly enqueue: (job: Job) => void;
}

/** The job that is asked for, if it may be rendered: 422 (plan, assets, copy), then 409 ASSET_NOT_READY. */
async function planJob(
  deps: CreateJobDeps,
  { workspaceId, apiKeyId, nowMs }: IdempotencyClaim,
  request: CreateJobRequest,
  { assets }: JobPreconditions,
): Promise<Outcome<NewJob>> {
  const plan = planPack(request);
  if (!plan.ok) return plan;
  const inputs = await validateInputs(deps, plan.value, assets);
  if (!inputs.ok) return inputs;
  return accept({
    jobId: newId(),
    artifactId: newId(),
    workspaceId,
    plan: plan.value,
    inputs: inputs.value,
    notifyDestinationId: request.notify?.destinationId ?? null,
    costCredits: costOfPack(plan.value.motion, plan.value.selectedSizeIds.length),
    renderFingerprint: await fingerprintOf(plan.value, inputs.value, ENGINE_VERSION),
    apiKeyId,
    queuedMessagesMax: deps.queuedMessagesMax,
    nowMs,
  });
}

/**
 * Creates a paid job of whose `notify` the caller has made sure (`findNotifyRefusal`): checks it, reserves its cost once,
 * and enqueues it after the commit. Refuses with 403 EMAIL_NOT_CONFIRMED where the owner is to confirm an address, 429
 * where too many jobs were refunded lately, 422 (plan, assets, copy), 409 ASSET_NOT_READY, then 402 (the key's budget, then
 * what the workspace has); 401 when the key was revoked meanwhile.
 * Throws when the write failed or its answer was lost; the caller's idempotency then tells which.
 */
export async function createJob(
  deps: CreateJobDeps,
  claim: IdempotencyClaim,
  request: CreateJobRequest,
  preconditions: JobPreconditions,
): Promise<Outcome<Job>> {
  if (preconditions.needsConfirmedOwner && preconditions.hasUnconfirmedOwner) return ownerUnconfirmed();
  if (preconditions.fullWindow !== null) return refuseInJobWindow(preconditions.fullWindow, claim.nowMs);
  const job = await planJob(deps, claim, request, preconditions);
  if (!job.ok) return job;
  if (claim.apiKeyId === null) throw new Error("a job is created with an API key");
  try {
    const reserved = await reserveJob(deps.db, claim, job.value, preconditions, deps.writes);
    if (reserved.ok) deps.enqueue(reserved.value);
    return reserved;
  } catch (thrown) {
    // A key that was revoked since it was last looked at spends nothing.
    if (isGuardViolation(thrown, "key_active")) return keyRevoked();
    throw thrown;
  }
}

/**
 * As `createJob`, on cached preconditions: one write that fails as a whole where any of them no longer holds. Decides
 * nothing against the caller: null where the job would be refused, or the payment is not certain. Throws whatever makes
 * the write fail, the row of an equal request among it.
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
  // Of a subscription, what is left may have changed either way, and its period may have ended.
  const isCertain = subscription === null || payment?.source === "unlimited";
  if (payment === null || !isCertain) return null;
  const guard = preconditionGuard(deps.writes, claim, preconditions);
  const written = await writeJob(deps.writes, claim, job.value, payment, [guard]);
  deps.enqueue(written);
  return written;
}
