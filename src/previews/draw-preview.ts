import { uint8ArrayToBase64 } from "uint8array-extras";
import { accept, type Outcome, type Refusal, refuse } from "../contract/errors.ts";
import { type KeptPreview, keptPreviewSchema } from "../contract/schemas/preview.ts";
import type { JobPlan } from "../jobs/job.ts";
import { loadInputs } from "../jobs/load-inputs.ts";
import { sizesOf } from "../jobs/pack-plan.ts";
import { sha256Hex } from "../platform/hashing.ts";
import type { PredictedOutput, RenderedPreview, Renderer } from "../renderer/index.ts";
import type { PreviewPlan } from "./plan-preview.ts";

/** 502: the inputs cannot be drawn, and will not be the next time. */
const cannotBeDrawn = (failure: { readonly code: string; readonly message: string }): Refusal =>
  refuse("PREVIEW_RENDER_FAILED", failure.message, { reason: failure.code });

/** The same for one size, which the words name, as those of a failed job do. */
const cannotBeDrawnIn = (
  sizeId: string,
  { code, message }: { readonly code: string; readonly message: string },
) => cannotBeDrawn({ code, message: `${sizeId}: ${message}` });

/** Draws a planned preview. 502 PREVIEW_RENDER_FAILED with `details.reason`; throws when infrastructure fails. */
export async function drawPreview(
  bucket: R2Bucket,
  renderer: Renderer,
  planned: PreviewPlan,
): Promise<Outcome<KeptPreview>> {
  const { plan, inputs, subject, markSeed } = planned;
  const loaded = await loadInputs(bucket, plan, inputs);
  if (!loaded.ok) return cannotBeDrawn(loaded);
  const [size] = sizesOf(plan);
  if (size === undefined) throw new Error("a plan has a size");
  const pack = await renderer.prepare(loaded.value);
  if (!pack.ok) return cannotBeDrawn(pack);
  try {
    const drawn = await renderer.preview(pack.value, {
      size,
      motion: plan.motion,
      format: plan.outputFormat,
      protection: subject.protection,
      markSeed,
    });
    return drawn.ok ? accept(await toKept(drawn.value, planned)) : cannotBeDrawnIn(size.sizeId, drawn);
  } finally {
    pack.value.close();
  }
}

/** The preview as it is published: holding it against the schema here keeps anything else out of the cache. */
async function toKept(drawn: RenderedPreview, { plan, subject }: PreviewPlan): Promise<KeptPreview> {
  return keptPreviewSchema.parse({
    previewId: subject.previewId,
    image: {
      contentType: "image/png",
      width: drawn.width,
      height: drawn.height,
      byteLength: drawn.bytes.byteLength,
      sha256: await sha256Hex(drawn.bytes),
      base64: uint8ArrayToBase64(drawn.bytes),
    },
    protection: subject.protection,
    layout: drawn.layout,
    predicted: drawn.predicted === null ? null : predictedOf(drawn.predicted, plan),
  });
}

function predictedOf(predicted: PredictedOutput, { outputFormat, motion }: JobPlan) {
  if (predicted.ok) {
    const { byteLength, compliance } = predicted;
    return { outputFormat, motion, byteLength, compliance, failure: null };
  }
  const { code, message } = predicted;
  return { outputFormat, motion, byteLength: null, compliance: null, failure: { code, message } };
}
