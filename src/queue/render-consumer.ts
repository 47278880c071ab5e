import { LIMITS } from "../api/limits.ts";
import type { LeaseHolder } from "../db/lease.ts";
import {
  type ClaimedOutput,
  claimOutputs,
  hasExhaustedOutput,
  settleDeadOutputs,
} from "../jobs/claim-outputs.ts";
import { failJob, finishJob, RENDERING_FAILED } from "../jobs/end-job.ts";
import { fingerprintOf } from "../jobs/fingerprint.ts";
import { releaseOutputs } from "../jobs/output-store.ts";
import { jobToRender } from "../jobs/store.ts";
import { clock } from "../platform/clock.ts";
import { log } from "../platform/log.ts";
import { withRenderer } from "../platform/render-engine.ts";
import { ENGINE_VERSION } from "../renderer/version.ts";
import { consumeMessages, DONE, EXHAUSTED, type MessagePart, type MessageResult } from "./messages.ts";
import { type RenderMessage, renderMessageSchema, renderRetryMs } from "./render-messages.ts";
import { renderOutputs } from "./render-outputs.ts";

export interface RenderServices {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
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
    attempt: (message, holder) => attemptOutputs(services, message, holder),
    retryDelayMs: renderRetryMs,
  });

/**
 * Settles the jobs of dead letters: failed and refunded where outputs have had all their attempts, left to the sweep
 * where they have not, and unchanged where the outputs are done or another message renders them.
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
      kind: await settleDeadOutputs(db, jobId, positions, clock.now()),
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
async function attemptOutputs(
  services: RenderServices,
  { jobId, positions }: RenderMessage,
  holder: LeaseHolder,
): Promise<MessageResult> {
  const { db } = services;
  const outputs = await claimOutputs(db, jobId, positions, holder, clock.now());
  if (outputs.length > 0) {
    try {
      await renderClaimed(services, jobId, outputs, holder.leaseId);
    } catch (thrown) {
      await settleFault(db, jobId, outputs, holder.leaseId);
      throw thrown;
    }
  } else if (await hasExhaustedOutput(db, jobId, positions, holder, clock.now())) {
    await failJob(db, jobId, RENDERING_FAILED, clock.now());
    return EXHAUSTED;
  }
  await finishJob(db, jobId, clock.now());
  return DONE;
}

async function renderClaimed(
  { db, bucket }: RenderServices,
  jobId: string,
  outputs: readonly ClaimedOutput[],
  leaseId: string,
): Promise<void> {
  const job = await jobToRender.first(db, { jobId });
  if (job === null) throw new Error("a claimed output has no job");
  if ((await fingerprintOf(job, job.inputs, ENGINE_VERSION)) !== job.renderFingerprint) {
    throw new EngineDiffers();
  }
  const startedAtMs = clock.now();
  const rendered = await withRenderer((renderer) =>
    renderOutputs({ db, bucket, renderer }, { job, outputs, leaseId }),
  );
  if (rendered.kind === "refused") await failJob(db, jobId, rendered.failure, clock.now());
  log.line({
    event: `outputs_${rendered.kind}`,
    jobId,
    count: outputs.length,
    durationMs: clock.now() - startedAtMs,
    ...(rendered.kind === "refused" ? { code: rendered.failure.code } : {}),
  });
}

/** After a fault the outputs are released for the next attempt; a fault in the last attempt fails the job. */
async function settleFault(
  db: D1Database,
  jobId: string,
  outputs: readonly ClaimedOutput[],
  leaseId: string,
): Promise<void> {
  await releaseOutputs.run(db, { jobId, leaseId });
  if (outputs.some((output) => output.attempts >= LIMITS.outputAttemptsMax)) {
    await failJob(db, jobId, RENDERING_FAILED, clock.now());
  }
}
