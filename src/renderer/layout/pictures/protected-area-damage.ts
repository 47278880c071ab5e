import { commonArea, grown, inShares, isInside, partOf } from "#renderer/box-geometry.ts";
import { insidePicture, type ProtectedArea } from "#renderer/focus/protected-areas.ts";
import type { Box, ElementRole } from "#renderer/types.ts";
import { isOverlapping } from "../design/boxes.ts";
import type { Brief, Design, PictureTraits, PlacedPicture, Scrim } from "../design/design.ts";

/** Damage to a protected area: a face, a subject, or an area that the caller asked to keep. */
export interface Damage {
  readonly kind: "covered" | "cut" | "lost";
  readonly part: ProtectedArea["kind"];
  readonly picture: PlacedPicture["role"];
  /** The element that covers or cuts the area. */
  readonly by: ElementRole | "text_card" | "scrim" | "edge";
  /** Severity 0..1: the area's weight (`weightsOf`) times the weight of `kind`. */
  readonly weight: number;
}

/** Cuts of up to this fraction of an area's length are ignored, because boxes are rounded to pixels. */
const EDGE_SLACK = 0.012;
const EDGE_SLACK_PX = 1;
/** Minimum distance between text and a head, as a fraction of the head's height. */
const CLEARANCE_SHARE = 0.02;
/** Largest fraction of an area's core that may lie under the dense part of a scrim. */
const SCRIM_SHARE_MAX = 0.06;
/** Covering an area is worse than cutting it, and cutting is worse than leaving it out. */
const WEIGHT = { covered: 1, cut: 0.8, lost: 0.35 } as const;

/** All damage of a cropped design to the protected areas of its pictures; empty if there is none. */
export function damageOf(design: Design, brief: Brief): readonly Damage[] {
  const damage: Damage[] = [];
  for (const placed of design.pictures) {
    const traits = placed.role === "hero" ? brief.hero : brief.secondaryHero;
    if (traits === null || traits.protectedAreas.length === 0) continue;
    const weights = weightsOf(traits);
    traits.protectedAreas.forEach(({ kind, whole, core }, at) => {
      const found = damageTo(design, placed, whole, core);
      if (found === null) return;
      const weight = (weights[at] ?? 0) * WEIGHT[found.kind];
      damage.push({ ...found, part: kind, picture: placed.role, weight });
    });
  }
  return damage;
}

export const totalDamage = (damage: readonly Damage[]): number =>
  damage.reduce((sum, { weight }) => sum + weight, 0);

function damageTo(
  design: Design,
  placed: PlacedPicture,
  whole: Box,
  core: Box,
): Pick<Damage, "kind" | "by"> | null {
  // A cut-out has nothing outside its bounds that could be cut.
  const head = onCanvas(placed, placed.fill === "cut_out" ? insidePicture(whole) : whole);
  if (!isOverlapping(head, placed.box)) return { kind: "lost", by: "edge" };
  if (!isWhole(head, placed.box)) return { kind: "cut", by: "edge" };
  const clear = head.height * CLEARANCE_SHARE;
  const around = grown(head, clear);
  for (const { by, box } of coversOf(design)) if (isOverlapping(box, around)) return { kind: "covered", by };
  if (design.scrimsOver === "background") return null;
  const features = onCanvas(placed, core);
  const area = Math.max(1e-9, features.width * features.height);
  for (const scrim of design.scrims) {
    const dense = densePart(scrim);
    if (dense !== null && commonArea(dense, features) > area * SCRIM_SHARE_MAX)
      return { kind: "covered", by: "scrim" };
  }
  return null;
}

/** The visible parts of a cropped picture's protected areas, on the canvas. */
export const protectedBoxes = (
  placed: PlacedPicture,
  brief: Brief,
  which: "all" | "key areas" = "all",
): readonly Box[] => {
  const traits = placed.role === "hero" ? brief.hero : brief.secondaryHero;
  return (traits?.protectedAreas ?? [])
    .filter(({ kind }) => which === "all" || kind !== "subject")
    .map(({ whole }) => onCanvas(placed, whole))
    .filter((box) => isOverlapping(box, placed.box));
};

/** The box on the canvas of a part of a picture (fractions). */
function onCanvas(placed: PlacedPicture, share: Box): Box {
  const { fill, shown, part, box } = placed;
  const window = fill === "cut_out" ? part : (shown ?? part);
  return partOf(box, inShares(share, window));
}

