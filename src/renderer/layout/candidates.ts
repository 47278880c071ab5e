import type { CompositionWish } from "#catalogue/looks.ts";
import { plainRow, poster, rowOnMark, rowWithField, withField } from "./arrangements/brand-graphic.ts";
import { fullBleed } from "./arrangements/full-bleed.ts";
import { overlapCard } from "./arrangements/overlap-card.ts";
import { photoInMiddle } from "./arrangements/photo-in-middle.ts";
import { framedDesign, photoPanel } from "./arrangements/photo-panels.ts";
import { pictureOnly } from "./arrangements/picture-only.ts";
import { productOnSurface } from "./arrangements/product-on-surface.ts";
import { productInTile, productOnPanel, productOverPanel } from "./arrangements/product-panels.ts";
import { row } from "./arrangements/row.ts";
import { storyPanel } from "./arrangements/story.ts";
import { inset } from "./design/boxes.ts";
import { hasSmallSafeArea, isRow } from "./design/canvas-of-size.ts";
import {
  type Brief,
  type Design,
  hasKeyAreas,
  isHeroOnSurface,
  isWordless,
  type Side,
} from "./design/design.ts";
import { shifted } from "./words/text-panel.ts";

/** How a photo and its text share a canvas. */
export type CompositionKind = Exclude<CompositionWish, "auto">;

/** Names of the compositions. Each differs from the others in structure, not just in position. */
export type Composition =
  | "usual"
  | "full_bleed"
  | `split_${Side}`
  | "split_middle"
  | `framed_${Side}`
  | `overlap_${Side}`
  | "product_panel"
  | "product_tile"
  | "product_overlap";

/** One way to compose a brief; `make` returns null when the text does not fit. */
export interface Candidate {
  readonly composition: Composition;
  readonly kind: CompositionKind;
  readonly make: (brief: Brief) => Design | null;
}

const usual = (kind: CompositionKind): Candidate => ({ composition: "usual", kind, make: usualArrangement });

/** Text on a calm part of a photo that fills the canvas. */
const FULL_BLEED: Candidate = { composition: "full_bleed", kind: "full_bleed", make: fullBleed };
const splitAt = (side: Side): Candidate => ({
  composition: `split_${side}`,
  kind: "split",
  make: (brief) => photoPanel(brief, side),
});
const framedAt = (side: Side): Candidate => ({
  composition: `framed_${side}`,
  kind: "framed",
  make: (brief) => photoPanel(brief, side, true),
});
const overlapAt = (side: Side): Candidate => ({
  composition: `overlap_${side}`,
  kind: "overlap",
  make: (brief) => overlapCard(brief, side),
});
/** A strip whose photo is a small print inside its edges. */
const FRAMED_ROW: Candidate = {
  composition: "framed_start",
  kind: "framed",
  make: (brief) => {
    const design = usualArrangement(brief);
    const frame = Math.max(3, Math.round(brief.height * ROW_FRAME));
    return design === null ? null : framedDesign(brief, design, frame);
  },
};
/** Gap between a strip's print and its edges, as a fraction of its height. */
const ROW_FRAME = 0.09;
/** A vertically centred photo, for photos that fit no region from edge to edge. */
const MIDDLE: Candidate = { composition: "split_middle", kind: "split", make: photoInMiddle };

/**
 * The candidates of each shape with text beside the photo or on a card, best first. Their names say on which side of
 * the photo the text is.
 */
const UPRIGHT = [
  splitAt("foot"),
  overlapAt("foot"),
  framedAt("foot"),
  splitAt("head"),
  splitAt("start"),
  overlapAt("head"),
  framedAt("head"),
  framedAt("start"),
  MIDDLE,
];
/** Text above the photo: the first candidate of a story, and the last of a slim portrait (2:3). */
const STORY: Candidate = { composition: "usual", kind: "split", make: storyPanel };
const SLIM_PORTRAIT_MAX = 0.7;
const SLIM = [splitAt("foot"), splitAt("head"), framedAt("foot"), framedAt("head")];
const WIDE = [
  splitAt("start"),
  MIDDLE,
  overlapAt("start"),
  framedAt("start"),
  overlapAt("end"),
  splitAt("foot"),
  framedAt("foot"),
];
const SQUARE = [
  splitAt("foot"),
  splitAt("start"),
  MIDDLE,
  overlapAt("foot"),
  overlapAt("start"),
  framedAt("foot"),
  framedAt("start"),
  overlapAt("end"),
  splitAt("head"),
];
/** For a cut-out: alternatives to a floor across the whole canvas. */
const PRODUCT_PANELS: readonly Candidate[] = [
  { composition: "product_panel", kind: "split", make: productOnPanel },
  { composition: "product_overlap", kind: "overlap", make: productOverPanel },
  { composition: "product_tile", kind: "framed", make: productInTile },
];

/**
 * All ways to compose a brief, best first: the first that passes every threshold is drawn. In looks that frame their
 * photos, the framed candidates come first.
 */
