import { LIMITS } from "#api/limits.ts";
import { claimParts, hasExhaustedPart, keepLease, settleDeadParts } from "#domains/jobs/claim-parts.ts";
import {
  type Failure,
  type FailureCause,
  failJob,
  finishDrawnJob,
  finishJob,
  RENDERING_FAILED,
} from "#domains/jobs/end-job.ts";
import { fingerprintOf } from "#domains/jobs/pack-plan.ts";
import { type PartOfDrawnJob, releaseParts } from "#domains/jobs/part-store.ts";
import { sizeIdsOfPart } from "#domains/jobs/parts.ts";
import { clock } from "#platform/clock.ts";
import type { LeaseHolder } from "#platform/db/lease.ts";
import { FaultIn, faultOf } from "#platform/log/fault.ts";
import { log } from "#platform/log/log.ts";
import { withRenderer } from "#platform/render-engine.ts";
import { ENGINE_VERSION } from "#renderer/version.ts";
import { enqueueNext, type RenderQueue } from "./enqueue-jobs.ts";
import { consumeMessages, DONE, EXHAUSTED, type MessagePart, type MessageResult } from "./messages.ts";
import { type RenderMessage, renderMessageSchema, renderRetryMs } from "./render-messages.ts";
import { type Assignment, renderParts } from "./render-parts.ts";

export interface RenderServices {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
  /** Where the jobs that wait for an ended one's place are sent; without it, the sweep sends them. */
  readonly queue: RenderQueue | null;
}

/** The wait before the next attempt at a dead letter. */
const DEAD_RETRY_MS = 60_000;

/** What render messages and their dead letters have in common. */
const RENDER_MESSAGES = {
  schema: renderMessageSchema,
  idsOf: ({ jobId }: RenderMessage) => ({ jobId }),
};

/** Renders the outputs that the messages name. */
export const consumeRenders = (batch: MessagePart, services: RenderServices): Promise<void> =>
  consumeMessages(batch, {
    ...RENDER_MESSAGES,
    events: {
      unreadable: "render_message_unreadable",
      failed: "render_attempt_failed",
      exhausted: "render_exhausted",
    },
    attempt: (message, holder) => attemptParts(services, message, holder),
    retryDelayMs: renderRetryMs,
  });

/**
 * Settles the jobs of dead letters: failed and refunded where parts have had all their attempts, left to the sweep
 * where they have not, and unchanged where the parts are drawn or another message draws them.
 */
export const consumeDeadRenders = (batch: MessagePart, db: D1Database): Promise<void> =>
  consumeMessages(batch, {
    ...RENDER_MESSAGES,
    events: {
      unreadable: "dead_letter_unreadable",
      failed: "dead_letter_unsettled",
      exhausted: "dead_letter_exhausted",
      pending: "dead_letter_pending",
    },
    attempt: async ({ jobId, positions }) => ({
      kind: await settleDeadParts(db, jobId, positions, clock.now()),
    }),
    retryDelayMs: () => DEAD_RETRY_MS,
  });

/**
 * The job's fingerprint is another engine's. A pack is rendered by the engine that its fingerprint names, or not at all:
 * equal fingerprints promise equal bytes. While a deployment spreads, a later attempt finds the right engine; once it
 * has spread, the attempts end and the job is refunded.
 */
class EngineDiffers extends Error {
  override readonly name = "EngineDiffers";
}

/** Claims, renders and settles. Throws when the message should be sent again. */
async function attemptParts(
  services: RenderServices,
  { jobId, positions }: RenderMessage,
  holder: LeaseHolder,
): Promise<MessageResult> {
  const { db } = services;
  const { parts, job } = await claimParts(db, jobId, positions, holder, clock.now());
  if (parts.length === 0) {
    if (await hasExhaustedPart(db, jobId, positions, holder, clock.now())) {
      await giveUp(services, jobId, RENDERING_FAILED, { reason: "attempts-used-up" });
      return EXHAUSTED;
    }
    // An earlier attempt may have drawn the last of them and stopped before the job's end, or before the next job's message.
    await finishJob(services, jobId, clock.now());
    await leavePlace(services, jobId);
    return DONE;
  }
  if (job === null) throw new Error("a claimed part has no job");
  const drawn = await drawParts(services, { job, parts, leaseId: holder.leaseId });
  if (await finishDrawnJob(services, drawn, clock.now())) await leavePlace(services, jobId);
  return DONE;
}

/** Sends the jobs that wait for the place of one that has ended. */
const leavePlace = async ({ db, queue }: RenderServices, jobId: string): Promise<void> => {
  if (queue !== null) await enqueueNext(queue, db, jobId);
};

/** Fails the job, and sends those that wait for its place. */
async function giveUp(
  services: RenderServices,
  jobId: string,
  failure: Failure,
  cause: FailureCause,
): Promise<void> {
  await failJob(services.db, jobId, failure, clock.now(), cause);
  await leavePlace(services, jobId);
}

/** Draws what was claimed; the parts of the job where its last is among them. After a fault the rest is released. */
async function drawParts(
  services: RenderServices,
  assignment: Assignment,
): Promise<readonly PartOfDrawnJob[]> {
  const letGo = keepLease(services.db, { jobId: assignment.job.jobId, leaseId: assignment.leaseId });
  try {
    return await renderClaimed(services, assignment);
  } catch (thrown) {
    const fault = new FaultIn({ workspaceId: assignment.job.workspaceId }, thrown);
    try {
      await settleFault(services, assignment, fault);
    } catch (unsettled) {
      log.failure({ event: "render_fault_unsettled", jobId: assignment.job.jobId }, unsettled);
    }
    throw fault;
  } finally {
    letGo();
  }
}

async function renderClaimed(
  services: RenderServices,
  assignment: Assignment,
): Promise<readonly PartOfDrawnJob[]> {
  const { db, bucket } = services;
  const { job, parts } = assignment;
  const { jobId, workspaceId } = job;
  if ((await fingerprintOf(job, job.inputs, ENGINE_VERSION)) !== job.renderFingerprint) {
    throw new EngineDiffers();
  }
  const startedAtMs = clock.now();
  const rendered = await withRenderer((renderer) => renderParts({ db, bucket, renderer }, assignment));
  if (rendered.kind === "refused") {
    const { failure, sizeId } = rendered;
    await giveUp(services, jobId, failure, { reason: "inputs", ...(sizeId !== undefined && { sizeId }) });
  }
  log.line({
    event: `outputs_${rendered.kind}`,
    ...{ jobId, workspaceId },
    count: parts.reduce((sum, { part }) => sum + sizeIdsOfPart(job, part).length, 0),
    durationMs: clock.now() - startedAtMs,
    ...(rendered.kind === "refused" ? { code: rendered.failure.code } : {}),
  });
  return rendered.kind === "drawn" ? rendered.parts : [];
}

/** After a fault the parts are released for the next attempt; a fault in the last attempt fails the job. */
async function settleFault(
  services: RenderServices,
  { job, parts, leaseId }: Assignment,
  fault: FaultIn,
): Promise<void> {
  const { jobId } = job;
  await releaseParts.run(services.db, { jobId, leaseId });
  if (parts.some(({ attempts }) => attempts >= LIMITS.partAttemptsMax)) {
    await giveUp(services, jobId, RENDERING_FAILED, faultOf(fault));
  }
}
