import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { PackRequest } from "#api/schemas/job.ts";
import { latest } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";
import { pick } from "#platform/pick-members.ts";
import { FontLibraryFault } from "#renderer/index.ts";
import type { Asset } from "../assets/asset.ts";
import { idsOf, type NamedAssets, validateReadyInputs } from "../assets/ready-inputs.ts";
import { assetsByIds } from "../assets/store.ts";
import { readBrandDesign } from "../brands/brand.ts";
import { type CharacterCheck, checkCopy, checkFit, type FitCheck } from "./copy-checks.ts";
import type { JobInput, JobInputs, JobPlan } from "./job.ts";
import { planPack } from "./pack-plan.ts";
import { copiesOf } from "./plan-design.ts";

/** Bindings and checks for a plan's inputs. */
export interface InputLookup extends CharacterCheck, FitCheck {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
  /** False when this origin has MP4 turned off or no queue for videos. */
  readonly offersMp4: boolean;
}

/**
 * The plan of a request and the stored location of its inputs, or the first refusal: 422s (brand, plan, assets, copy),
 * then 409. `found` are the workspace's assets that the request names, if they were read already; a brand's assets are
 * read here. The `awaited` slots name assets that do not exist yet; checks that need them are skipped.
 */
export async function planRequest(
  deps: InputLookup,
  workspaceId: string,
  request: PackRequest,
  found: readonly Asset[] | null,
  awaited: readonly string[] = [],
): Promise<Outcome<{ readonly plan: JobPlan; readonly inputs: JobInputs }>> {
  const design = await readBrandDesign(deps.db, workspaceId, request.brandId);
  if (!design.ok) return design;
  const plan = planPack(request, deps.offersMp4, design.value);
  if (!plan.ok) return plan;
  const all = { ...plan.value.assetIds, ...plan.value.brandAssetIds };
  const named = Object.fromEntries(Object.entries(all).filter(([slotId]) => !awaited.includes(slotId)));
  const isKnown = found !== null && request.brandId === undefined;
  const assets = isKnown ? found : await readAssets(deps.db, workspaceId, idsOf(named));
  const inputs = await validateInputs(deps, plan.value, named, assets, awaited.includes("font"));
  return inputs.ok ? accept({ plan: plan.value, inputs: inputs.value }) : inputs;
}

const readAssets = async (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly Asset[]> =>
  ids.length === 0 ? [] : assetsByIds.all(latest(db), { workspaceId, assetIds: JSON.stringify(ids) });

async function validateInputs(
  deps: Omit<InputLookup, "db">,
  plan: JobPlan,
  named: NamedAssets,
  found: readonly Asset[],
  isFontAwaited: boolean,
): Promise<Outcome<JobInputs>> {
  const inputs = validateReadyInputs(named, found);
  const isOnlyUnready = !inputs.ok && inputs.code === "ASSET_NOT_READY";
  if (!inputs.ok && !isOnlyUnready) return inputs;
  // Text that a font cannot set or that does not fit its size is a 422, which precedes the 409. So the words are
  // checked once the fonts are ready, even if other assets are not.
  const known = inputs.ok ? inputs : validateReadyInputs(pick(named, "font", "textFont"), found);
  if (known.ok && !isFontAwaited) {
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

/**
 * Whether the fonts have the characters of a plan's words, and the words fit their sizes; 429 SERVICE_BUSY while the
 * font library is unreachable.
 */
async function checkWords(
  deps: Omit<InputLookup, "db">,
  plan: JobPlan,
  font: JobInput | null,
  textFont: JobInput | null,
): Promise<Outcome<void>> {
  try {
    // The text font also sets characters that the headline's font lacks.
    const copy = await checkCopy(deps, copiesOf(plan), textFont ?? font);
    return copy.ok ? await checkFit(deps, plan, font, textFont) : copy;
  } catch (thrown) {
    if (!(thrown instanceof FontLibraryFault)) throw thrown;
    log.failure({ event: "font_library_unreachable" }, thrown);
    return refuse("SERVICE_BUSY", "The fonts for these words cannot be reached at the moment.");
  }
}
