import type { TextRole } from "#renderer/types.ts";
import { isRow } from "./canvas-of-size.ts";
import { ARROW, type Brief, COPY_FIELD, hasKeyAreas } from "./design.ts";

/** `cta_words`: the button shows an arrow alone. */
export type Droppable = TextRole | "cta_words" | "logo" | "hero" | "secondary_hero";

/** One step of the drop order. */
export interface DropStep {
  readonly dropped: readonly Droppable[];
  /** Whether a strip's logo and picture are a quarter smaller. */
  readonly isShrunk: boolean;
}

/** All text but headline, price and button. */
const EXTRAS = ["disclaimer", "subheadline", "badge", "old_price"] as const;
/**
 * The elements to drop when the smallest sizes do not fit, in order: fine print, prose, then the badge and the old
 * price. The button loses its text before it is dropped, last of all.
 */
const WORDS_FIRST: readonly (readonly Droppable[])[] = EXTRAS.map((_, count) => EXTRAS.slice(0, count));
const STEPS: readonly (readonly Droppable[])[] = [
  ...WORDS_FIRST,
  EXTRAS,
  // If only the button is too wide, an arrow may make room for the other text.
  ["disclaimer", "cta_words"],
  ["disclaimer", "subheadline", "cta_words"],
  [...EXTRAS, "cta_words"],
  [...EXTRAS, "cta"],
];
/** A strip keeps its picture if an arrow fits beside it. Otherwise the picture is dropped before the button. */
const ROW_STEPS: readonly (readonly Droppable[])[] = [
  ...WORDS_FIRST,
  EXTRAS,
  [...EXTRAS, "cta_words"],
  [...EXTRAS, "hero"],
  [...EXTRAS, "cta_words", "hero"],
  [...EXTRAS, "cta"],
  [...EXTRAS, "cta", "hero"],
];
/** If nothing else makes room, the logo is dropped, then the price instead, then both. Each time the order restarts. */
const LAST_RESORTS: readonly (readonly Droppable[])[] = [
  [],
  ["logo"],
  ["price", "old_price"],
  ["logo", "price", "old_price"],
];

/** The drop steps of a brief in order, without duplicates and without elements that the brief lacks. */
export function dropStepsOf(brief: Brief): readonly DropStep[] {
  const tried = new Set<string>();
  const steps = isRow(brief.shape) ? ROW_STEPS : STEPS;
  return LAST_RESORTS.flatMap((last) =>
    steps.flatMap((step) => withOnePicture(brief, [...last, ...step])),
  ).flatMap((step) => {
    const dropped = [...new Set([...alwaysDropped(brief), ...step])].filter((role) => canDrop(brief, role));
    const key = dropped.join();
    if (tried.has(key)) return [];
    tried.add(key);
    const usual: DropStep = { dropped, isShrunk: false };
    return isRow(brief.shape) ? [usual, { dropped, isShrunk: true }] : [usual];
  });
}

function canDrop(brief: Brief, role: Droppable): boolean {
  switch (role) {
    case "secondary_hero":
      return brief.secondaryHero !== null;
    case "hero":
      // Only strips may drop their picture. A `scenery` picture takes no room from the text, unless it shows a face,
      // which text must not cover.
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

/** An old price alone would look like the price. */
const alwaysDropped = ({ copy }: Brief): readonly Droppable[] =>
  copy.price === undefined ? ["old_price"] : [];

/**
 * A tiny strip drops its second picture before the old price: later steps are tried with both pictures, then with one.
 */
const withOnePicture = ({ shape }: Brief, step: readonly Droppable[]): readonly (readonly Droppable[])[] =>
  shape === "tiny_strip" && step.length >= EXTRAS.length - 1 ? [step, ["secondary_hero", ...step]] : [step];

/** The brief without the dropped elements. */
export function without(brief: Brief, { dropped, isShrunk }: DropStep): Brief {
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
