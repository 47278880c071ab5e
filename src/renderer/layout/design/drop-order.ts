import type { TextRole } from "#renderer/types.ts";
import { isRow } from "./canvas-of-size.ts";
import { ARROW, type Brief, COPY_FIELD, hasKeyAreas } from "./design.ts";

/** `cta_words`: the button shows an arrow alone. */
export type Droppable = TextRole | "cta_words" | "logo" | "hero" | "secondary_hero";

/** What a brief's arrangements do without. */
export interface Rung {
  readonly dropped: readonly Droppable[];
  /** The logo and the picture of a strip may be a quarter smaller. */
  readonly isShrunk: boolean;
}

/** All words but headline, price and button. */
const EXTRAS = ["disclaimer", "subheadline", "badge", "old_price"] as const;
/**
 * What is dropped when the smallest sizes do not fit: each set is tried after those before it. Fine print goes first, then
 * prose, then what a price is compared with. The button loses its words before it goes, and goes last.
 */
const WORDS_FIRST: readonly (readonly Droppable[])[] = EXTRAS.map((_, count) => EXTRAS.slice(0, count));
const LADDER: readonly (readonly Droppable[])[] = [
  ...WORDS_FIRST,
  EXTRAS,
  // A button that alone is too wide shows an arrow: the other words may fit.
  ["disclaimer", "cta_words"],
  ["disclaimer", "subheadline", "cta_words"],
  [...EXTRAS, "cta_words"],
  [...EXTRAS, "cta"],
];
/** A strip that has room for either has its picture; one that has none for it keeps its button. */
const ROW_LADDER: readonly (readonly Droppable[])[] = [
  ...WORDS_FIRST,
  EXTRAS,
  [...EXTRAS, "cta_words"],
  [...EXTRAS, "hero"],
  [...EXTRAS, "cta_words", "hero"],
  [...EXTRAS, "cta"],
  [...EXTRAS, "cta", "hero"],
];
/** When nothing else makes room the logo is dropped, then the price, and each time the rest starts over. */
const LAST_RESORTS: readonly (readonly Droppable[])[] = [
  [],
  ["logo"],
  ["price", "old_price"],
  ["logo", "price", "old_price"],
];

/** What is done without, in the order it is tried; each set once, and only of what the brief has. */
export function rungsOf(brief: Brief): readonly Rung[] {
  const tried = new Set<string>();
  const ladder = isRow(brief.shape) ? ROW_LADDER : LADDER;
  return LAST_RESORTS.flatMap((last) =>
    ladder.flatMap((rung) => withOnePicture(brief, [...last, ...rung])),
  ).flatMap((rung) => {
    const dropped = [...new Set([...tooManyFor(brief), ...rung])].filter((role) => canLose(brief, role));
    const key = dropped.join();
    if (tried.has(key)) return [];
    tried.add(key);
    const usual: Rung = { dropped, isShrunk: false };
    return isRow(brief.shape) ? [usual, { dropped, isShrunk: true }] : [usual];
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
    case "cta_words":
      return brief.copy.cta !== undefined;
    default:
      return brief.copy[COPY_FIELD[role]] !== undefined;
  }
}

/** An old price alone would be taken for the price. */
const tooManyFor = ({ copy }: Brief): readonly Droppable[] => (copy.price === undefined ? ["old_price"] : []);

/** A tiny strip drops its second picture before the old price: later rungs are tried with both pictures, then with one. */
const withOnePicture = ({ shape }: Brief, rung: readonly Droppable[]): readonly (readonly Droppable[])[] =>
  shape === "tiny_strip" && rung.length >= EXTRAS.length - 1 ? [rung, ["secondary_hero", ...rung]] : [rung];

/** The brief without what is dropped. */
export function without(brief: Brief, { dropped, isShrunk }: Rung): Brief {
  const kept = (role: TextRole) => (dropped.includes(role) ? undefined : brief.copy[COPY_FIELD[role]]);
  return {
    ...brief,
    isShrunk,
    copy: {
      headline: kept("headline"),
      subheadline: kept("subheadline"),
      cta: dropped.includes("cta_words") ? ARROW : kept("cta"),
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
