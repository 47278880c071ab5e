import { LIMITS } from "../contract/limits.ts";
import {
  type ClaimedOutput,
  claimOutputs,
  hasExhaustedOutput,
  leaseOf,
  releaseOutputs,
} from "../jobs/claim-outputs.ts";
import { failJob, RENDERING_FAILED } from "../jobs/fail-job.ts";
import { fingerprintOf } from "../jobs/fingerprint.ts";
import { finishJob } from "../jobs/finish-job.ts";
import { findJobToDraw } from "../jobs/store.ts";
import { clock } from "../platform/clock.ts";
import { newId } from "../platform/ids.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { withRenderer } from "../platform/render-engine.ts";
import { ENGINE_VERSION } from "../renderer/version.ts";
import { drawOutputs } from "./draw-outputs.ts";
import { type RenderMessage, renderMessageSchema } from "./render-message.ts";
import { retrySeconds } from "./retry-schedule.ts";

export interface RenderServices {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
}

/** Draws what the messages name. Each is acknowledged or sent back on its own. */
export async function consumeRenderMessages(batch: MessageBatch, services: RenderServices): Promise<void> {
  for (const message of batch.messages) {
    const parsed = renderMessageSchema.safeParse(message.body);
    if (!parsed.success) {
      log.failure({ event: "render_message_unreadable" });
      message.ack();
      continue;
    }
    try {
      await work(services, parsed.data, message.id);
      message.ack();
    } catch (thrown) {
      log.failure({
        event: "render_attempt_failed",
        jobId: parsed.data.jobId,
        attempt: message.attempts,
        errorName: errorNameOf(thrown),
      });
      message.retry({ delaySeconds: retrySeconds(message.attempts) });
    }
  }
}

/**
 * The job's fingerprint is another engine's. A pack is drawn by the engine that its fingerprint names, or not at all:
 * equal fingerprints promise equal bytes. While a deployment spreads, a later delivery finds the right engine; once
 * it has spread, the attempts end and the job is refunded.
 */
class EngineDiffers extends Error {
  override readonly name = "EngineDiffers";
}

/** Claims, draws and settles. Throws when the message should be delivered again. */
async function work(services: RenderServices, { jobId, positions }: RenderMessage, messageId: string) {
  const { db } = services;
  const claimant = { messageId, leaseId: leaseOf(messageId, newId()) };
  const outputs = await claimOutputs(db, jobId, positions, claimant, clock.now());
  if (outputs.length > 0) {
    try {
      await draw(services, jobId, outputs, claimant.leaseId);
    } catch (thrown) {
      await afterFault(db, jobId, outputs, claimant.leaseId);
      throw thrown;
    }
  } else if (await hasExhaustedOutput(db, jobId, positions, claimant, clock.now())) {
    await failJob(db, jobId, RENDERING_FAILED, clock.now());
  }
  await finishJob(db, jobId, clock.now());
}

async function draw(
  { db, bucket }: RenderServices,
  jobId: string,
  outputs: readonly ClaimedOutput[],
  leaseId: string,
): Promise<void> {
  const found = await findJobToDraw(db, jobId);
  if (found === null) throw new Error("a claimed output has no job");
  if ((await fingerprintOf(found.job, found.inputs, ENGINE_VERSION)) !== found.job.renderFingerprint) {
    throw new EngineDiffers();
  }
  const startedAtMs = clock.now();
  const drawn = await withRenderer((renderer) =>
    drawOutputs({ db, bucket, renderer }, { ...found, outputs, leaseId }),
  );
  if (drawn.kind === "refused") await failJob(db, jobId, drawn.failure, clock.now());
  log.line({
    event: `outputs_${drawn.kind}`,
    jobId,
    count: outputs.length,
    durationMs: clock.now() - startedAtMs,
    ...(drawn.kind === "refused" ? { code: drawn.failure.code } : {}),
  });
}

/** After a fault the outputs are given back for the next delivery; the last attempt's fault ends the job. */
async function afterFault(
  db: D1Database,
  jobId: string,
  outputs: readonly ClaimedOutput[],
  leaseId: string,
): Promise<void> {
  await releaseOutputs(db, jobId, leaseId);
  if (outputs.some((output) => output.attempts >= LIMITS.outputAttemptsMax)) {
    await failJob(db, jobId, RENDERING_FAILED, clock.now());
  }
}
