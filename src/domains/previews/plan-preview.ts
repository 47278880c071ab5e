import { accept, ERRORS, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import type { PreviewProtection } from "#api/preview-quota.ts";
import type { CreatePreviewRequest } from "#api/schemas/preview.ts";
import type { PreviewFrame } from "#renderer/index.ts";
import type { Asset } from "../assets/asset.ts";
import type { JobInputs, JobPlan } from "../jobs/job.ts";
import { planOfSize } from "../jobs/plan-design.ts";
import { type InputLookup, planRequest } from "../jobs/prepare-inputs.ts";
import { type PreviewCacheKey, previewIdOf } from "./cache-key.ts";

/** A plan of one size with its inputs. */
export interface PreviewPlan {
  readonly plan: JobPlan;
  readonly inputs: JobInputs;
  /** The frame of an animation to show; `last` for a static size. */
  readonly frame: PreviewFrame;
  readonly cacheKey: PreviewCacheKey;
}

/** This route has no 422 (API §4.29): a job's 422 becomes a 400 with the same code in `details.reason`. */
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
 * Plans the first size of a request, with a job's checks: 400 with `details.reason` (plan, assets, copy), then 409
 * ASSET_NOT_READY. All sizes must belong to the contract, though only one is rendered. `found` are the workspace's
 * assets among those named, if already read; a brand's assets are read here.
 */
export async function planPreview(
  lookup: InputLookup,
  workspaceId: string,
  { frame = "last", ...request }: CreatePreviewRequest,
  protection: PreviewProtection,
  found: readonly Asset[] | null,
): Promise<Outcome<PreviewPlan>> {
  const planned = await planRequest(lookup, workspaceId, request, found);
  if (!planned.ok) return asPreviewRefusal(planned);
  const { plan: pack, inputs } = planned.value;
  const [sizeId] = pack.selectedSizeIds;
  if (sizeId === undefined) throw new Error("a plan has a size");
  const plan = planOfSize(pack, sizeId);
  return accept({
    plan,
    inputs,
    frame,
    cacheKey: { previewId: await previewIdOf(plan, inputs, frame), protection },
  });
}
