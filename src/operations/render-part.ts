import { LIMITS } from "#api/limits.ts";
import { atScale } from "#catalogue/scales.ts";
import type { Size } from "#catalogue/types.ts";
import type { OutputFile } from "#domains/artifacts/artifact.ts";
import { storeFile } from "#domains/artifacts/stored-file.ts";
import {
  type Failure,
  type FailureCause,
  failJob,
  finishDrawnJob,
  finishJob,
  RENDERING_FAILED,
} from "#domains/jobs/end-job.ts";
import { loadInputs } from "#domains/jobs/load-inputs.ts";
import { fingerprintOf, sizesOf } from "#domains/jobs/pack-plan.ts";
import {
  type ClaimedPart,
  claimPart,
  completePart,
  exhaustedPart,
  keepLease,
  type PartName,
  type PartOfDrawnJob,
  releasePart,
} from "#domains/jobs/part-store.ts";
import { designOf, largestFirst } from "#domains/jobs/plan-design.ts";
import { landingOf } from "#domains/jobs/plan-landing.ts";
import type { JobToRender } from "#domains/jobs/store.ts";
import { clock } from "#platform/clock.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import type { LeaseHolder } from "#platform/db/lease.ts";
import { newId } from "#platform/ids.ts";
import { DONE, EXHAUSTED, type MessageResult } from "#platform/leased-work/message-result.ts";
import { FaultIn, faultOf } from "#platform/log/fault.ts";
import { log } from "#platform/log/log.ts";
import { pick } from "#platform/pick-members.ts";
import { withRenderer } from "#platform/render-engine.ts";
import type { PreparedPack, RenderedFile, RenderedOutput, Renderer } from "#renderer/index.ts";
import { ENGINE_VERSION, engineOf } from "#renderer/version.ts";

export interface RenderServices {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
  /** Sends the jobs that waited for this job's queue slot, once this job has ended. Never throws. */
  readonly sendNext: (jobId: string) => Promise<void>;
}

/** The files of a part's outputs, or why the inputs cannot be rendered. */
type Drawn =
  | { readonly ok: true; readonly value: readonly OutputFile[] }
  | (Failure & { readonly ok: false; readonly sizeId?: string });

/**
 * Renders one part of a job: claim, check the engine, load, prepare, draw, store, complete, finish. Throws after a
 * fault; the message is then retried, and every step may be repeated.
 */
export async function renderPart(
  services: RenderServices,
  name: PartName,
  holder: LeaseHolder,
): Promise<MessageResult> {
  const { db, bucket, sendNext } = services;
  const claimed = await claimPart(db, name, holder, clock.now());
  if (claimed === null) return settleUnclaimed(services, name, holder);
  const { job } = claimed;

  const drawnParts = await underLease(services, claimed, async () => {
    await checkEngine(job);
    const startedAtMs = clock.now();
    const drawn = await withRenderer(async (renderer) => {
      const inputs = await loadInputs(bucket, job, job.inputs);
      if (!inputs.ok) return inputs;
      const pack = await renderer.prepare(inputs.value);
      return pack.ok ? drawAndStore(bucket, renderer, pack.value, claimed) : pack;
    });
    if (drawn.ok) return complete(db, claimed, drawn.value, startedAtMs);
    await refuse(services, claimed, drawn, startedAtMs);
    return [];
  });

  if (await finishDrawnJob(services, drawnParts, clock.now())) await sendNext(job.jobId);
  return DONE;
}

/**
 * Handles a failed claim. If the part's last attempt crashed, the job fails. Otherwise an earlier attempt may have
 * drawn the job's last part and then stopped, so the job is finished and the next job is sent.
 */
async function settleUnclaimed(
  services: RenderServices,
  name: PartName,
  holder: LeaseHolder,
): Promise<MessageResult> {
  const { db, sendNext } = services;
  if ((await exhaustedPart.first(db, { ...name, ...holder, nowMs: clock.now() })) !== null) {
    await failAndSendNext(services, name.jobId, RENDERING_FAILED, { reason: "attempts-used-up" });
    return EXHAUSTED;
  }
  await finishJob(services, name.jobId, clock.now());
  await sendNext(name.jobId);
  return DONE;
}

async function failAndSendNext(
  { db, sendNext }: RenderServices,
  jobId: string,
  failure: Failure,
  cause: FailureCause,
): Promise<void> {
  await failJob(db, jobId, failure, clock.now(), cause);
  await sendNext(jobId);
}

/** Renews the lease while the work runs. A fault releases the part for the next attempt. */
async function underLease<T>(
  services: RenderServices,
  claimed: ClaimedPart,
  work: () => Promise<T>,
): Promise<T> {
  const stopRenewal = keepLease(services.db, claimed);
  try {
    return await work();
  } catch (thrown) {
    const fault = new FaultIn(pick(claimed.job, "workspaceId"), thrown);
    try {
      await settleFault(services, claimed, fault);
    } catch (unsettled) {
      log.failure({ event: "render_fault_unsettled", jobId: claimed.jobId }, unsettled);
    }
    throw fault;
  } finally {
    stopRenewal();
  }
}

