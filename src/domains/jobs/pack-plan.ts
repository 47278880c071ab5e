import { type BrandDesign, withBrand } from "#api/brand-design.ts";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { PackRequest } from "#api/schemas/job.ts";
import { nearestName, requestedName } from "#api/schemas/strict-body.ts";
import { SLOT_IDS, type SlotId } from "#api/slots.ts";
import { CONTRACTS, findContract, offered } from "#catalogue/contracts.ts";
import { takesScale } from "#catalogue/scales.ts";
import type { Contract, OutputFormat, Size } from "#catalogue/types.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { checkSlotCombination } from "../assets/slot-rules.ts";
import { canonicalJson } from "../idempotency/claim.ts";
import { NAMES_SHOWN_MAX, quoted } from "./format-names.ts";
import type { JobInputs, JobPlan } from "./job.ts";
import { designOf, type PackDesign, planDesign } from "./plan-design.ts";
import { checkFormatOfSizes, planLanding } from "./plan-landing.ts";

const isSlotId = (name: string): name is SlotId => SLOT_IDS.some((slotId) => slotId === name);

function checkSizes(contract: Contract, selected: readonly string[]): Outcome<void> {
  const known = contract.sizes.map((size) => size.sizeId);
  const knownSet = new Set(known);
  const unknown = selected.filter((sizeId) => !knownSet.has(sizeId)).slice(0, NAMES_SHOWN_MAX);
  const [first] = unknown;
  if (first === undefined) return accept(undefined);
  const contractIds = contractsWith(unknown);
  const nearest = nearestName(first, known);
  const hint =
    contractIds.length > 0
      ? ` Listed by ${quoted(contractIds)}.`
      : nearest === undefined
        ? ""
        : ` Did you mean \`${nearest}\`?`;
  return refuse(
    "SIZE_UNSUPPORTED",
    `The contract \`${contract.contractId}\` has no size ${quoted(unknown)}.${hint}`,
    { sizeIds: unknown, ...(contractIds.length > 0 && { contractIds }) },
  );
}

/** Contracts that have all of these sizes. */
const contractsWith = (sizeIds: readonly string[]): string[] =>
  CONTRACTS.filter(({ sizes }) =>
    sizeIds.every((sizeId) => sizes.some((size) => size.sizeId === sizeId)),
  ).map(({ contractId }) => contractId);

/** The requested format, or the contract's first format for the motion. */
function chooseFormat(contract: Contract, request: PackRequest): Outcome<OutputFormat> {
  const motion = request.motion ?? "static";
  const formats: readonly OutputFormat[] =
    motion === "static" ? contract.staticFormats : contract.animatedFormats;
  const format = formats.find((candidate) => candidate === (request.outputFormat ?? formats[0]));
  return format === undefined
    ? refuse(
        "FORMAT_UNSUPPORTED",
        `A pack with motion \`${motion}\` takes ${quoted(formats)}, not \`${request.outputFormat}\`.`,
        { motion, formats },
      )
    : accept(format);
}

/** Double scale is only for sizes for which a network documents it. */
function checkScales(contract: Contract, selected: readonly string[], design: PackDesign): Outcome<void> {
  const takersOf = ({ sizes }: Contract) =>
    sizes.filter((size) => takesScale(size, 2)).map(({ sizeId }) => sizeId);
  const takers = takersOf(contract);
  const others = selected.filter(
    (sizeId) => designOf(design, sizeId).scale === 2 && !takers.includes(sizeId),
  );
  if (others.length === 0) return accept(undefined);
  const better = CONTRACTS.filter((other) => takers.length === 0 && takersOf(other).length > 0);
  const contractIds = better.map(({ contractId }) => contractId);
  const hint =
    contractIds.length === 0
      ? `Sizes that take it: ${quoted(takers)}.`
      : `No size of this contract takes it; some of ${quoted(contractIds)} do.`;
  const message = `No network documents \`scale\` 2 for ${quoted(others.slice(0, NAMES_SHOWN_MAX))}. ${hint}`;
  const listed = contractIds.length > 0 && { contractIds };
  return refuse("SCALE_UNSUPPORTED", message, { sizeIds: others, scale2SizeIds: takers, ...listed });
}

function readSlots(named: PackRequest["assetIds"]): Outcome<Partial<Record<SlotId, string>>> {
  const assetIds: Partial<Record<SlotId, string>> = {};
  const unknown: string[] = [];
  for (const [name, assetId] of Object.entries(named)) {
    if (assetId === undefined) continue;
    if (isSlotId(name)) assetIds[name] = assetId.toLowerCase();
    else unknown.push(requestedName(name).slice(0, 64));
  }
  const [first] = unknown;
  if (first === undefined) return accept(assetIds);
  const nearest = nearestName(first, SLOT_IDS);
  const hint = nearest === undefined ? `Slots: ${quoted(SLOT_IDS)}.` : `Did you mean \`${nearest}\`?`;
  const shown = unknown.slice(0, NAMES_SHOWN_MAX);
  return refuse("SLOT_UNSUPPORTED", `There is no slot ${quoted(shown)}. ${hint}`, { slots: shown });
}

