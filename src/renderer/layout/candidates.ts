import { inSmallSafeArea, upright, uprightFromHead } from "./arrangements/full-bleed.ts";
import { overlay } from "./arrangements/overlay.ts";
import { panelAcross, panelBeside } from "./arrangements/photo-panels.ts";
import { photoShelf } from "./arrangements/photo-shelf.ts";
import { productInTile, productOnPanel, productOverPanel } from "./arrangements/product-panels.ts";
import { row } from "./arrangements/row.ts";
import { storyExtension } from "./arrangements/story-extension.ts";
import { withSidesSwapped } from "./arrangements/swap-sides.ts";
import { onTextCard } from "./arrangements/text-card.ts";
import { takesProductOnSurface, usualArrangement } from "./arrangements/usual-arrangement.ts";
import { hasSmallSafeArea } from "./design/canvas-of-size.ts";
import { type Brief, type Design, isWordless } from "./design/design.ts";
import { isRow } from "./design/shape-from-size.ts";

/** The ways to compose a size. Each is another composition to the eye, not the same one shifted. */
export type Composition =
  | "usual"
  | "sides_swapped"
  | "on_photo"
  | "on_photo_head"
  | "text_card"
  | "panel_start"
  | "panel_end"
  | "panel_foot"
  | "panel_head"
  | "in_row"
  | "shelf"
  | "extension"
  | "product_panel"
  | "product_tile"
  | "product_overlap";

/** One way to compose a brief; `make` returns null when the words do not fit it. */
export interface Candidate {
  readonly composition: Composition;
  readonly make: (brief: Brief) => Design | null;
}

/** The usual arrangements of briefs: the second candidate swaps the sides of the first one. */
const knownUsual = new WeakMap<Brief, { readonly design: Design | null }>();

function usualOf(brief: Brief): Design | null {
  const known = knownUsual.get(brief) ?? { design: usualArrangement(brief) };
  knownUsual.set(brief, known);
  return known.design;
}

const USUAL: Candidate = { composition: "usual", make: usualOf };
const SIDES_SWAPPED: Candidate = {
  composition: "sides_swapped",
  make: (brief) => {
    const usual = usualOf(brief);
    return usual === null ? null : withSidesSwapped(usual, brief);
  },
};
/** What has words on the photo needs a dark surface: a light scrim looks like fog. */
const onDark =
  (make: Candidate["make"]): Candidate["make"] =>
  (brief) =>
    brief.isDark && brief.secondaryHero === null ? make(brief) : null;
const ON_PHOTO: Candidate = { composition: "on_photo", make: onDark(upright) };
/** The logo joins the words, so that none lies over a head. */
const ON_PHOTO_SIGNED: Candidate = {
  composition: "on_photo",
  make: onDark((brief) => (brief.logo === null ? null : upright({ ...brief, needsLogoPlate: true }))),
};
const ON_PHOTO_HEAD: Candidate = { composition: "on_photo_head", make: onDark(uprightFromHead) };
const FADED: Candidate = { composition: "panel_foot", make: onDark(overlay) };
const TEXT_CARD: Candidate = { composition: "text_card", make: (brief) => onTextCard(brief) };
const PANEL_START: Candidate = { composition: "panel_start", make: (brief) => panelBeside(brief, "start") };
const PANEL_END: Candidate = { composition: "panel_end", make: (brief) => panelBeside(brief, "end") };
const PANEL_FOOT: Candidate = { composition: "panel_foot", make: (brief) => panelAcross(brief, "foot") };
const EXTENSION: Candidate = { composition: "extension", make: onDark(storyExtension) };
const PANEL_HEAD: Candidate = { composition: "panel_head", make: (brief) => panelAcross(brief, "head") };
const SHELF: Candidate = { composition: "shelf", make: photoShelf };
/** A strip whose photo ends with an edge, where a fading one would dim a face. */
const SHARP_ROW: Candidate = {
  composition: "usual",
  make: (brief) => usualArrangement({ ...brief, isDark: false, family: photoFamily(brief) }),
};
/** All in one row, the photo first and the button last. */
const IN_ROW: Candidate = {
  composition: "in_row",
  make: (brief) => row({ ...brief, family: photoFamily(brief) }),
};
/** What else a cut-out is composed with than a floor under the whole canvas: split, overlap, framed. */
const PRODUCT_PANELS: readonly Candidate[] = [
  { composition: "product_panel", make: productOnPanel },
  { composition: "product_overlap", make: productOverPanel },
  { composition: "product_tile", make: productInTile },
];
/** The two ends of a small safe area. */
const smallSafeArea = (side: "start" | "end"): readonly Candidate[] => [
  {
    composition: side === "start" ? "panel_start" : "panel_end",
    make: onDark((brief) => inSmallSafeArea(brief, side)),
  },
  { composition: side === "start" ? "panel_start" : "panel_end", make: (brief) => onTextCard(brief, side) },
];

/** A scenery whose photo does not lie behind its words is composed as a campaign. */
const photoFamily = ({ family }: Brief): Brief["family"] => (family === "scenery" ? "campaign" : family);

/** All ways to compose a brief, the best first. The first is what is drawn where nothing speaks against it. */
export function rankedCandidates(brief: Brief): readonly Candidate[] {
  if (brief.hero === null || isWordless(brief.copy)) return [USUAL, SIDES_SWAPPED];
  if (takesProductOnSurface(brief)) {
    const isPanelled = !isRow(brief.shape) && !hasSmallSafeArea(brief) && !brief.hasBackground;
    return isPanelled && brief.hero.isCutOut ? [USUAL, ...PRODUCT_PANELS] : [USUAL, SIDES_SWAPPED];
  }
  // On a light surface no photo fades: there every strip's photo ends with an edge.
  if (isRow(brief.shape)) return brief.isDark ? [USUAL, SHARP_ROW, SIDES_SWAPPED] : [USUAL, SIDES_SWAPPED];
  if (hasSmallSafeArea(brief)) {
    return [USUAL, ...smallSafeArea("start"), ...smallSafeArea("end"), PANEL_START, PANEL_END];
  }
  switch (brief.shape) {
    case "story":
      return [USUAL, ON_PHOTO_SIGNED, FADED, PANEL_FOOT, ON_PHOTO_HEAD, EXTENSION, PANEL_HEAD, TEXT_CARD];
    case "portrait":
    case "skyscraper":
      return [USUAL, PANEL_FOOT, PANEL_HEAD, ON_PHOTO, ON_PHOTO_HEAD, TEXT_CARD];
    case "square":
      return [USUAL, PANEL_FOOT, PANEL_START, ON_PHOTO, PANEL_END, PANEL_HEAD, TEXT_CARD, SHELF];
    case "landscape":
      return [USUAL, PANEL_START, SIDES_SWAPPED, PANEL_END, FADED, PANEL_FOOT, PANEL_HEAD, SHELF];
    default:
      return [USUAL, PANEL_START, SIDES_SWAPPED, PANEL_END, IN_ROW];
  }
}
