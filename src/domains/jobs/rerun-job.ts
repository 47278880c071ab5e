import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { RowOf } from "#platform/db/statement.ts";
import { newId } from "#platform/ids.ts";
import { pick } from "#platform/pick-members.ts";
import { ENGINE_VERSION } from "#renderer/version.ts";
import { hashRequest, type IdempotencyClaim } from "../idempotency/claim.ts";
import { findRecord } from "../idempotency/store.ts";
import { readPaidAccess } from "../ledger/service.ts";
import { reserveJob } from "./create-job.ts";
import { RENDERING_FAILED } from "./end-job.ts";
import { jobNotFound } from "./job.ts";
import { fingerprintOf } from "./pack-plan.ts";
import { type Job, jobOfWorkspace, jobToRender } from "./store.ts";
import { jobsToRerun } from "./sweep-store.ts";

/**
 * An operator's rerun of jobs that failed by the service's fault, not by their inputs: dead letters and exhausted
 * attempts. A failed job stays failed and refunded; its rerun is a new job with the same plan and inputs, paid for like
 * any other job.
 */

const RERUN_KEY = "rerun:";

export type FailedJob = RowOf<typeof jobsToRerun>;

/** Jobs that failed by the service's fault since a time and were not rerun, oldest first. */
export const findJobsToRerun = (
  db: D1Database,
  sinceMs: number,
  limit: number,
): Promise<readonly FailedJob[]> =>
  jobsToRerun.all(db, { code: RENDERING_FAILED.code, sinceMs, keyPrefix: RERUN_KEY, limit });

/** The new job, and whether this call created it. */
export interface Rerun {
  readonly job: Job;
  readonly isNew: boolean;
}

/**
 * Reruns a failed job, at most once. The sweep sends the new job's messages within a minute. 404 JOB_NOT_FOUND, 400
 * INVALID_REQUEST for a job that did not fail by the service's fault, 402 PAYMENT_REQUIRED when the workspace has spent
 * the refund.
 */
export async function rerunJob(
  db: D1Database,
  workspaceId: string,
  failedJobId: string,
  nowMs: number,
): Promise<Outcome<Rerun>> {
  const failed = await jobToRender.first(db, { jobId: failedJobId });
  if (failed === null || failed.workspaceId !== workspaceId) {
    return jobNotFound();
  }
  if (!failed.livemode) return refuse("INVALID_REQUEST", "A test job is not rerun: order it again.");
  if (failed.status !== "failed" || failed.failureCode !== RENDERING_FAILED.code) {
    return refuse("INVALID_REQUEST", "The job did not fail by a fault of the service.");
  }
  const operation = `${RERUN_KEY}${failedJobId}`;
  const claim: IdempotencyClaim = {
    workspaceId,
    apiKeyId: null,
    idempotencyKey: operation,
    operation,
    requestHash: await hashRequest(operation, null),
    nowMs,
  };
  const earlier = await findRerun(db, claim);
  if (earlier !== null) return accept({ job: earlier, isNew: false });
  const fresh = {
    jobId: newId(),
    artifactId: newId(),
    workspaceId,
    plan: failed,
    inputs: failed.inputs,
    ...pick(failed, "brandId", "name", "versionOf", "notifyDestinationId", "imageHash"),
    costCredits: failed.costCredits,
    renderFingerprint: await fingerprintOf(failed, failed.inputs, ENGINE_VERSION),
    // An operator's order counts against no key, so no budget limits it.
    apiKeyId: null,
    livemode: true,
    queuedMessagesMax: LIMITS.queuedMessagesMax,
    nowMs,
  };
  try {
    const access = await readPaidAccess(db, workspaceId, nowMs);
    const reserved = await reserveJob(db, claim, fresh, { access, budget: null });
    return reserved.ok ? accept({ job: reserved.value, isNew: true }) : reserved;
  } catch (thrown) {
    // A concurrent call won, or this one's response was lost.
    const winner = await findRerun(db, claim);
    if (winner === null) throw thrown;
    return accept({ job: winner, isNew: winner.jobId === fresh.jobId });
  }
}

async function findRerun(db: D1Database, claim: IdempotencyClaim): Promise<Job | null> {
  const remembered = await findRecord(db, claim);
  return remembered === null
    ? null
    : jobOfWorkspace.first(db, { workspaceId: claim.workspaceId, jobId: remembered.resourceId });
}
