import type { Outcome } from "../contract/errors.ts";
import { costOfPack } from "../contract/prices.ts";
import type { PackRequest } from "../contract/schemas/job.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { keyRevoked } from "../keys/service.ts";
import { isDeadKeyError, requireLiveKeyStatement } from "../keys/store.ts";
import { newId } from "../platform/ids.ts";
import { ENGINE_VERSION } from "../renderer/version.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { NewJob } from "./insert-job.ts";
import type { Job } from "./job.ts";
import type { JobBasis } from "./job-basis.ts";
import { planPack } from "./pack-plan.ts";
import { type InputLookup, judgeInputs } from "./prepare-inputs.ts";
import { reserveJob } from "./reserve-job.ts";

export interface CreateJobDeps extends InputLookup {
  /** Sends the new job's messages; it must not throw, and nothing waits for it. */
  readonly announce: (job: Job) => void;
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
  if (claim.apiKeyId === null) throw new Error("a job is asked for with an API key");
  const guard = requireLiveKeyStatement(deps.db, workspaceId, claim.apiKeyId);
  try {
    const reserved = await reserveJob(deps.db, claim, job, basis.access, [guard]);
    if (reserved.ok) deps.announce(reserved.value);
    return reserved;
  } catch (thrown) {
    // A key that was revoked since it was last looked at spends nothing.
    if (isDeadKeyError(thrown)) return keyRevoked();
    throw thrown;
  }
}
