import { bestScored } from "../best-scored.ts";
import { commonArea, unionOf } from "../box-geometry.ts";
import type { Box } from "../types.ts";
import type { Candidate, Composition } from "./candidates.ts";
import { WHOLE } from "./design/boxes.ts";
import {
  type Brief,
  boxesOf,
  type Design,
  hasKeyAreas,
  headlineScore,
  type PlacedPicture,
  sharpBoxOf,
} from "./design/design.ts";
import { type Damage, damageOf, totalDamage } from "./pictures/protected-area-damage.ts";

/** What a layout did otherwise than usual. */
export type Change =
  | {
      readonly kind: "composition";
      readonly composition: Composition;
      readonly reason: "face" | "kept" | "subject" | "crop" | "scrim" | "column";
    }
  | { readonly kind: "extended" | "reduced" }
  | { readonly kind: "damage"; readonly damage: Damage }
  | { readonly kind: "fewer_variants"; readonly wanted: number; readonly drawn: number };

/** A composition that is drawn, its photos cropped. */
export interface Choice {
  readonly design: Design;
  /** 0 where every protected area is shown whole and free of words. */
  readonly damage: number;
  readonly changes: readonly Change[];
}

/** Makes a candidate's design, mirrored and cropped as it will be drawn; null when the words do not fit. */
export type Finish = (make: Candidate["make"]) => Design | null;

interface Found {
  readonly composition: Composition;
  readonly design: Design;
  readonly damage: readonly Damage[];
}

/** A later variant whose headline is so much worse than the first's is none. */
const HEADLINE_SHARE_MIN = 0.5;
/** Less of what matters in a photo than this is a drastic crop; a larger enlargement is blurred. */
const SALIENCE_MIN = 0.4;
const ENLARGEMENT_MAX = 1.2;

/**
 * The composition that a brief's variant names: the n-th of those that differ and respect all protected areas. The first
 * is the first of the ranked candidates unless that damages a face; then the best of all others. Where fewer hold than
 * are wanted, the last of them is drawn. Null when no candidate has room for the words.
 */
export function chooseComposition(
  brief: Brief,
  candidates: readonly Candidate[],
  finish: Finish,
): Choice | null {
  const found = lazily(brief, candidates, finish);
  const first = firstOf(brief, found);
  if (first === null) return null;
  const chosen: Found[] = [first];
  for (let at = 0; chosen.length < brief.variant; at += 1) {
    const next = found(at);
    if (next === "end") break;
    if (next === null || next.damage.length > 0 || chosen.some((other) => isAlike(other.design, next.design)))
      continue;
    if (headlineScore(next.design) < headlineScore(first.design) * HEADLINE_SHARE_MIN) continue;
    chosen.push(next);
  }
  const drawn = chosen[chosen.length - 1] ?? first;
  const { design, damage } = drawn;
  return { design, damage: totalDamage(damage), changes: changesOf(brief, found, drawn, chosen.length) };
}

type At = (index: number) => Found | null | "end";

/** Candidates composed when they are looked at, each once. */
function lazily(brief: Brief, candidates: readonly Candidate[], finish: Finish): At {
  const known = new Map<number, Found | null>();
  return (index) => {
    const candidate = candidates[index];
    if (candidate === undefined) return "end";
    const before = known.get(index);
    if (before !== undefined) return before;
    const design = finish(candidate.make);
    const found =
      design === null
        ? null
        : { composition: candidate.composition, design, damage: damageOf(design, brief) };
    known.set(index, found);
    return found;
  };
}

/** The usual composition if nothing speaks against it, else the best of all. */
function firstOf(brief: Brief, found: At): Found | null {
  const usual = found(0);
  if (usual !== null && usual !== "end" && usual.damage.length === 0 && isFair(brief, usual.design))
    return usual;
  const all: Found[] = [];
  for (let at = 0; ; at += 1) {
    const next = found(at);
    if (next === "end") break;
    if (next !== null) all.push(next);
  }
  return bestScored(all, (one) => worthOf(brief, one));
}

const isUnfilled = ({ sharp, isReduced }: PlacedPicture): boolean => sharp !== null || isReduced === true;

/**
 * Whether a design's photos are neither cut to a fraction of what matters nor enlarged until they blur, and its words do
 * not leave their column half empty.
 */
function isFair(brief: Brief, design: Design): boolean {
  if (brief.avoidsScrims && hasWordsOnPhoto(brief, design)) return false;
  if (columnFillOf(brief, design) < COLUMN_FILL_FAIR) return false;
  return design.pictures.every((placed) => {
    if (isUnfilled(placed)) return false;
    if (placed.fill !== "cover" || brief.shape !== "story") return true;
    const { salience, enlargement } = brief.cropOf(
      placed.role,
      placed.box.width,
      placed.box.height,
      placed.free,
    );
    return enlargement <= ENLARGEMENT_MAX && salience() >= SALIENCE_MIN;
  });
}

/** Whether words lie on a scrim over a photo that fills the canvas. */
export const hasWordsOnPhoto = (
  { width, height }: Brief,
  { pictures, scrims, scrimsOver }: Design,
): boolean =>
  scrimsOver === "pictures" &&
  scrims.length > 0 &&
  pictures.some(({ box, sharp }) => sharp === null && box.width * box.height > width * height * 0.9);

/** Factors of a composition's worth. */
const REDUCED_WORTH = 0.55;
const EXTENDED_WORTH = 0.8;
const MUDDY_WORTH = 0.3;
/** Words on two sides of a photo take its size, which a photo that is nearly as high as its column keeps. */
const SHELF_WORTH = 0.75;
/** A button on two lines shows that its column is too narrow. */
const BROKEN_BUTTON_WORTH = 0.45;
/** How much a headline counts that covers what matters in the photo. */
const COVERED_COST = 0.7;

