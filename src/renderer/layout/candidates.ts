import { fullBleed } from "./arrangements/full-bleed.ts";
import { panelAcross, panelBeside } from "./arrangements/photo-panels.ts";
import { photoShelf } from "./arrangements/photo-shelf.ts";
import { row } from "./arrangements/row.ts";
import { withSidesSwapped } from "./arrangements/swap-sides.ts";
import { takesProductOnSurface, usualArrangement } from "./arrangements/usual-arrangement.ts";
import { hasSmallSafeArea } from "./design/canvas-of-size.ts";
import { type Brief, type Design, isWordless } from "./design/design.ts";
import { isRow } from "./design/shape-from-size.ts";

/** The ways to compose a size. Each is another composition to the eye, not the same one shifted. */
export type Composition =
  | "usual"
  | "sides_swapped"
  | "full_bleed"
  | "panel_start"
  | "panel_end"
  | "panel_foot"
  | "panel_head"
  | "in_row"
  | "shelf";

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
const FULL_BLEED: Candidate = { composition: "full_bleed", make: fullBleed };
const PANEL_START: Candidate = { composition: "panel_start", make: (brief) => panelBeside(brief, "start") };
const PANEL_END: Candidate = { composition: "panel_end", make: (brief) => panelBeside(brief, "end") };
const PANEL_FOOT: Candidate = { composition: "panel_foot", make: (brief) => panelAcross(brief, "foot") };
const PANEL_HEAD: Candidate = { composition: "panel_head", make: (brief) => panelAcross(brief, "head") };
const SHELF: Candidate = { composition: "shelf", make: photoShelf };
/** A strip whose photo ends with an edge, where a fading one would dim a face. */
const SHARP_ROW: Candidate = {
  composition: "usual",
  make: (brief) => usualArrangement({ ...brief, isDark: false }),
};
/** All in one row, the photo first and the button last. */
const IN_ROW: Candidate = {
  composition: "in_row",
  make: row,
};
/** All ways to compose a brief, the best first. The first is what is drawn where nothing speaks against it. */
export function rankedCandidates(brief: Brief): readonly Candidate[] {
  if (brief.hero === null || takesProductOnSurface(brief)) return [USUAL, SIDES_SWAPPED];
  if (isWordless(brief.copy)) return [USUAL, SIDES_SWAPPED];
  return [FULL_BLEED, ...besidePhoto(brief)];
}

/** The ways to compose a brief with words beside its photo. */
function besidePhoto(brief: Brief): readonly Candidate[] {
  // On a light surface no photo fades: there every strip's photo ends with an edge.
  if (isRow(brief.shape)) return brief.isDark ? [USUAL, SHARP_ROW, SIDES_SWAPPED] : [USUAL, SIDES_SWAPPED];
  if (hasSmallSafeArea(brief)) return [PANEL_START, PANEL_END];
  switch (brief.shape) {
    case "story":
      return [USUAL, PANEL_FOOT, PANEL_HEAD];
    case "portrait":
    case "skyscraper":
      return [USUAL, PANEL_HEAD];
    case "square":
      return [USUAL, PANEL_START, PANEL_END, PANEL_HEAD, SHELF];
    case "landscape":
      return [USUAL, PANEL_START, SIDES_SWAPPED, PANEL_END, PANEL_FOOT, PANEL_HEAD, SHELF];
    default:
      return [USUAL, PANEL_START, SIDES_SWAPPED, PANEL_END, IN_ROW];
  }
}
