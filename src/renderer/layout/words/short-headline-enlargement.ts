import type { Copy } from "#renderer/types.ts";

/** A headline of one or two words is set larger than a sentence would be. */
const GROWTH_MAX = 1.75;
const GROWTH_PER_CHARACTER = 0.05;
const GROWTH_CHARACTERS = 22;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** How much larger than its shape's largest size a headline may be: the fewer its characters, the larger. */
export function growthOf(headline: string | undefined): number {
  if (headline === undefined) return 1;
  let characters = 0;
  for (const character of headline) characters += WIDE.test(character) ? 2 : 1;
  return Math.min(GROWTH_MAX, 1 + Math.max(0, GROWTH_CHARACTERS - characters) * GROWTH_PER_CHARACTER);
}

/** A price without a headline has its room too. */
const LONE_PRICE_TIMES = 1.3;

/** How much larger than a headline's largest size the leading text of a stack may be. */
export const leadGrowthOf = ({ headline, price }: Pick<Copy, "headline" | "price">): number =>
  headline === undefined && price !== undefined ? growthOf(price) * LONE_PRICE_TIMES : growthOf(headline);
