import { accept, type Outcome } from "../contract/errors.ts";
import { costOfPack } from "../contract/prices.ts";
import type { PackRequest } from "../contract/schemas/job.ts";
import { isGuardViolation } from "../db/guard.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { keyRevoked } from "../keys/service.ts";
import { choosePayment } from "../ledger/payment.ts";
import { newId } from "../platform/ids.ts";
import { ENGINE_VERSION } from "../renderer/version.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { NewJob } from "./insert-job.ts";
import type { Job } from "./job.ts";
import { type JobBasis, requireBasisStatement } from "./job-basis.ts";
import { planPack } from "./pack-plan.ts";
import { type InputLookup, judgeInputs } from "./prepare-inputs.ts";
import { refuseInJobWindow } from "./refund-windows.ts";
import { reserveJob, writeJob } from "./reserve-job.ts";

export interface CreateJobDeps extends InputLookup {
  /** Sends the new job's messages; it must not throw, and nothing waits for it. */
  readonly announce: (job: Job) => void;
}

/** The job that is asked for, as far as it may be drawn: 422 (plan, assets, copy), then 409 ASSET_NOT_READY. */
async function planJob(
  deps: CreateJobDeps,
  { workspaceId, nowMs }: IdempotencyClaim,
  request: PackRequest,
  { assets }: JobBasis,
): Promise<Outcome<NewJob>> {
  const plan = planPack(request);
  if (!plan.ok) return plan;
  const inputs = await judgeInputs(deps, plan.value, assets);
  if (!inputs.ok) return inputs;
  return accept({
    jobId: newId(),
    artifactId: newId(),
    workspaceId,
    plan: plan.value,
    inputs: inputs.value,
    costCredits: costOfPack(plan.value.motion, plan.value.selectedSizeIds.length),
    renderFingerprint: await fingerprintOf(plan.value, inputs.value, ENGINE_VERSION),
    nowMs,
  });
}

/**
 * Creates a paid job: checks it, reserves its cost once, and announces it after the commit.
 * Refuses with 429 where too many jobs were given back lately, 422 (plan, assets, copy), 409 ASSET_NOT_READY, then 402; 401 when the key was revoked meanwhile.
 * Throws when the write failed or its answer was lost; the caller's idempotency then tells which.
 */
export async function createJob(
  deps: CreateJobDeps,
  claim: IdempotencyClaim,
  request: PackRequest,
  basis: JobBasis,
): Promise<Outcome<Job>> {
  if (basis.fullWindow !== null) return refuseInJobWindow(basis.fullWindow, claim.nowMs);
  const job = await planJob(deps, claim, request, basis);
  if (!job.ok) return job;
  if (claim.apiKeyId === null) throw new Error("a job is asked for with an API key");
  try {
    const reserved = await reserveJob(deps.db, claim, job.value, basis.access);
    if (reserved.ok) deps.announce(reserved.value);
    return reserved;
  } catch (thrown) {
    // A key that was revoked since it was last looked at spends nothing.
    if (isGuardViolation(thrown, "key_active")) return keyRevoked();
    throw thrown;
  }
}

/**
 * As `createJob`, on what was remembered: one write that fails as a whole where any of it no longer holds. Decides
 * nothing against the caller: null where the job would be refused, or could be paid otherwise than is remembered.
 * Throws for whatever makes the write fail, a twin's row among it.
 */
export async function createJobAsRemembered(
  deps: CreateJobDeps,
  claim: IdempotencyClaim,
  request: PackRequest,
  basis: JobBasis,
): Promise<Job | null> {
  const job = await planJob(deps, claim, request, basis);
  if (!job.ok) return null;
  const { subscription } = basis.access;
  const payment = choosePayment(basis.access, job.value.costCredits);
  // Of a subscription, what is left may have changed either way, and its period may have ended.
  const isCertain = subscription === null || payment?.source === "unlimited";
  if (payment === null || !isCertain) return null;
  const guard = requireBasisStatement(deps.db, claim, basis);
  const written = await writeJob(deps.db, claim, job.value, payment, [guard]);
  deps.announce(written);
  return written;
}