export function rankedCandidates(brief: Brief): readonly Candidate[] {
  if (brief.family === "brand" || (brief.hero === null && isWordless(brief.copy))) {
    return brandArrangements(brief).map((one): Candidate => ({ composition: "usual", ...one }));
  }
  if (showsPicturesWhole(brief) && brief.hero?.isCutOut === true) {
    // On a skyscraper, a wide product would be too small in a tile.
    const isLow = brief.shape === "skyscraper" && brief.hero.aspect > 1;
    const isPanelled = !isRow(brief.shape) && !hasSmallSafeArea(brief) && !brief.hasBackground && !isLow;
    // On a leaderboard a cut-out has its own panel.
    const first = usual(brief.shape === "leaderboard" ? "split" : "full_bleed");
    return isPanelled && !isWordless(brief.copy) ? [first, ...PRODUCT_PANELS] : [first];
  }
  if (brief.hero === null || showsPicturesWhole(brief) || isWordless(brief.copy)) {
    return [usual("framed")];
  }
  const beside = besidePhoto(brief);
  // A framed photo at a story's top would leave the bottom empty.
  const isFraming = brief.look.layout.framesPhotos && brief.shape !== "story";
  // In a strip, a face is larger in a tile beside the text than on a photo behind it.
  const isFaceRow = isRow(brief.shape) && hasKeyAreas(brief.hero) && brief.composition !== "full_bleed";
  return [
    ...(isFaceRow ? [] : [FULL_BLEED]),
    ...(isFraming ? beside.filter(({ kind }) => kind === "framed") : []),
    ...beside.filter(({ kind }) => !isFraming || kind !== "framed"),
  ];
}

/** The ways to compose a brief with text on a panel or a card. */
function besidePhoto(brief: Brief): readonly Candidate[] {
  if (isRow(brief.shape)) return [usual("split"), FRAMED_ROW];
  if (hasSmallSafeArea(brief)) return [splitAt("start"), splitAt("end"), MIDDLE];
  switch (brief.shape) {
    case "portrait":
      return brief.width < brief.height * SLIM_PORTRAIT_MAX ? [...UPRIGHT, STORY] : UPRIGHT;
    case "skyscraper":
      return SLIM;
    case "story":
      return [STORY, ...UPRIGHT.slice(1)];
    case "square":
      return SQUARE;
    default:
      return WIDE;
  }
}

/** An arrangement without a picture, and how its field and text share the canvas. */
interface BrandArrangement {
  readonly kind: Exclude<CompositionWish, "auto">;
  readonly make: (brief: Brief) => Design | null;
}

const TO_END: BrandArrangement = { kind: "split", make: rowWithField };
const ON_MARK: BrandArrangement = { kind: "overlap", make: rowOnMark };
const PLAIN_ROW: BrandArrangement = { kind: "framed", make: plainRow };
const POSTER: BrandArrangement = { kind: "full_bleed", make: poster };

/** The arrangements without a picture, the preferred one first; each has a different structure. */
function brandArrangements(brief: Brief): readonly BrandArrangement[] {
  const { shape, safe, copy } = brief;
  if (isRow(shape)) {
    return isWordless(copy) ? [TO_END, POSTER] : [TO_END, ON_MARK, PLAIN_ROW];
  }
  if (hasSmallSafeArea(brief)) return [{ kind: "framed", make: rowInSafeArea }, POSTER];
  const isLow = shape === "leaderboard";
  const isWide = isLow || safe.width > safe.height * 1.1;
  // A story's larger reserved area is at the bottom, and the field may fill it.
  const upright = shape === "story" ? (["foot", "head"] as const) : (["head", "foot"] as const);
  const [near, far] = isWide ? (["end", "start"] as const) : upright;
  const field = (
    side: typeof near | typeof far,
    content: "price" | "mark" | "pattern",
  ): BrandArrangement => ({
    kind: "split",
    make: (one) => withField(one, side, content),
  });
  return [
    // A price without a headline takes the headline's place, so it needs no field.
    ...(copy.price === undefined || copy.headline === undefined ? [] : [field(near, "price")]),
    field(near, "mark"),
    ...(isLow ? [TO_END, ON_MARK] : [POSTER]),
    field(far, "pattern"),
    ...(isLow ? [POSTER, PLAIN_ROW] : []),
  ];
}

/**
 * Margins that `row` keeps around its text, as fractions of the height. A small safe area has enough space around it,
 * so its row is enlarged by these margins.
 */
const ROW_MARGIN_SHARES = { across: 0.17, down: 0.09 } as const;

function rowInSafeArea(brief: Brief): Design | null {
  const { x, y, width, height } = brief.safe;
  const safe = inset(
    { x: 0, y: 0, width, height },
    -height * ROW_MARGIN_SHARES.across,
    -height * ROW_MARGIN_SHARES.down,
  );
  const design = row({ ...brief, width, height, shape: "leaderboard", safe });
  return design === null ? null : shifted(design, x, y);
}

/** Whether pictures are shown whole on a surface rather than cropped to fill their regions. */
const showsPicturesWhole = (brief: Brief): boolean =>
  brief.family !== "scenery" && (isHeroOnSurface(brief) || brief.hasBackground || brief.family === "person");

/**
 * The arrangement of strips, of pictures without text and of pictures on a surface. Null for other photos, and if the
 * text does not fit.
 */
function usualArrangement(brief: Brief): Design | null {
  // In a strip, a logo would hide most of the photo, so they are side by side.
  const isSignedStrip =
    isRow(brief.shape) && brief.logo !== null && brief.hero !== null && brief.family !== "scenery";
  if (isWordless(brief.copy) && !isSignedStrip) return pictureOnly(brief);
  if (isRow(brief.shape)) return row(brief);
  return showsPicturesWhole(brief) ? productOnSurface(brief) : null;
}
