import type { Box, Copy } from "../types.ts";
import { hasSmallSafeArea } from "./canvas-of-size.ts";
import { centred } from "./centred.ts";
import {
  type Brief,
  type Design,
  evenScrim,
  headlineScore,
  type PictureTraits,
  standsOnSurface,
  type TextRole,
} from "./design.ts";
import { fullBleed, isFullBleed } from "./full-bleed.ts";
import { mirrored } from "./mirror-right-to-left.ts";
import { overlay } from "./overlay.ts";
import { pictureOnly } from "./picture-only.ts";
import { row } from "./row.ts";
import { isRow } from "./shape-from-size.ts";
import { split } from "./split.ts";
import { studioSet } from "./studio-set.ts";
import { onTextCard, takesTextCard } from "./text-card.ts";
import { shifted } from "./text-panel.ts";
import { readsRightToLeft } from "./typesetter.ts";
import { headlineAlone } from "./words-alone.ts";

export { canvasOf } from "./canvas-of-size.ts";
export type {
  Brief,
  Design,
  PictureTraits,
  PlacedButton,
  PlacedPicture,
  PlacedText,
  Scrim,
} from "./design.ts";
export { isFullBleed } from "./full-bleed.ts";
export { shapeOf } from "./shape-from-size.ts";
export { Typesetter } from "./typesetter.ts";
export { headlineFits } from "./words-alone.ts";

/** A design, and the elements that were dropped so that the rest fits. */
export interface Arrangement {
  readonly design: Design;
  readonly dropped: readonly Droppable[];
}

type Droppable = TextRole | "logo" | "hero" | "secondary_hero";

/** The elements that are dropped, in this order, when the smallest sizes do not fit. The headline never is. */
const LADDER: readonly (readonly Droppable[])[] = [
  [],
  ["disclaimer"],
  ["disclaimer", "subheadline"],
  // A button that alone is too wide is dropped alone: the other words may fit.
  ["cta"],
  ["disclaimer", "cta"],
  ["disclaimer", "subheadline", "cta"],
  ["disclaimer", "subheadline", "cta", "hero"],
];
/** When nothing else makes room the logo is dropped, and the words start over. */
const LADDERS = [LADDER, LADDER.map((rung): readonly Droppable[] => ["logo", ...rung])];

/** Finds the best arrangement for a canvas; null when the headline cannot be set legibly. */
export function layOut(brief: Brief): Arrangement | null {
  const words = [brief.copy.headline, brief.copy.subheadline, brief.copy.cta, brief.copy.disclaimer].join(
    " ",
  );
  const isMirrored = readsRightToLeft(words);
  const asked = isMirrored ? mirroredBrief(brief) : brief;
  // A light scrim on a photo looks like fog: a light scenery stands beside its words, as a campaign's photo does.
  const seen: Brief = asked.family === "scenery" && !asked.isDark ? { ...asked, family: "campaign" } : asked;
  const tried = new Set<string>();
  for (const rung of LADDERS.flat()) {
    const dropped = [...tooManyFor(seen), ...rung].filter((role) =>
      role === "secondary_hero"
        ? seen.secondaryHero !== null
        : role === "logo"
          ? seen.logo !== null && (seen.family !== "brand" || seen.copy.headline !== undefined)
          : role === "hero"
            ? canLoseHero(seen)
            : seen.copy[role] !== undefined,
    );
    const key = dropped.join();
    if (tried.has(key)) continue;
    tried.add(key);
    const design = arrange(without(seen, dropped));
    if (design === null) continue;
    return { design: isMirrored ? mirrored(design, brief.width) : design, dropped };
  }
  return headlineOnly(seen, isMirrored);
}

/** The scrim of a headline that has only a background behind it. */
const DENSE_OPACITY = 0.85;

/** The headline alone on the plain surface: it can be set wherever the words of a size pass their check. */
function headlineOnly(brief: Brief, isMirrored: boolean): Arrangement | null {
  const { copy, typesetter, width } = brief;
  if (copy.headline === undefined) return null;
  const block = headlineAlone(brief, typesetter, copy.headline);
  if (block === null) return null;
  const scrims = brief.hasBackground ? [evenScrim(brief, DENSE_OPACITY)] : [];
  const design: Design = { surface: "flat", pictures: [], scrims, scrimsOver: "background", ...block };
  const texts = ["subheadline", "cta", "disclaimer"] as const;
  return {
    design: isMirrored ? mirrored(design, width) : design,
    dropped: [
      ...texts.filter((role) => copy[role] !== undefined),
      ...(brief.logo === null ? [] : (["logo"] as const)),
      ...(brief.hero === null ? [] : (["hero"] as const)),
      ...(brief.secondaryHero === null ? [] : (["secondary_hero"] as const)),
    ],
  };
}

