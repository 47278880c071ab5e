import { accept, type Outcome, refuse } from "#api/errors.ts";
import { latest } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";
import { pick } from "#platform/pick-members.ts";
import { FontLibraryFault } from "#renderer/index.ts";
import type { Asset } from "../assets/asset.ts";
import { idsOf, validateReadyInputs } from "../assets/ready-inputs.ts";
import { assetsByIds } from "../assets/store.ts";
import { type CharacterCheck, checkCopy, checkFit, type FitCheck } from "./copy-checks.ts";
import type { JobInput, JobInputs, JobPlan } from "./job.ts";
import { copiesOf } from "./plan-design.ts";

/** What looks up the inputs of a plan. */
export interface InputLookup extends CharacterCheck, FitCheck {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
  /** False where this origin has MP4 turned off or no queue for videos. */
  readonly offersMp4: boolean;
}

/** Where the bytes lie that a plan names, or the first refusal in the order of the contract: 422s, then 409. */
export async function prepareInputs(
  deps: InputLookup,
  workspaceId: string,
  plan: JobPlan,
): Promise<Outcome<JobInputs>> {
  const ids = idsOf({ ...plan.assetIds, ...plan.brandAssetIds });
  const named = { workspaceId, assetIds: JSON.stringify(ids) };
  const found = ids.length === 0 ? [] : await assetsByIds.all(latest(deps.db), named);
  return validateInputs(deps, plan, found);
}

/** As `prepareInputs`, of assets that were read already. */
export async function validateInputs(
  deps: Omit<InputLookup, "db">,
  plan: JobPlan,
  found: readonly Asset[],
): Promise<Outcome<JobInputs>> {
  const named = { ...plan.assetIds, ...plan.brandAssetIds };
  const inputs = validateReadyInputs(named, found);
  const isOnlyUnready = !inputs.ok && inputs.code === "ASSET_NOT_READY";
  if (!inputs.ok && !isOnlyUnready) return inputs;
  // Copy that the font or a size cannot take is a 422 and so comes before the 409, as far as the font itself is ready.
  const known = inputs.ok ? inputs : validateReadyInputs(pick(named, "font", "textFont"), found);
  if (known.ok) {
    const { font = null, textFont = null } = known.value;
    const words = await checkWords(deps, plan, font, textFont);
    if (!words.ok) return words;
  }
  if (!inputs.ok) return inputs;
  return accept(
    Object.fromEntries(
      Object.entries(inputs.value).map(([slotId, { objectKey, mimeType, sha256 }]) => [
        slotId,
        { objectKey, mimeType, sha256 },
      ]),
    ),
  );
}

/** Whether fonts have the words of a plan and its sizes hold them; 429 SERVICE_BUSY while the font library is out of reach. */
async function checkWords(
  deps: Omit<InputLookup, "db">,
  plan: JobPlan,
  font: JobInput | null,
  textFont: JobInput | null,
): Promise<Outcome<void>> {
  try {
    // The text font sets what the headline's lacks, too.
    const copy = await checkCopy(deps, copiesOf(plan), textFont ?? font);
    return copy.ok ? await checkFit(deps, plan, font, textFont) : copy;
  } catch (thrown) {
    if (!(thrown instanceof FontLibraryFault)) throw thrown;
    log.failure({ event: "font_library_unreachable" }, thrown);
    return refuse("SERVICE_BUSY", "The fonts for these words cannot be reached at the moment.");
  }
}