function coversOf({ texts, button, logo, textCard }: Design) {
  const covers: { readonly by: Damage["by"]; readonly box: Box }[] = texts.map(({ role, ink }) => ({
    by: role,
    box: ink,
  }));
  if (button !== null) covers.push({ by: "cta", box: button.box });
  if (logo !== null) covers.push({ by: "logo", box: logo });
  if (textCard !== undefined) covers.push({ by: "text_card", box: textCard.box });
  return covers;
}

/** Weight of a main subject that is not the first protected area. Faces and areas named by the caller weigh more. */
const SUBJECT_WEIGHT = 0.3;

/**
 * The weight of each area: its fraction of the total size of all faces and named areas. The first area is the most
 * important and weighs at least a third. A main subject has a fixed weight, because it is as large as several faces.
 */
function weightsOf({ protectedAreas }: PictureTraits): readonly number[] {
  const areas = protectedAreas.map(({ kind, whole }) =>
    kind === "subject" ? 0 : whole.width * whole.height,
  );
  const sum = areas.reduce((total, area) => total + area, 0);
  return protectedAreas.map(({ kind }, at) =>
    kind === "subject"
      ? at === 0
        ? 1
        : SUBJECT_WEIGHT
      : Math.max(at === 0 ? 1 / 3 : 0, sum === 0 ? 1 : (areas[at] ?? 0) / sum),
  );
}

/** Whether a box contains a whole area, within the tolerance. */
const isWhole = (head: Box, box: Box): boolean =>
  isInside(
    head,
    box,
    Math.max(EDGE_SLACK_PX, head.width * EDGE_SLACK),
    Math.max(EDGE_SLACK_PX, head.height * EDGE_SLACK),
  );

/** Tolerance for rounding errors, because boxes in a picture are sums of fractions. */
const SLACK = 1e-6;

/** Whether a box (fractions) contains another. */
export const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x - SLACK &&
  inner.y >= outer.y - SLACK &&
  inner.x + inner.width <= outer.x + outer.width + SLACK &&
  inner.y + inner.height <= outer.y + outer.height + SLACK;

/** Whether photos that fill their regions show all their protected areas. */
export function showsProtectedAreas(brief: Brief, pictures: readonly PlacedPicture[]): boolean {
  return pictures.every(({ role, box, free, fill }) => {
    const protectedAreas = (role === "hero" ? brief.hero : brief.secondaryHero)?.protectedAreas ?? [];
    if (fill === "cut_out" || protectedAreas.length === 0) return true;
    const { shown } = brief.cropOf(role, box.width, box.height, free);
    return protectedAreas.every(({ whole }) => contains(shown, whole));
  });
}

/** A scrim of at least this opacity hides a face. */
const DENSE_OPACITY = 0.25;
/** Opacity assumed for an adaptive scrim without an estimate. */
const ASSUMED_OPACITY = 0.72;

/** The part of a scrim's box where it would be too dense over a face; null if there is none. */
export function densePart({ box, axis, stops, adaptiveOpacityMin, expectedOpacity }: Scrim): Box | null {
  const raised = expectedOpacity ?? Math.max(adaptiveOpacityMin, ASSUMED_OPACITY);
  const points = stops.map(({ at, opacity }) => ({ at, opacity: opacity === "adaptive" ? raised : opacity }));
  let from = 1;
  let to = 0;
  points.forEach((point, index) => {
    if (point.opacity >= DENSE_OPACITY) {
      from = Math.min(from, point.at);
      to = Math.max(to, point.at);
    }
    const next = points[index + 1];
    if (next === undefined) return;
    const isCrossing = point.opacity < DENSE_OPACITY !== next.opacity < DENSE_OPACITY;
    if (!isCrossing) return;
    const at = crossing(point, next);
    from = Math.min(from, at);
    to = Math.max(to, at);
  });
  if (to <= from) return null;
  return axis === "down"
    ? { ...box, y: box.y + box.height * from, height: box.height * (to - from) }
    : { ...box, x: box.x + box.width * from, width: box.width * (to - from) };
}

interface Point {
  readonly at: number;
  readonly opacity: number;
}

const crossing = (one: Point, next: Point): number =>
  one.at + ((next.at - one.at) * (DENSE_OPACITY - one.opacity)) / (next.opacity - one.opacity);
