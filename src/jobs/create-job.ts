import { accept, type Outcome, type Refusal, refuse } from "../contract/errors.ts";
import { costOfPack } from "../contract/prices.ts";
import type { PackRequest } from "../contract/schemas/job.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { rememberStatement } from "../idempotency/store.ts";
import { keyRevoked } from "../keys/service.ts";
import { isDeadKeyError, requireLiveKeyStatement } from "../keys/store.ts";
import { choosePayment, type PaidAccess, spendable } from "../ledger/payment.ts";
import { consumptionStatements, isUncoveredError, readPaidAccess } from "../ledger/service.ts";
import { newId } from "../platform/ids.ts";
import { ENGINE_VERSION } from "../renderer/version.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { insertJobStatements, type NewJob } from "./insert-job.ts";
import type { Job } from "./job.ts";
import type { JobBasis } from "./job-basis.ts";
import { planPack } from "./pack-plan.ts";
import { type InputLookup, judgeInputs } from "./prepare-inputs.ts";
import { jobOf, jobStatement } from "./store.ts";

/** How often the payment is chosen again after another job took what it was to be paid from. */
const PAYMENT_ATTEMPTS_MAX = 3;

export interface CreateJobDeps extends InputLookup {
  /** Sends the new job's messages; it must not throw, and nothing waits for it. */
  readonly announce: (job: Job) => void;
}

const insufficient = (required: number, available: number): Refusal =>
  refuse("PAYMENT_REQUIRED", `The job costs ${required} credits and the workspace can spend ${available}.`, {
    required,
    available,
  });

/**
 * Writes consumption, job, outputs and the Idempotency-Key in one batch and reads the job back in it. When another
 * job spent the same money in between, the batch fails as a whole and the payment is chosen again from what is left.
 * A key that was revoked since it was last looked at spends nothing.
 */
async function reserve(
  db: D1Database,
  claim: IdempotencyClaim,
  job: NewJob,
  known: PaidAccess,
): Promise<Outcome<Job>> {
  const { workspaceId, jobId, costCredits, nowMs } = job;
  let available = 0;
  for (let attempt = 0; attempt < PAYMENT_ATTEMPTS_MAX; attempt += 1) {
    const access = attempt === 0 ? known : await readPaidAccess(db, workspaceId, nowMs);
    const payment = choosePayment(access, costCredits);
    available = spendable(access);
    if (payment === null) break;
    try {
      const results = await db.batch([
        requireLiveKeyStatement(db, workspaceId, claim.apiKeyId),
        ...consumptionStatements(db, { workspaceId, jobId, cost: costCredits, payment, nowMs }),
        ...insertJobStatements(db, job),
        rememberStatement(db, claim, jobId, null),
        jobStatement(db, workspaceId, jobId),
      ]);
      const written = jobOf(results.at(-1));
      if (written === null) throw new Error("a committed job cannot be read");
      return accept(written);
    } catch (thrown) {
      if (isDeadKeyError(thrown)) return keyRevoked();
      if (!isUncoveredError(thrown)) throw thrown;
    }
  }
  return insufficient(costCredits, available);
}

/**
 * Creates a paid job: checks it, reserves its cost once, and announces it after the commit.
 * Refuses with 422 (plan, assets, copy), 409 ASSET_NOT_READY, then 402; 401 when the key was revoked meanwhile.
 * Throws when the write failed or its answer was lost; the caller's idempotency then tells which.
 */
export async function createJob(
  deps: CreateJobDeps,
  claim: IdempotencyClaim,
  request: PackRequest,
  basis: JobBasis,
): Promise<Outcome<Job>> {
  const { workspaceId, nowMs } = claim;
  const plan = planPack(request);
  if (!plan.ok) return plan;
  const inputs = await judgeInputs(deps, plan.value, basis.assets);
  if (!inputs.ok) return inputs;

  const job: NewJob = {
    jobId: newId(),
    artifactId: newId(),
    workspaceId,
    plan: plan.value,
    inputs: inputs.value,
    costCredits: costOfPack(plan.value.motion, plan.value.selectedSizeIds.length),
    renderFingerprint: await fingerprintOf(plan.value, inputs.value, ENGINE_VERSION),
    nowMs,
  };
  const reserved = await reserve(deps.db, claim, job, basis.access);
  if (reserved.ok) deps.announce(reserved.value);
  return reserved;
}
