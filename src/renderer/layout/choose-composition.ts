import { bestScored } from "../best-scored.ts";
import { commonArea, unionOf } from "../box-geometry.ts";
import type { Box } from "../types.ts";
import { WIDE_ASPECT } from "./arrangements/photo-in-middle.ts";
import type { Candidate, Composition, CompositionKind } from "./candidates.ts";
import { type Brief, boxesOf, type Design, isExtended, type PlacedPicture } from "./design/design.ts";
import { mirroredBox } from "./design/mirror-right-to-left.ts";
import { type Damage, damageOf, totalDamage } from "./pictures/protected-area-damage.ts";
import { isGood, type Scores, scoresOf, worthOf } from "./score-composition.ts";

/** A deviation from the usual layout, for the report. */
export type Change =
  | {
      readonly kind: "composition";
      readonly composition: Composition;
      readonly reason: "face" | "kept" | "subject";
    }
  | { readonly kind: "wish"; readonly wished: CompositionKind; readonly drawn: CompositionKind }
  | { readonly kind: "extended" }
  | { readonly kind: "damage"; readonly damage: Damage }
  | { readonly kind: "fewer_variants"; readonly wanted: number; readonly drawn: number };

/** The composition to draw, its photos cropped. */
export interface Choice {
  readonly design: Design;
  readonly kind: CompositionKind;
  /** Total damage: 0 if every protected area is whole and free of text. */
  readonly damage: number;
  readonly changes: readonly Change[];
}

/** Makes a candidate's design, mirrored and cropped as it will be drawn; null when the text does not fit. */
export type Finish = (make: Candidate["make"]) => Design | null;

interface Found {
  readonly composition: Composition;
  readonly kind: CompositionKind;
  readonly design: Design;
  readonly damage: readonly Damage[];
  readonly scores: Scores;
}

/** Minimum score of a later variant's headline, as a fraction of the first variant's. */
const HEADLINE_SHARE_MIN = 0.5;

/**
 * The composition for a brief's variant number. Variant 1 is the first candidate that passes every threshold, else the
 * best. Each later variant is the best of an unused kind, else the best that looks different. If too few variants are
 * free of damage, the last undamaged one is drawn. Null when no candidate has room for the text.
 */
export function chooseComposition(
  brief: Brief,
  candidates: readonly Candidate[],
  finish: Finish,
): Choice | null {
  const found = lazily(brief, candidates, finish);
  const wished = brief.composition === "auto" ? null : brief.composition;
  const granted = wished === null ? null : bestOf(brief, found, ({ kind }) => kind === wished);
  const isGranted = granted !== null && granted.damage.length === 0;
  const first = isGranted ? granted : bestOf(brief, found, () => true);
  if (first === null) return null;
  const chosen: Found[] = [first];
  while (chosen.length < brief.variant) {
    const next = nextVariant(brief, found, chosen, isGranted ? wished : null);
    if (next === null) break;
    chosen.push(next);
  }
  const drawn = chosen[chosen.length - 1] ?? first;
  const { design, kind, damage } = drawn;
  const changes = changesOf(brief, found, drawn, chosen.length);
  return { design, kind, damage: totalDamage(damage), changes };
}

type At = (index: number) => Found | null | "end";

/** Composes each candidate once, on first access. */
function lazily(brief: Brief, candidates: readonly Candidate[], finish: Finish): At {
  const known = new Map<number, Found | null>();
  return (index) => {
    const candidate = candidates[index];
    if (candidate === undefined) return "end";
    const before = known.get(index);
    if (before !== undefined) return before;
    const { composition, kind } = candidate;
    const design = finish(candidate.make);
    const found =
      design === null
        ? null
        : { composition, kind, design, damage: damageOf(design, brief), scores: scoresOf(brief, design) };
    known.set(index, found);
    return found;
  };
}

/** The first allowed candidate that passes every threshold, else the best allowed one. */
function bestOf(brief: Brief, found: At, isAllowed: (one: Found) => boolean): Found | null {
  const all: Found[] = [];
  for (let at = 0; ; at += 1) {
    const next = found(at);
    if (next === "end") break;
    if (next === null || !isAllowed(next)) continue;
    // `split_head` is a last choice, because readers would see the photo after the text. Cards and frames are also last
    // choices in looks that do not frame their photos.
    const isLast =
      next.composition === "split_head" ||
      (brief.hero?.isCutOut === false && !brief.look.layout.framesPhotos && LAST_KINDS.includes(next.kind));
    if (!isLast && next.damage.length === 0 && isGood(brief, next.scores)) return next;
    all.push(next);
  }
  return bestScored(all, (one) => scoreOf(brief, one));
}

