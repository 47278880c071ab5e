import { accept, type Outcome } from "#api/errors.ts";
import { costOfPack } from "#api/prices.ts";
import type { PackRequest } from "#api/schemas/job.ts";
import { ENGINE_VERSION } from "#renderer/version.ts";
import { readBrandDesign } from "../brands/brand.ts";
import { fingerprintOf, planPack } from "./pack-plan.ts";
import { type InputLookup, prepareInputs } from "./prepare-inputs.ts";

/** What a job would be, were it created now. */
export interface JobQuote {
  readonly costCredits: number;
  readonly renderFingerprint: string;
}

/** Decides all that creating the job would, but nothing of money: 422 (brand, plan, assets, copy), then 409 ASSET_NOT_READY. */
export async function quoteJob(
  deps: InputLookup,
  workspaceId: string,
  request: PackRequest,
): Promise<Outcome<JobQuote>> {
  const design = await readBrandDesign(deps.db, workspaceId, request.brandId);
  if (!design.ok) return design;
  const plan = planPack(request, deps.offersMp4, design.value);
  if (!plan.ok) return plan;
  const inputs = await prepareInputs(deps, workspaceId, plan.value);
  if (!inputs.ok) return inputs;
  return accept({
    costCredits: costOfPack(plan.value.motion, plan.value.selectedSizeIds.length),
    renderFingerprint: await fingerprintOf(plan.value, inputs.value, ENGINE_VERSION),
  });
}