/**
 * Plans a well-formed request, with the values of its saved brand and the defaults. Makes every decision that needs no
 * I/O. 422 in this order: contract, sizes, format, click, slot names, slot combination, no content, design
 * (`planDesign`), scale. `offersMp4` is false when this origin has MP4 turned off or no queue for videos.
 */
export function planPack(body: PackRequest, offersMp4 = true, saved: BrandDesign = {}): Outcome<JobPlan> {
  const request = { ...body, ...withBrand(body, saved) };
  const released = findContract(request.contractId);
  if (released === undefined) {
    return refuse("CONTRACT_UNSUPPORTED", `There is no contract \`${request.contractId}\`.`);
  }
  const contract = offered(released, offersMp4);
  const sizes = checkSizes(contract, request.selectedSizeIds);
  if (!sizes.ok) return sizes;
  const outputFormat = chooseFormat(contract, request);
  if (!outputFormat.ok) return outputFormat;
  const takers = checkFormatOfSizes(contract, request.selectedSizeIds, outputFormat.value);
  if (!takers.ok) return takers;
  const landing = planLanding(request, outputFormat.value);
  if (!landing.ok) return landing;
  const assetIds = readSlots(request.assetIds);
  if (!assetIds.ok) return assetIds;
  const slots = SLOT_IDS.filter((slotId) => assetIds.value[slotId] !== undefined);
  const combination = checkSlotCombination(slots);
  if (!combination.ok) return combination;
  if (!slots.some((slotId) => slotId !== "font")) {
    return refuse("VISUAL_ASSET_REQUIRED", "The request names no picture or logo to draw.");
  }
  const design = planDesign(request, slots);
  if (!design.ok) return design;
  const scales = checkScales(contract, request.selectedSizeIds, design.value);
  if (!scales.ok) return scales;
  return accept({
    contractId: contract.contractId,
    motion: request.motion ?? "static",
    outputFormat: outputFormat.value,
    ...landing.value,
    selectedSizeIds: request.selectedSizeIds,
    assetIds: assetIds.value,
    brandAssetIds: request.brandAssetIds,
    buttonStyle: request.buttonStyle ?? null,
    ...design.value,
  });
}

/** The sizes of a plan, in its order. The catalogue never removes a size. */
export function sizesOf(plan: Pick<JobPlan, "contractId" | "selectedSizeIds">): readonly Size[] {
  const byId = new Map(findContract(plan.contractId)?.sizes.map((size) => [size.sizeId, size]));
  return plan.selectedSizeIds.map((sizeId) => {
    const size = byId.get(sizeId);
    if (size === undefined) throw new Error(`the catalogue has lost the size ${sizeId}`);
    return size;
  });
}

/**
 * SHA-256 in lower-case hex of everything that the pixels of a pack depend on: engine version (which fixes the bundled
 * fonts), contract, set of sizes, format, motion, bytes of each slot, copy, brand, look, variant, composition, scale,
 * placements and overrides, and the values taken from a saved brand. A plan has its defaults filled in, so that stating
 * them changes nothing. The default composition and scale, and fields that only saved brands have, are left out, so
 * that existing fingerprints do not change. Identical fingerprints mean byte-identical packs, whatever the asset ids.
 */
export function fingerprintOf(plan: JobPlan, inputs: JobInputs, engineVersion: string): Promise<string> {
  const { font, textFont, ...pictures } = inputs;
  return sha256Hex(
    canonicalJson({
      engineVersion,
      contractId: plan.contractId,
      sizeIds: [...plan.selectedSizeIds].sort(),
      outputFormat: plan.outputFormat,
      motion: plan.motion,
      ...(plan.network !== null && { network: plan.network, clickUrl: plan.clickUrl }),
      assets: Object.fromEntries(Object.entries(pictures).map(([slotId, input]) => [slotId, input.sha256])),
      font: font?.sha256 ?? "bundled",
      ...(textFont !== undefined && { textFont: textFont.sha256 }),
      copy: plan.copy,
      brand: plan.brand,
      ...(plan.buttonStyle !== null && { buttonStyle: plan.buttonStyle }),
      look: plan.look,
      variant: plan.variant,
      ...(plan.composition !== "auto" && { composition: plan.composition }),
      ...(plan.scale !== 1 && { scale: plan.scale }),
      placements: plan.placements,
      overrides: plan.overrides,
    }),
  );
}
