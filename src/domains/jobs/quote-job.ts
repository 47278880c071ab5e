import { accept, type Outcome } from "#api/errors.ts";
import { costOfPack } from "#api/prices.ts";
import type { PackRequest } from "#api/schemas/job.ts";
import { engineOf } from "#renderer/version.ts";
import { fingerprintOf } from "./pack-plan.ts";
import { type InputLookup, planRequest } from "./prepare-inputs.ts";

/** Cost and fingerprint of a job that would be created now. */
export interface JobQuote {
  readonly costCredits: number;
  readonly renderFingerprint: string;
}

/**
 * Checks everything that creating the job would, except payment: 422 (brand, plan, assets, copy), then 409
 * ASSET_NOT_READY.
 */
export async function quoteJob(
  deps: InputLookup,
  { workspaceId, livemode }: { readonly workspaceId: string; readonly livemode: boolean },
  request: PackRequest,
): Promise<Outcome<JobQuote>> {
  const planned = await planRequest(deps, workspaceId, request, null);
  if (!planned.ok) return planned;
  const { plan, inputs } = planned.value;
  return accept({
    costCredits: costOfPack(plan.motion, plan.selectedSizeIds.length),
    renderFingerprint: await fingerprintOf(plan, inputs, engineOf(livemode)),
  });
}