function arrange(brief: Brief): Design | null {
  const { headline, subheadline, cta, disclaimer } = brief.copy;
  const isWordless = [headline, subheadline, cta, disclaimer].every((text) => text === undefined);
  // In a strip a logo would hide most of the photo: they stand side by side.
  const isSignedStrip =
    isRow(brief.shape) && brief.logo !== null && brief.hero !== null && brief.family !== "scenery";
  if (isWordless && !isSignedStrip) return pictureOnly(brief);
  if (isRow(brief.shape)) return row(brief);
  if (brief.family === "brand") {
    if (hasSmallSafeArea(brief)) return inSmallSafeArea(brief) ?? centred(brief);
    return brief.shape === "leaderboard" ? rowOrCentred(brief) : centred(brief);
  }
  const isOnSet = standsOnSurface(brief) || brief.hasBackground || brief.family === "person";
  if (isOnSet && brief.family !== "scenery") return studioSet(brief);
  if (isFullBleed(brief)) return fullBleed(brief);
  if (takesTextCard(brief)) return onTextCard(brief) ?? overlay(brief);
  if (brief.shape === "leaderboard") return split(brief);
  return brief.shape === "landscape" ? splitOrOverlay(brief) : overlay(brief);
}

/** A headline with this score is large enough: no other arrangement is tried. */
const HEADLINE_SIZE_FAIR = 0.6;
const OVERLAY_GAIN_MIN = 1.35;

/** Words that are too long for a column are set across the foot of a dark photo instead. */
function splitOrOverlay(brief: Brief): Design | null {
  const beside = split(brief);
  const score = beside === null ? 0 : headlineScore(beside);
  if (score >= HEADLINE_SIZE_FAIR || !brief.isDark || brief.secondaryHero !== null) return beside;
  const across = overlay(brief);
  if (across === null) return beside;
  return headlineScore(across) > score * OVERLAY_GAIN_MIN ? across : beside;
}

/** In a tiny strip two pictures would be too small: the second is always dropped. */
const tooManyFor = ({ shape, copy }: Brief): readonly Droppable[] =>
  shape === "tiny_strip" && copy.headline !== undefined ? ["secondary_hero"] : [];

/** The words stand beside the button, or over it where a long button leaves them too narrow a column. */
function rowOrCentred(brief: Brief): Design | null {
  const inRow = row(brief);
  const inColumn = centred(brief);
  if (inRow === null || inColumn === null) return inRow ?? inColumn;
  return headlineScore(inColumn) > headlineScore(inRow) * 1.1 ? inColumn : inRow;
}

/** A row inside the small safe area. */
function inSmallSafeArea(brief: Brief): Design | null {
  const { x, y, width, height } = brief.safe;
  const design = row({ ...brief, width, height, shape: "leaderboard", safe: { x: 0, y: 0, width, height } });
  return design === null ? null : shifted(design, x, y);
}

function without(brief: Brief, dropped: readonly Droppable[]): Brief {
  const kept = (role: TextRole) => (dropped.includes(role) ? undefined : brief.copy[role]);
  const copy: Copy = {
    headline: kept("headline"),
    subheadline: kept("subheadline"),
    cta: kept("cta"),
    disclaimer: kept("disclaimer"),
  };
  return {
    ...brief,
    copy,
    logo: dropped.includes("logo") ? null : brief.logo,
    hero: dropped.includes("hero") ? null : brief.hero,
    secondaryHero:
      dropped.includes("hero") || dropped.includes("secondary_hero") ? null : brief.secondaryHero,
  };
}

/** Only strips may drop their picture; a scenery lies behind the words and takes no room from them. */
function canLoseHero(brief: Brief): boolean {
  return brief.hero !== null && brief.family !== "scenery" && isRow(brief.shape);
}

function mirroredBrief(brief: Brief): Brief {
  const { safe, width } = brief;
  const flip = (box: Box): Box => ({ ...box, x: width - box.x - box.width });
  const turned = (traits: PictureTraits | null) =>
    traits === null ? null : { ...traits, focusX: 1 - traits.focusX };
  // Pictures are not mirrored, so what lies under an area is looked up where the area will be.
  return {
    ...brief,
    safe: flip(safe),
    hero: turned(brief.hero),
    secondaryHero: turned(brief.secondaryHero),
    saliencyUnder: (area) => brief.saliencyUnder(flip(area)),
  };
}
