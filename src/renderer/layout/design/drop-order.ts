import type { TextRole } from "#renderer/types.ts";
import { type Brief, COPY_FIELD, hasKeyAreas } from "./design.ts";
import { isRow } from "./shape-from-size.ts";

export type Droppable = TextRole | "logo" | "hero" | "secondary_hero";

/**
 * What is dropped when the smallest sizes do not fit: each rung is tried after those before it. Fine print goes first,
 * then prose, then what a price is compared with. The button stays longer than they do, the price longer than the
 * button and the picture of a strip. The headline never goes.
 */
const LADDER: readonly (readonly Droppable[])[] = [
  [],
  ["disclaimer"],
  ["disclaimer", "subheadline"],
  ["disclaimer", "subheadline", "badge"],
  ["disclaimer", "subheadline", "badge", "old_price"],
  // A button that alone is too wide leaves alone: the other words may fit.
  ["disclaimer", "cta"],
  ["disclaimer", "subheadline", "cta"],
  ["disclaimer", "subheadline", "badge", "old_price", "cta"],
  // A strip that has room for either has its picture; one that has none for it keeps its button.
  ["disclaimer", "subheadline", "badge", "old_price", "hero"],
  ["disclaimer", "subheadline", "badge", "old_price", "cta", "hero"],
];
/** When nothing else makes room the logo is dropped, then the price, and each time the rest starts over. */
const LADDERS: readonly (readonly Droppable[])[] = [
  ...LADDER,
  ...LADDER.map((rung): readonly Droppable[] => ["logo", ...rung]),
  ...LADDER.map((rung): readonly Droppable[] => ["price", "old_price", ...rung]),
  ...LADDER.map((rung): readonly Droppable[] => ["logo", "price", "old_price", ...rung]),
];

/** What a brief's arrangements do without, in the order they are tried; each set once, and only of what it has. */
export function dropsOf(brief: Brief): readonly (readonly Droppable[])[] {
  const tried = new Set<string>();
  return LADDERS.flatMap((rung) => {
    const dropped = [...new Set([...tooManyFor(brief), ...rung])].filter((role) => canLose(brief, role));
    const key = dropped.join();
    if (tried.has(key)) return [];
    tried.add(key);
    return [dropped];
  });
}

function canLose(brief: Brief, role: Droppable): boolean {
  switch (role) {
    case "secondary_hero":
      return brief.secondaryHero !== null;
    case "hero":
      // Only strips may drop their picture; a scenery lies behind the words and takes no room from them, except for a
      // face, which no words may cover.
      return (
        brief.hero !== null && isRow(brief.shape) && (brief.family !== "scenery" || hasKeyAreas(brief.hero))
      );
    case "logo":
      return brief.logo !== null && (brief.family !== "brand" || brief.copy.headline !== undefined);
    case "price":
      return brief.copy.price !== undefined;
    default:
      return brief.copy[COPY_FIELD[role]] !== undefined;
  }
}

/** In a tiny strip two pictures would be too small; an old price alone would be taken for the price. */
const tooManyFor = ({ shape, copy }: Brief): readonly Droppable[] => [
  ...(shape === "tiny_strip" && copy.headline !== undefined ? (["secondary_hero"] as const) : []),
  ...(copy.price === undefined ? (["old_price"] as const) : []),
];

/** The brief without what is dropped. */
export function without(brief: Brief, dropped: readonly Droppable[]): Brief {
  const kept = (role: TextRole) => (dropped.includes(role) ? undefined : brief.copy[COPY_FIELD[role]]);
  return {
    ...brief,
    copy: {
      headline: kept("headline"),
      subheadline: kept("subheadline"),
      cta: kept("cta"),
      disclaimer: kept("disclaimer"),
      price: kept("price"),
      oldPrice: kept("old_price"),
      badge: kept("badge"),
      language: brief.copy.language,
    },
    logo: dropped.includes("logo") ? null : brief.logo,
    hero: dropped.includes("hero") ? null : brief.hero,
    secondaryHero:
      dropped.includes("hero") || dropped.includes("secondary_hero") ? null : brief.secondaryHero,
  };
}
