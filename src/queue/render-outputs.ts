import { fileObjectKey, type OutputFile } from "../artifacts/artifact.ts";
import { storeFile } from "../artifacts/stored-file.ts";
import { type ClaimedOutput, completeOutput } from "../jobs/claim-outputs.ts";
import type { Failure } from "../jobs/end-job.ts";
import { loadInputs } from "../jobs/load-inputs.ts";
import { designOf } from "../jobs/output-design.ts";
import { sizesOf } from "../jobs/pack-plan.ts";
import type { JobToRender } from "../jobs/store.ts";
import { clock } from "../platform/clock.ts";
import { sha256Hex } from "../platform/hashing.ts";
import { newId } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import { pick } from "../platform/pick.ts";
import type { RenderedFile, RenderedOutput, Renderer } from "../renderer/index.ts";
import { largestFirst } from "./render-order.ts";

interface RenderDeps {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
  readonly renderer: Renderer;
}

/** What was claimed, and under which lease. */
interface Assignment {
  readonly job: JobToRender;
  readonly outputs: readonly ClaimedOutput[];
  readonly leaseId: string;
}

/** How an assignment ended: `lost` when another attempt or the job's end took the lease away. */
type Rendered =
  | { readonly kind: "drawn" }
  | { readonly kind: "lost" }
  | { readonly kind: "refused"; readonly failure: Failure };

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
      objectKey: fileObjectKey(job.workspaceId, job.artifactId, fileName),
      compliance: file.compliance,
      layout: output.layout,
      animation: file.animation,
    };
    await storeFile(bucket, record, file.bytes);
    stored.push(record);
  }
  return stored;
}

/**
 * Renders, stores and completes each output of an assignment. How the outputs of a job were split into messages changes
 * no byte of them. Throws when a service fails; all of it may be repeated.
 */
export async function renderOutputs(deps: RenderDeps, assignment: Assignment): Promise<Rendered> {
  const { job, leaseId } = assignment;
  const loaded = await loadInputs(deps.bucket, job, job.inputs);
  if (!loaded.ok) return { kind: "refused", failure: loaded };
  const bySizeId = new Map(sizesOf(job).map((size) => [size.sizeId, size]));
  const outputs = assignment.outputs.map(({ position, sizeId }) => {
    const size = bySizeId.get(sizeId);
    if (size === undefined) throw new Error("an output's size is not one of its job's");
    return { position, size };
  });
  const pack = await deps.renderer.prepare(loaded.value);
  if (!pack.ok) return { kind: "refused", failure: pack };
  try {
    for (const { position, size } of largestFirst(outputs)) {
      await scheduler.wait(PAUSE_MS);
      const startedAtMs = clock.now();
      const { sizeId } = size;
      const rendered = await deps.renderer.render(pack.value, {
        size,
        ...designOf(job, sizeId),
        motion: job.motion,
        format: job.outputFormat,
      });
      if (!rendered.ok) {
        const { code, message } = rendered;
        return { kind: "refused", failure: { code, message: `${sizeId}: ${message}` } };
      }
      const files = await storeOutput(deps.bucket, job, rendered.value);
      const isCompleted = await completeOutput(deps.db, job.jobId, position, leaseId, files, clock.now());
      if (!isCompleted) return { kind: "lost" };
      log.line({
        event: "output_drawn",
        jobId: job.jobId,
        sizeId,
        durationMs: clock.now() - startedAtMs,
      });
    }
  } finally {
    pack.value.close();
  }
  return { kind: "drawn" };
}
