import type { Size } from "#catalogue/types.ts";
import { fileObjectKey, type OutputFile } from "#domains/artifacts/artifact.ts";
import { storeFile } from "#domains/artifacts/stored-file.ts";
import { type ClaimedPart, completePart } from "#domains/jobs/claim-parts.ts";
import type { Failure } from "#domains/jobs/end-job.ts";
import { loadInputs } from "#domains/jobs/load-inputs.ts";
import { sizesOf } from "#domains/jobs/pack-plan.ts";
import type { PartOfDrawnJob } from "#domains/jobs/part-store.ts";
import { sizeIdsOfPart } from "#domains/jobs/parts.ts";
import { designOf } from "#domains/jobs/plan-design.ts";
import type { JobToRender } from "#domains/jobs/store.ts";
import { clock } from "#platform/clock.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { newId } from "#platform/ids.ts";
import { FaultIn } from "#platform/log/fault.ts";
import { log } from "#platform/log/log.ts";
import { pick } from "#platform/pick.ts";
import type { PreparedPack, RenderedFile, RenderedOutput, Renderer } from "#renderer/index.ts";
import { ENGINE_VERSION } from "#renderer/version.ts";
import { largestFirst } from "./render-order.ts";

interface RenderDeps {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
  readonly renderer: Renderer;
}

/** What was claimed, and under which lease. */
export interface Assignment {
  readonly job: JobToRender;
  readonly parts: readonly ClaimedPart[];
  readonly leaseId: string;
}

/**
 * How an assignment ended: `lost` when another attempt or the job's end took the lease away. `parts` are those of the job
 * where its last was drawn, and none before.
 */
type Rendered =
  | { readonly kind: "drawn"; readonly parts: readonly PartOfDrawnJob[] }
  | { readonly kind: "lost" }
  | { readonly kind: "refused"; readonly failure: Failure; readonly sizeId?: string };

/**
 * A pause before each output: rendering keeps the isolate busy without a break, and the requests that share it, such as
 * the poll for this very job, would wait for the whole message otherwise.
 */
const PAUSE_MS = 1;

const fileNameOf = (sizeId: string, file: RenderedFile): string =>
  `${sizeId}${file.role === "backup" ? "-backup" : ""}.${file.extension}`;

/** Stores a rendered output's files, each under the name that any repeat would give it. */
async function storeOutput(
  bucket: R2Bucket,
  job: JobToRender,
  output: RenderedOutput,
): Promise<OutputFile[]> {
  const stored: OutputFile[] = [];
  for (const file of output.files) {
    const fileName = fileNameOf(output.sizeId, file);
    const record: OutputFile = {
      fileId: newId(),
      sizeId: output.sizeId,
      role: file.role,
      fileName,
      ...pick(file, "width", "height", "contentType"),
      byteLength: file.bytes.byteLength,
      sha256: await sha256Hex(file.bytes),
      compliance: file.compliance,
      layout: output.layout,
      engineVersion: ENGINE_VERSION,
      ...(file.animation !== null && { animation: file.animation }),
    };
    const objectKey = fileObjectKey(job.workspaceId, job.artifactId, fileName);
    await storeFile(bucket, { ...record, objectKey }, file.bytes);
    stored.push(record);
  }
  return stored;
}

type RenderedPart =
  | { readonly ok: true; readonly value: readonly OutputFile[] }
  | (Failure & { readonly ok: false; readonly sizeId: string });

/** Renders and stores the outputs of a part. A repeat overwrites what an attempt that died has stored of them. */
async function renderPart(
  { bucket, renderer }: RenderDeps,
  job: JobToRender,
  pack: PreparedPack,
  sizes: readonly Size[],
): Promise<RenderedPart> {
  const filesOf = new Map<Size, readonly OutputFile[]>();
  for (const { size } of largestFirst(sizes.map((one) => ({ size: one })))) {
    await scheduler.wait(PAUSE_MS);
    const startedAtMs = clock.now();
    const { sizeId } = size;
    try {
      const rendered = await renderer.render(pack, {
        size,
        ...designOf(job, sizeId),
        motion: job.motion,
        format: job.outputFormat,
      });
      if (!rendered.ok) return { ...rendered, sizeId, message: `${sizeId}: ${rendered.message}` };
      filesOf.set(size, await storeOutput(bucket, job, rendered.value));
    } catch (thrown) {
      throw new FaultIn({ sizeId }, thrown);
    }
    log.line({
      event: "output_drawn",
      ...pick(job, "jobId", "workspaceId"),
      sizeId,
      durationMs: clock.now() - startedAtMs,
    });
  }
  return { ok: true, value: sizes.flatMap((size) => filesOf.get(size) ?? []) };
}

/**
 * Renders, stores and completes each part of an assignment, a part in one write. Throws when a service fails; all of it
 * may be repeated.
 */
export async function renderParts(deps: RenderDeps, assignment: Assignment): Promise<Rendered> {
  const { job, leaseId } = assignment;
  const loaded = await loadInputs(deps.bucket, job, job.inputs);
  if (!loaded.ok) return { kind: "refused", failure: loaded };
  const bySizeId = new Map(sizesOf(job).map((size) => [size.sizeId, size]));
  const pack = await deps.renderer.prepare(loaded.value);
  if (!pack.ok) return { kind: "refused", failure: pack };
  let drawn: readonly PartOfDrawnJob[] = [];
  try {
    for (const { part } of assignment.parts) {
      const sizes = sizeIdsOfPart(job, part).flatMap((sizeId) => bySizeId.get(sizeId) ?? []);
      const files = await renderPart(deps, job, pack.value, sizes);
      if (!files.ok) return { kind: "refused", failure: files, sizeId: files.sizeId };
      const done = { part, outputs: sizes.length, files: files.value };
      const completed = await completePart(deps.db, job.jobId, leaseId, done, clock.now());
      if (completed === null) return { kind: "lost" };
      drawn = completed;
    }
  } finally {
    pack.value.close();
  }
  return { kind: "drawn", parts: drawn };
}
