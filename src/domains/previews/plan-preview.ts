import { accept, ERRORS, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import type { PreviewProtection } from "#api/preview-quota.ts";
import type { CreatePreviewRequest } from "#api/schemas/preview.ts";
import type { PreviewFrame } from "#renderer/index.ts";
import type { Asset } from "../assets/asset.ts";
import { readBrandDesign } from "../brands/brand.ts";
import type { JobInputs, JobPlan } from "../jobs/job.ts";
import { planPack } from "../jobs/pack-plan.ts";
import { planOfSize } from "../jobs/plan-design.ts";
import { type InputLookup, prepareInputs, validateInputs } from "../jobs/prepare-inputs.ts";
import { type PreviewCacheKey, previewIdOf } from "./cache-key.ts";

/** One size of a pack, its inputs found. */
export interface PreviewPlan {
  readonly plan: JobPlan;
  readonly inputs: JobInputs;
  /** Of an animation; `last` of a still. */
  readonly frame: PreviewFrame;
  readonly cacheKey: PreviewCacheKey;
}

/** This route lists no 422 (API §4.29): what a job would answer with one is a 400 that names the job's code. */
function asPreviewRefusal(refusal: Refusal): Refusal {
  const { status, nextAction } = ERRORS[refusal.code];
  if (status !== 422) return refusal;
  return refuse("INVALID_REQUEST", refusal.message, {
    nextAction,
    ...refusal.details,
    reason: refusal.code,
  });
}

/**
 * The first size of a request, checked as a job's would be. 400 with `details.reason` (plan,
 * assets, copy), then 409 ASSET_NOT_READY. All sizes must be the contract's, though only one is rendered. `found` are the
 * workspace's assets among those named, where they were read already; those of a brand are read here.
 */
export async function planPreview(
  lookup: InputLookup,
  workspaceId: string,
  { frame = "last", ...request }: CreatePreviewRequest,
  protection: PreviewProtection,
  found: readonly Asset[] | null,
): Promise<Outcome<PreviewPlan>> {
  const design = await readBrandDesign(lookup.db, workspaceId, request.brandId);
  if (!design.ok) return asPreviewRefusal(design);
  const pack = planPack(request, lookup.offersMp4, design.value);
  if (!pack.ok) return asPreviewRefusal(pack);
  const inputs =
    found === null || request.brandId !== undefined
      ? await prepareInputs(lookup, workspaceId, pack.value)
      : await validateInputs(lookup, pack.value, found);
  if (!inputs.ok) return asPreviewRefusal(inputs);
  const [sizeId] = pack.value.selectedSizeIds;
  if (sizeId === undefined) throw new Error("a plan has a size");
  const plan = planOfSize(pack.value, sizeId);
  return accept({
    plan,
    inputs: inputs.value,
    frame,
    cacheKey: { previewId: await previewIdOf(plan, inputs.value, frame), protection },
  });
}
