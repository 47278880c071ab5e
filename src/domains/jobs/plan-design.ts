import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { PackRequest } from "#api/schemas/job.ts";
import { nearestName, requestedName } from "#api/schemas/strict-body.ts";
import { PICTURE_SLOT_IDS, type SlotId } from "#api/slots.ts";
import { LOOK_IDS, type LookId } from "#catalogue/looks.ts";
import type { Size } from "#catalogue/types.ts";
import { canonicalJson } from "../idempotency/claim.ts";
import { NAMES_SHOWN_MAX, quoted } from "./format-names.ts";
import type {
  JobPlan,
  OutputDesign,
  PackBrand,
  PackCopy,
  PackOverride,
  PackPlacement,
  PackPlacements,
} from "./job.ts";

/** The design of a plan: words, colours, look, composition, placements, scale, and overrides of single sizes. */
export type PackDesign = OutputDesign & Pick<JobPlan, "brand" | "look" | "overrides">;

/** The fields with a value; an empty text counts as absent. */
const nonEmptyTexts = <T extends object>(members: T | undefined) =>
  Object.fromEntries(
    Object.entries(members ?? {}).filter(([, text]) => typeof text === "string" && text !== ""),
  );

function chooseLook(name: string | undefined): Outcome<LookId> {
  const look = LOOK_IDS.find((known) => known === (name ?? "classic"));
  if (look !== undefined) return accept(look);
  const nearest = nearestName(name ?? "", LOOK_IDS);
  const hint = nearest === undefined ? `Looks: ${quoted(LOOK_IDS)}.` : `Did you mean \`${nearest}\`?`;
  return refuse("LOOK_UNSUPPORTED", `There is no look \`${name}\`. ${hint}`, { looks: [...LOOK_IDS] });
}

type RequestedPlacements = NonNullable<PackRequest["placements"]>;

/** Normalizes a placement. An area that rounding pushed past the picture's edge ends at the edge. */
function toPlacement({ focalPoint, keep }: NonNullable<RequestedPlacements["media"]>): PackPlacement | null {
  if (focalPoint !== undefined) return { focalPoint };
  if (keep === undefined) return null;
  const { x, y } = keep;
  return { keep: { x, y, width: Math.min(keep.width, 1 - x), height: Math.min(keep.height, 1 - y) } };
}

/** Checks that each placement is of a picture in the request. `where` names the field for messages. */
function placePictures(
  requested: RequestedPlacements | undefined,
  slots: readonly SlotId[],
  where: string,
): Outcome<PackPlacements> {
  const placements: PackPlacements = {};
  const empty: string[] = [];
  for (const slotId of PICTURE_SLOT_IDS) {
    const given = requested?.[slotId];
    const placed = given === undefined ? null : toPlacement(given);
    if (placed === null) continue;
    if (slots.includes(slotId)) placements[slotId] = placed;
    else empty.push(slotId);
  }
  if (empty.length === 0) return accept(placements);
  return refuse(
    "PLACEMENT_UNSUPPORTED",
    `\`${where}\` places ${quoted(empty)}, and \`assetIds\` has no picture there.`,
    { slots: empty },
  );
}

/** The fields of `own` that differ from `shared`. */
const differing = <T extends object>(own: T, shared: T): Partial<T> => {
  const ofPack = new Map<string, unknown>(Object.entries(shared));
  const entries = Object.entries(own).filter(
    ([member, value]) =>
      value !== undefined && canonicalJson(value) !== canonicalJson(ofPack.get(member) ?? ""),
  );
  return Object.fromEntries(entries) as Partial<T>;
};

const isEmpty = (members: object): boolean => Object.keys(members).length === 0;

type RequestedOverride = NonNullable<PackRequest["overrides"]>[string];

/**
 * The fields in which an override differs from the pack, so that repeating the pack's values does not change its
 * fingerprint.
 */
function ownDesign(
  requested: RequestedOverride,
  placements: PackPlacements,
  pack: Omit<PackDesign, "overrides">,
): PackOverride {
  const copy = differing<PackCopy>({ ...requested.copy } as PackCopy, pack.copy);
  const placed = differing(placements, pack.placements);
  const { variant = pack.variant, composition = pack.composition, scale = pack.scale } = requested;
  return {
    ...(!isEmpty(copy) && { copy }),
    ...(!isEmpty(placed) && { placements: placed }),
    ...(variant !== pack.variant && { variant }),
    ...(composition !== pack.composition && { composition }),
    ...(scale !== pack.scale && { scale }),
  };
}