/** Rises with the headline and with what is shown of the photos; any damage weighs more than both. */
function worthOf(brief: Brief, { composition, design, damage }: Found): number {
  const canvas = brief.width * brief.height;
  let shown = 0;
  let quality = 0.3 + headlineScore(design);
  for (const placed of design.pictures) {
    const { width, height } = sharpBoxOf(placed);
    shown += (width * height) / canvas;
    quality *= cropWorth(brief, placed);
  }
  if (hasWordsOnPhoto(brief, design)) {
    const words = boxesOf({ ...design, logo: null });
    if (words.length > 0) quality *= 1 - COVERED_COST * brief.saliencyUnder(unionOf(words));
    if (brief.avoidsScrims) quality *= MUDDY_WORTH;
  }
  if (composition === "shelf") quality *= SHELF_WORTH;
  if ((design.button?.text.set.lines.length ?? 1) > 1) quality *= BROKEN_BUTTON_WORTH;
  quality *= Math.min(1, columnFillOf(brief, design) / COLUMN_FILL_FAIR);
  return quality * Math.sqrt(Math.min(1, shown) + 0.05) - 10 * totalDamage(damage);
}

/** Falls with what a crop leaves out of what matters in a photo, and with its enlargement; 1 at best. */
function cropWorth(brief: Brief, placed: PlacedPicture): number {
  if (placed.fill !== "cover") return 1;
  const { width, height } = sharpBoxOf(placed);
  const free = placed.sharp === null ? placed.free : WHOLE;
  const { salience, enlargement } = brief.cropOf(placed.role, width, height, free);
  const sharpness = Math.sqrt(Math.min(1, ENLARGEMENT_MAX / enlargement));
  const filled = placed.isReduced === true ? REDUCED_WORTH : placed.sharp !== null ? EXTENDED_WORTH : 1;
  return filled * sharpness * Math.min(1, 0.4 + salience());
}

/** Words in the same part of the canvas and the same pictures: another's variant would be a shift. */
const ALIKE_WORDS = 0.55;
const ALIKE_PICTURES = 0.75;

function isAlike(one: Design, other: Design): boolean {
  if ((one.textCard === undefined) !== (other.textCard === undefined)) return false;
  // A logo that joins the words is no other composition.
  const words = sharedPart(boxesOf({ ...one, logo: null }), boxesOf({ ...other, logo: null }));
  const pictures = sharedPart(
    one.pictures.map(({ box }) => box),
    other.pictures.map(({ box }) => box),
  );
  // A product on another panel, or on none, is another composition.
  const panels = sharedPart(panelsOf(one), panelsOf(other));
  return words > ALIKE_WORDS && pictures > ALIKE_PICTURES && panels > ALIKE_PICTURES;
}

const panelsOf = ({ pictures }: Design): readonly Box[] => pictures.flatMap(({ cell }) => cell ?? []);

/** The area that two groups of boxes have in common, as a share of what they take together. */
function sharedPart(some: readonly Box[], others: readonly Box[]): number {
  if (some.length === 0 || others.length === 0) return some.length === others.length ? 1 : 0;
  const [one, other] = [unionOf(some), unionOf(others)];
  const common = commonArea(one, other);
  return common / Math.max(1e-9, one.width * one.height + other.width * other.height - common);
}

/** Why another composition is drawn than the usual one; null where the usual one has no room for the words. */
function reasonAgainst(
  brief: Brief,
  usual: Found | null,
): Extract<Change, { kind: "composition" }>["reason"] {
  const damage = usual?.damage ?? [];
  const parts = damage.map(({ part }) => part);
  if (parts.includes("face")) return "face";
  if (parts.length > 0) return parts.every((part) => part === "subject") ? "subject" : "kept";
  if (brief.avoidsScrims) return "scrim";
  return usual !== null && columnFillOf(brief, usual.design) < COLUMN_FILL_FAIR ? "column" : "crop";
}

function changesOf(brief: Brief, found: At, drawn: Found, count: number): readonly Change[] {
  const changes: Change[] = [];
  const usual = found(0);
  if (brief.variant === 1 && usual !== drawn) {
    const reason = reasonAgainst(brief, usual === "end" ? null : usual);
    changes.push({ kind: "composition", composition: drawn.composition, reason });
  }
  if (drawn.design.pictures.some(({ sharp }) => sharp !== null)) changes.push({ kind: "extended" });
  if (drawn.design.pictures.some(({ isReduced }) => isReduced === true)) changes.push({ kind: "reduced" });
  if (count < brief.variant) changes.push({ kind: "fewer_variants", wanted: brief.variant, drawn: count });
  return [...changes, ...drawn.damage.map((one): Change => ({ kind: "damage", damage: one }))];
}

/** Words at the start that take less of the column beside a photo leave it half empty. */
const COLUMN_FILL_FAIR = 0.66;

/**
 * How much of the column beside a low canvas's photo its words take across, 0..1. A photo with a face is only as wide as
 * shows it whole, whatever the words leave. 1 where words are centred or the photo has no face: nothing is half empty then.
 */
function columnFillOf({ shape, width, scale, hero, look }: Brief, design: Design): number {
  const [photo, other] = design.pictures;
  // A logo at the far end of the button's row fills nothing between.
  const words = boxesOf({ ...design, logo: null });
  if (shape !== "leaderboard" || look.layout.align === "center" || words.length === 0) return 1;
  if (photo === undefined || photo.fill === "cut_out" || other !== undefined) return 1;
  if (!hasKeyAreas(hero)) return 1;
  const column = width - photo.box.width - scale.marginPx * 2;
  return column <= 0 ? 1 : Math.min(1, unionOf(words).width / column);
}