const LAST_KINDS: readonly CompositionKind[] = ["framed", "overlap"];

/** Damage usually outweighs all scores. */
const scoreOf = (brief: Brief, { composition, kind, scores, damage }: Found): number =>
  worthOf(brief, kind, scores) * compositionWorth(brief, composition) - 10 * totalDamage(damage);

/**
 * Factor of a composition's score. `split_middle` is for photos that fill no region from edge to edge. `split_head`
 * puts the text first and the photo's bottom where an app may have its controls.
 */
function compositionWorth({ width, height }: Brief, composition: Composition): number {
  if (composition === "split_middle") return width >= height * WIDE_ASPECT ? 0.8 : 0.6;
  return composition === "split_head" ? 0.9 : 1;
}

/** The best composition of an unused kind, else the best that differs from all chosen ones. */
function nextVariant(
  brief: Brief,
  found: At,
  chosen: readonly Found[],
  wished: CompositionKind | null,
): Found | null {
  const [first] = chosen;
  const isSound = (one: Found): boolean =>
    one.damage.length === 0 &&
    (wished === null || one.kind === wished) &&
    one.scores.headline >= (first?.scores.headline ?? 0) * HEADLINE_SHARE_MIN &&
    !chosen.some(({ kind, design }) => kind === one.kind && isAlike(design, one.design, brief));
  const kinds = new Set(chosen.map(({ kind }) => kind));
  return bestOf(brief, found, (one) => isSound(one) && !kinds.has(one.kind)) ?? bestOf(brief, found, isSound);
}

/**
 * If the overlaps of text and of pictures are above these fractions, two designs look alike: one is a shifted or
 * mirrored version of the other.
 */
const ALIKE_WORDS = 0.55;
const ALIKE_PICTURES = 0.75;

function isAlike(one: Design, other: Design, { width }: Brief): boolean {
  if (structureOf(one) !== structureOf(other)) return false;
  // A moved logo alone does not make a different composition.
  const wordsOf = (design: Design) => boxesOf({ ...design, logo: null });
  const placesOf = ({ pictures }: Design) => pictures.map(({ box }: PlacedPicture) => box);
  const mirrored = (boxes: readonly Box[]) => boxes.map((box) => mirroredBox(box, width));
  return [(boxes: readonly Box[]) => boxes, mirrored].some(
    (turned) =>
      sharedPart(wordsOf(one), turned(wordsOf(other))) > ALIKE_WORDS &&
      sharedPart(placesOf(one), turned(placesOf(other))) > ALIKE_PICTURES,
  );
}

/** Identifies the graphic of a pack without a picture, and where its field begins. */
const structureOf = ({ graphic }: Design): string =>
  [graphic === undefined, graphic?.isRepeated, graphic?.field?.x, graphic?.field?.y].join();

/** Intersection over union of two groups' bounding boxes. */
function sharedPart(some: readonly Box[], others: readonly Box[]): number {
  if (some.length === 0 || others.length === 0) return some.length === others.length ? 1 : 0;
  const [one, other] = [unionOf(some), unionOf(others)];
  const common = commonArea(one, other);
  return common / Math.max(1e-9, one.width * one.height + other.width * other.height - common);
}

/** The kind of protected area that the first candidate damages; null if it damages none. */
function reasonAgainst({ damage }: Found): Extract<Change, { kind: "composition" }>["reason"] | null {
  const parts = damage.map(({ part }) => part);
  if (parts.includes("face")) return "face";
  if (parts.length === 0) return null;
  return parts.every((part) => part === "subject") ? "subject" : "kept";
}

function changesOf(brief: Brief, found: At, drawn: Found, count: number): readonly Change[] {
  const changes: Change[] = [];
  const usual = found(0);
  if (brief.composition !== "auto" && drawn.kind !== brief.composition) {
    changes.push({ kind: "wish", wished: brief.composition, drawn: drawn.kind });
  } else if (brief.variant === 1 && usual !== null && usual !== "end" && usual !== drawn) {
    const reason = reasonAgainst(usual);
    if (reason !== null) changes.push({ kind: "composition", composition: drawn.composition, reason });
  }
  if (drawn.design.pictures.some(isExtended)) changes.push({ kind: "extended" });
  if (count < brief.variant) changes.push({ kind: "fewer_variants", wanted: brief.variant, drawn: count });
  return [...changes, ...drawn.damage.map((one): Change => ({ kind: "damage", damage: one }))];
}