function planOverrides(
  { overrides: requested = {}, selectedSizeIds }: PackRequest,
  slots: readonly SlotId[],
  pack: Omit<PackDesign, "overrides">,
): Outcome<PackDesign["overrides"]> {
  const selected = new Set(selectedSizeIds);
  const others = Object.keys(requested)
    .filter((sizeId) => !selected.has(sizeId))
    .slice(0, NAMES_SHOWN_MAX)
    .map((sizeId) => requestedName(sizeId).slice(0, 64));
  const [first] = others;
  if (first !== undefined) {
    const nearest = nearestName(first, selectedSizeIds);
    const hint = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
    return refuse(
      "OVERRIDE_UNSUPPORTED",
      `\`overrides\` names ${quoted(others)}, which \`selectedSizeIds\` does not select.${hint}`,
      { sizeIds: others },
    );
  }
  const overrides: Record<string, PackOverride> = {};
  for (const [sizeId, override] of Object.entries(requested)) {
    const placements = placePictures(override.placements, slots, `overrides.${sizeId}.placements`);
    if (!placements.ok) return placements;
    const own = ownDesign(override, placements.value, pack);
    if (!isEmpty(own)) overrides[sizeId] = own;
  }
  return accept(overrides);
}

/**
 * The design of a request with its defaults. 422 in this order: an unknown look, a placement of an empty slot, an
 * override of a size that is not selected.
 */
export function planDesign(request: PackRequest, slots: readonly SlotId[]): Outcome<PackDesign> {
  const look = chooseLook(request.look);
  if (!look.ok) return look;
  const placements = placePictures(request.placements, slots, "placements");
  if (!placements.ok) return placements;
  const copy: PackCopy = nonEmptyTexts(request.copy);
  const brand: PackBrand = nonEmptyTexts(request.brand);
  const { variant = 1, composition = "auto", scale = 1 } = request;
  const design = { copy, placements: placements.value, variant, composition, scale };
  const pack = { ...design, brand, look: look.value };
  const overrides = planOverrides(request, slots, pack);
  return overrides.ok ? accept({ ...pack, overrides: overrides.value }) : overrides;
}

/** The fields of a plan that determine the design of its sizes. */
type DesignedPlan = OutputDesign & Pick<JobPlan, "overrides">;

/**
 * The design of a size. An override replaces texts one by one (an empty one removes the pack's) and placements slot by
 * slot.
 */
export function designOf(plan: DesignedPlan, sizeId: string): OutputDesign {
  const { copy, placements, variant, composition, scale }: Partial<OutputDesign> =
    plan.overrides[sizeId] ?? {};
  return {
    copy: Object.fromEntries(Object.entries({ ...plan.copy, ...copy }).filter(([, text]) => text !== "")),
    placements: { ...plan.placements, ...placements },
    variant: variant ?? plan.variant,
    composition: composition ?? plan.composition,
    scale: scale ?? plan.scale,
  };
}

/**
 * The texts of a plan's sizes: the pack's texts, unless every size has its own, and the texts of each size with its
 * own.
 */
export function copiesOf(plan: DesignedPlan & Pick<JobPlan, "selectedSizeIds">): readonly PackCopy[] {
  const hasShared = plan.selectedSizeIds.some((sizeId) => plan.overrides[sizeId]?.copy === undefined);
  const own = plan.selectedSizeIds
    .filter((sizeId) => plan.overrides[sizeId]?.copy !== undefined)
    .map((sizeId) => designOf(plan, sizeId).copy);
  return hasShared ? [plan.copy, ...own] : own;
}

/** The plan of a single size, with its override merged into the pack's design. */
export const planOfSize = (plan: JobPlan, sizeId: string): JobPlan => ({
  ...plan,
  ...designOf(plan, sizeId),
  selectedSizeIds: [sizeId],
  overrides: {},
});

/**
 * Sizes in drawing order. The largest needs the most memory, so it comes first; the memory that it frees suffices for
 * the others.
 */
export const largestFirst = (sizes: readonly Size[]): readonly Size[] =>
  [...sizes].sort((one, other) => areaOf(other) - areaOf(one));

const areaOf = ({ width, height }: Size): number => width * height;
