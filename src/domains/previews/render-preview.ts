import { uint8ArrayToBase64 } from "uint8array-extras";
import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { type CachedPreview, cachedPreviewSchema } from "#api/schemas/preview.ts";
import { atScale } from "#catalogue/scales.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { pick } from "#platform/pick-members.ts";
import type { PredictedOutput, RenderedPreview, Renderer } from "#renderer/index.ts";
import type { JobPlan } from "../jobs/job.ts";
import { loadInputs } from "../jobs/load-inputs.ts";
import { sizesOf } from "../jobs/pack-plan.ts";
import { landingOf } from "../jobs/plan-landing.ts";
import type { PreviewPlan } from "./plan-preview.ts";

/** 502: the inputs cannot be rendered, and a retry would fail too. */
const cannotBeRendered = (failure: { readonly code: string; readonly message: string }): Refusal =>
  refuse("PREVIEW_RENDER_FAILED", failure.message, { reason: failure.code });

/** Like `cannotBeRendered`, with the size in the message, as for a failed job. */
const cannotBeRenderedIn = (
  sizeId: string,
  { code, message }: { readonly code: string; readonly message: string },
) => cannotBeRendered({ code, message: `${sizeId}: ${message}` });

/** A preview with the fingerprint that near-identical pictures share. */
export interface DrawnPreview {
  readonly preview: CachedPreview;
  readonly likeness: ArrayBuffer;
}

/** Renders a planned preview. 502 PREVIEW_RENDER_FAILED with `details.reason`; throws when infrastructure fails. */
export async function renderPreview(
  bucket: R2Bucket,
  renderer: Renderer,
  planned: PreviewPlan,
  markSeed: number,
): Promise<Outcome<DrawnPreview>> {
  const { plan, inputs, frame, cacheKey } = planned;
  const loaded = await loadInputs(bucket, plan, inputs);
  if (!loaded.ok) return cannotBeRendered(loaded);
  const [size] = sizesOf(plan);
  if (size === undefined) throw new Error("a plan has a size");
  const pack = await renderer.prepare(loaded.value);
  if (!pack.ok) return cannotBeRendered(pack);
  try {
    const rendered = await renderer.preview(pack.value, {
      size: atScale(size, plan.scale),
      ...pick(plan, "variant", "composition", "motion"),
      format: plan.outputFormat,
      frame,
      ...landingOf(plan),
      protection: cacheKey.protection,
      markSeed,
    });
    return rendered.ok
      ? accept({ preview: await toCached(rendered.value, planned), likeness: rendered.value.likeness.buffer })
      : cannotBeRenderedIn(size.sizeId, rendered);
  } finally {
    pack.value.close();
  }
}

/** The published preview. Parsing it with the schema keeps everything else out of the cache. */
async function toCached(rendered: RenderedPreview, { plan, cacheKey }: PreviewPlan): Promise<CachedPreview> {
  return cachedPreviewSchema.parse({
    previewId: cacheKey.previewId,
    image: {
      contentType: "image/png",
      width: rendered.width,
      height: rendered.height,
      byteLength: rendered.bytes.byteLength,
      sha256: await sha256Hex(rendered.bytes),
      base64: uint8ArrayToBase64(rendered.bytes),
    },
    protection: cacheKey.protection,
    layout: rendered.layout,
    predicted: rendered.predicted === null ? null : predictedOf(rendered.predicted, plan),
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