/** Releases the part; a fault in its last attempt fails the job. */
async function settleFault(services: RenderServices, claimed: ClaimedPart, fault: FaultIn): Promise<void> {
  await releasePart.run(services.db, claimed);
  if (claimed.attempts >= LIMITS.partAttemptsMax) {
    await failAndSendNext(services, claimed.jobId, RENDERING_FAILED, faultOf(fault));
  }
}

/** The job's fingerprint was made by another engine version. */
class EngineDiffers extends Error {
  override readonly name = "EngineDiffers";
}

/**
 * Throws if the job's fingerprint was made by another engine version, because identical fingerprints promise identical
 * bytes. During a deployment, a later attempt may run on the right version; afterwards, the attempts run out and the
 * job is refunded.
 */
async function checkEngine(job: JobToRender): Promise<void> {
  if ((await fingerprintOf(job, job.inputs, engineOf(job.livemode))) !== job.renderFingerprint) {
    throw new EngineDiffers();
  }
}

/**
 * A pause before each output and between a video's frames. Rendering blocks the isolate; without pauses its other
 * requests, such as the poll for this job, would wait for the whole part.
 */
const PAUSE_MS = 1;

/** Draws each output of the part and stores its files. Overwrites files of a crashed attempt. */
async function drawAndStore(
  bucket: R2Bucket,
  renderer: Renderer,
  pack: PreparedPack,
  claimed: ClaimedPart,
): Promise<Drawn> {
  const { job } = claimed;
  const filesOf = new Map<Size, readonly OutputFile[]>();
  const sizes = sizesOf({ ...job, selectedSizeIds: claimed.sizeIds });
  try {
    for (const size of largestFirst(sizes)) {
      await scheduler.wait(PAUSE_MS);
      const startedAtMs = clock.now();
      const { sizeId } = size;
      try {
        const output = await draw(renderer, pack, job, size);
        if (!output.ok) return { ...output, sizeId, message: `${sizeId}: ${output.message}` };
        filesOf.set(size, await store(bucket, job, output.value));
      } catch (thrown) {
        throw new FaultIn({ sizeId }, thrown);
      }
      const durationMs = clock.now() - startedAtMs;
      log.line({ event: "output_drawn", ...pick(job, "jobId", "workspaceId"), sizeId, durationMs });
    }
  } finally {
    pack.close();
  }
  return { ok: true, value: sizes.flatMap((size) => filesOf.get(size) ?? []) };
}

function draw(renderer: Renderer, pack: PreparedPack, job: JobToRender, size: Size) {
  const { scale, ...design } = designOf(job, size.sizeId);
  return renderer.render(pack, {
    size: atScale(size, scale),
    ...design,
    motion: job.motion,
    format: job.outputFormat,
    ...landingOf(job),
    isTest: !job.livemode,
    pause: () => scheduler.wait(PAUSE_MS),
  });
}

/** File name with the scale suffix that designers use: `iab-300x250@2x.png`. */
const fileNameOf = ({ sizeId, layout }: RenderedOutput, { role, extension }: RenderedFile): string =>
  `${sizeId}${role === "backup" ? "-backup" : ""}${layout.scale === undefined ? "" : `@${layout.scale}x`}.${extension}`;

/** Stores an output's files. A repeated attempt uses the same names, and so overwrites them. */
async function store(bucket: R2Bucket, job: JobToRender, output: RenderedOutput): Promise<OutputFile[]> {
  const { sizeId, layout, files } = output;
  const stored: OutputFile[] = [];
  for (const file of files) {
    const record: OutputFile = {
      fileId: newId(),
      sizeId,
      fileName: fileNameOf(output, file),
      ...pick(file, "role", "width", "height", "contentType", "compliance"),
      byteLength: file.bytes.byteLength,
      sha256: await sha256Hex(file.bytes),
      layout,
      engineVersion: ENGINE_VERSION,
      ...(file.animation !== null && { animation: file.animation }),
    };
    await storeFile(bucket, job, record, file.bytes);
    stored.push(record);
  }
  return stored;
}

/**
 * Completes the part in one write. Returns all parts of the job if this was the last one; otherwise, or if the lease
 * was lost, an empty list.
 */
async function complete(
  db: D1Database,
  claimed: ClaimedPart,
  files: readonly OutputFile[],
  startedAtMs: number,
): Promise<readonly PartOfDrawnJob[]> {
  const parts = await completePart(db, claimed, files);
  logEnd(claimed, startedAtMs, { event: parts === null ? "outputs_lost" : "outputs_drawn" });
  return parts ?? [];
}

/** Fails the job because its inputs cannot be rendered. */
async function refuse(
  services: RenderServices,
  claimed: ClaimedPart,
  { code, message, sizeId }: Extract<Drawn, { ok: false }>,
  startedAtMs: number,
): Promise<void> {
  const cause = { reason: "inputs", ...(sizeId !== undefined && { sizeId }) };
  await failAndSendNext(services, claimed.jobId, { code, message }, cause);
  logEnd(claimed, startedAtMs, { event: "outputs_refused", code });
}

const logEnd = (claimed: ClaimedPart, startedAtMs: number, end: { event: string; code?: string }): void =>
  log.line({
    ...end,
    ...pick(claimed.job, "jobId", "workspaceId"),
    count: claimed.sizeIds.length,
    durationMs: clock.now() - startedAtMs,
  });
