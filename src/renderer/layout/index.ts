import type { Copy } from "../types.ts";
import { bare } from "./bare.ts";
import { centred } from "./centred.ts";
import type { Brief, Design, TextRole } from "./design.ts";
import { banded, immersed, isImmersed } from "./immersed.ts";
import { mirrored } from "./mirror.ts";
import { overlay } from "./overlay.ts";
import { row } from "./row.ts";
import { isRow } from "./shape.ts";
import { split } from "./split.ts";
import { stage } from "./stage.ts";
import { readsRightToLeft } from "./typesetter.ts";

export type {
  Brief,
  Design,
  PictureTraits,
  PlacedButton,
  PlacedPicture,
  PlacedText,
  TextRole,
  Veil,
} from "./design.ts";
export { familyOf, HERO_SLOT } from "./family.ts";
export { isImmersed, isIsland } from "./immersed.ts";
export { islandScale, type Scale, scaleOf } from "./scale.ts";
export { shapeOf } from "./shape.ts";
export { Typesetter } from "./typesetter.ts";

/** A design and what had to go for it to work. */
export interface Arrangement {
  readonly design: Design;
  readonly dropped: readonly Droppable[];
}

type Droppable = TextRole | "logo" | "hero";

/** What is given up, in this order, when the least sizes do not fit. The headline never is. */
const LADDER: readonly (readonly Droppable[])[] = [
  [],
  ["disclaimer"],
  ["disclaimer", "subheadline"],
  ["disclaimer", "subheadline", "cta"],
  ["disclaimer", "subheadline", "cta", "hero"],
  ["disclaimer", "subheadline", "cta", "hero", "logo"],
];

/** Finds the best arrangement for a canvas; null when the headline cannot be set legibly. */
export function layOut(brief: Brief): Arrangement | null {
  const words = [brief.copy.headline, brief.copy.subheadline, brief.copy.cta, brief.copy.disclaimer].join(
    " ",
  );
  const isMirrored = readsRightToLeft(words);
  const seen = isMirrored ? mirroredBrief(brief) : brief;
  const tried = new Set<string>();
  for (const rung of LADDER) {
    const dropped = rung.filter((role) =>
      role === "logo"
        ? seen.logo !== null && seen.family !== "brand"
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
  return null;
}

function arrange(brief: Brief): Design | null {
  const { headline, subheadline, cta, disclaimer } = brief.copy;
  const isWordless = [headline, subheadline, cta, disclaimer].every((text) => text === undefined);
  // In a strip a logo on a photo hides most of it: there they stand side by side.
  const isSignedStrip =
    isRow(brief.shape) && brief.logo !== null && brief.hero !== null && brief.family !== "scenery";
  if (isWordless && !isSignedStrip) return bare(brief);
  if (isRow(brief.shape)) return row(brief);
  if (brief.family === "brand") {
    return brief.shape === "leaderboard" && brief.height <= 130 ? row(brief) : centred(brief);
  }
  const isStage =
    brief.hero?.isCutOut === true ||
    brief.hasBackground ||
    brief.family === "product" ||
    brief.family === "device" ||
    brief.family === "person";
  if (isStage && brief.family !== "scenery") return stage(brief);
  if (isImmersed(brief)) return immersed(brief);
  if (brief.family === "duo" && brief.shape === "story") return banded(brief) ?? overlay(brief);
  return brief.shape === "landscape" || brief.shape === "leaderboard" ? split(brief) : overlay(brief);
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
    secondaryHero: dropped.includes("hero") ? null : brief.secondaryHero,
  };
}

/** A strip may be too small for picture and words; a scenery lies behind the words and never is. */
function canLoseHero(brief: Brief): boolean {
  return brief.hero !== null && brief.family !== "scenery" && isRow(brief.shape);
}

function mirroredBrief(brief: Brief): Brief {
  const { safe, width } = brief;
  return { ...brief, safe: { ...safe, x: width - safe.x - safe.width } };
}
