import type { CompositionWish } from "#catalogue/looks.ts";
import { inSmallSafeArea, upright, uprightFromHead } from "./arrangements/full-bleed.ts";
import { overlapCard } from "./arrangements/overlap-card.ts";
import { overlay } from "./arrangements/overlay.ts";
import { type PanelSide, photoBand, photoPanel } from "./arrangements/photo-panels.ts";
import { row } from "./arrangements/row.ts";
import { storyExtension } from "./arrangements/story-extension.ts";
import { withSidesSwapped } from "./arrangements/swap-sides.ts";
import { onTextCard } from "./arrangements/text-card.ts";
import { takesProductOnSurface, usualArrangement } from "./arrangements/usual-arrangement.ts";
import { hasSmallSafeArea } from "./design/canvas-of-size.ts";
import { type Brief, type Design, isWordless } from "./design/design.ts";
import { isRow } from "./design/shape-from-size.ts";

/** How a photo and its words share a canvas. */
export type CompositionKind = Exclude<CompositionWish, "auto">;

/** The ways to compose a size. Each is another composition to the eye, not the same one shifted. */
export type Composition =
  | "usual"
  | "sides_swapped"
  | "on_photo"
  | "on_photo_head"
  | "text_card"
  | "in_row"
  | "extension"
  | `split_${PanelSide}`
  | "split_around"
  | `framed_${PanelSide}`
  | `overlap_${PanelSide}`;

/** One way to compose a brief; `make` returns null when the words do not fit it. */
export interface Candidate {
  readonly composition: Composition;
  readonly kind: CompositionKind;
  readonly make: (brief: Brief) => Design | null;
}

/** The usual arrangements of briefs: the second candidate swaps the sides of the first one. */
const knownUsual = new WeakMap<Brief, { readonly design: Design | null }>();

function usualOf(brief: Brief): Design | null {
  const known = knownUsual.get(brief) ?? { design: usualArrangement(brief) };
  knownUsual.set(brief, known);
  return known.design;
}

const usual = (kind: CompositionKind): Candidate => ({ composition: "usual", kind, make: usualOf });
const swapped = (kind: CompositionKind): Candidate => ({
  composition: "sides_swapped",
  kind,
  make: (brief) => {
    const design = usualOf(brief);
    return design === null ? null : withSidesSwapped(design, brief);
  },
});

/** What has words on the photo needs a dark surface: a light scrim looks like fog. */
const onDark =
  (make: Candidate["make"]): Candidate["make"] =>
  (brief) =>
    brief.isDark && brief.secondaryHero === null ? make(brief) : null;
/** The logo joins the words, so that none lies over a head. */
const ON_PHOTO_SIGNED: Candidate = {
  composition: "on_photo",
  kind: "full_bleed",
  make: onDark((brief) => (brief.logo === null ? null : upright({ ...brief, needsLogoPlate: true }))),
};
const ON_PHOTO_HEAD: Candidate = {
  composition: "on_photo_head",
  kind: "full_bleed",
  make: onDark(uprightFromHead),
};
const FADED: Candidate = { composition: "split_foot", kind: "split", make: onDark(overlay) };
const EXTENSION: Candidate = { composition: "extension", kind: "framed", make: onDark(storyExtension) };
const TEXT_CARD: Candidate = {
  composition: "text_card",
  kind: "overlap",
  make: (brief) => onTextCard(brief),
};
const splitAt = (side: PanelSide): Candidate => ({
  composition: `split_${side}`,
  kind: "split",
  make: (brief) => photoPanel(brief, side),
});
const framedAt = (side: PanelSide): Candidate => ({
  composition: `framed_${side}`,
  kind: "framed",
  make: (brief) => photoPanel(brief, side, true),
});
const overlapAt = (side: PanelSide): Candidate => ({
  composition: `overlap_${side}`,
  kind: "overlap",
  make: (brief) => overlapCard(brief, side),
});
/** A strip whose photo ends with an edge, where a fading one would dim a face. */
const SHARP_ROW: Candidate = {
  composition: "usual",
  kind: "split",
  make: (brief) => usualArrangement({ ...brief, isDark: false, family: photoFamily(brief) }),
};
/** All in one row, the photo first and the button last. */
const IN_ROW: Candidate = {
  composition: "in_row",
  kind: "split",
  make: (brief) => row({ ...brief, isDark: false, family: photoFamily(brief) }),
};
/** The two ends of a small safe area. */
const smallSafeArea = (side: "start" | "end"): readonly Candidate[] => [
  { composition: "on_photo", kind: "full_bleed", make: onDark((brief) => inSmallSafeArea(brief, side)) },
  { composition: "text_card", kind: "overlap", make: (brief) => onTextCard(brief, side) },
];

/** A scenery whose photo does not lie behind its words is composed as a campaign. */
const photoFamily = ({ family }: Brief): Brief["family"] => (family === "scenery" ? "campaign" : family);

const BAND: Candidate = { composition: "split_around", kind: "split", make: photoBand };

/** Where the words go in each kind on an upright and on a wide canvas, the best first. */
const UPRIGHT = [
  splitAt("foot"),
  overlapAt("foot"),
  framedAt("foot"),
  splitAt("head"),
  splitAt("start"),
  overlapAt("head"),
  framedAt("head"),
  framedAt("start"),
];
const WIDE = [
  splitAt("start"),
  overlapAt("start"),
  framedAt("start"),
  overlapAt("end"),
  splitAt("foot"),
  framedAt("foot"),
];
const SQUARE = [
  splitAt("foot"),
  splitAt("start"),
  overlapAt("foot"),
  overlapAt("start"),
  framedAt("foot"),
  framedAt("start"),
  overlapAt("end"),
  splitAt("head"),
];

/**
 * All ways to compose a brief, the best first: what is drawn first of those that are good in everything. Looks that frame
 * their photos begin with the framed ones.
 */
export function rankedCandidates(brief: Brief): readonly Candidate[] {
  if (brief.hero === null || takesProductOnSurface(brief) || isWordless(brief.copy)) {
    return [usual("framed"), swapped("framed")];
  }
  // On a light surface no photo fades: there every strip's photo ends with an edge.
  if (isRow(brief.shape)) {
    return brief.isDark ? [usual("split"), SHARP_ROW, swapped("split")] : [usual("split"), swapped("split")];
  }
  if (hasSmallSafeArea(brief)) {
    return [
      usual(brief.isDark ? "full_bleed" : "overlap"),
      ...smallSafeArea("start"),
      ...smallSafeArea("end"),
      splitAt("start"),
      splitAt("end"),
    ];
  }
  if (brief.shape === "story") {
    return [
      usual(brief.isDark ? "full_bleed" : "overlap"),
      ON_PHOTO_SIGNED,
      FADED,
      splitAt("foot"),
      ON_PHOTO_HEAD,
      EXTENSION,
      splitAt("head"),
      TEXT_CARD,
    ];
  }
  const ranked = photoCandidates(brief);
  if (!brief.look.layout.framesPhotos) return ranked;
  return [
    ...ranked.filter(({ kind }) => kind === "framed"),
    ...ranked.filter(({ kind }) => kind !== "framed"),
  ];
}

function photoCandidates({ shape }: Brief): readonly Candidate[] {
  switch (shape) {
    case "portrait":
      return UPRIGHT;
    case "skyscraper":
      return [...UPRIGHT, BAND];
    case "square":
      return SQUARE;
    case "landscape":
      return WIDE;
    default:
      return [...WIDE, IN_ROW];
  }
}
