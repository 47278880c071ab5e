import type { Copy } from "#renderer/types.ts";

/** A headline of one or two words is set larger than a sentence would be. */
const ENLARGEMENT_MAX = 1.75;
const ENLARGEMENT_PER_CHARACTER = 0.05;
const ENLARGED_CHARACTERS_MAX = 22;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** How much larger than its shape's largest size a headline may be: the fewer its characters, the larger. */
export function headlineEnlargementOf(headline: string | undefined): number {
  if (headline === undefined) return 1;
  let characters = 0;
  for (const character of headline) characters += WIDE.test(character) ? 2 : 1;
  return Math.min(
    ENLARGEMENT_MAX,
    1 + Math.max(0, ENLARGED_CHARACTERS_MAX - characters) * ENLARGEMENT_PER_CHARACTER,
  );
}

/** A price without a headline has its room too. */
const LONE_PRICE_TIMES = 1.3;

/** How much larger than a headline's largest size the leading text of a stack may be. */
export const leadEnlargementOf = ({ headline, price }: Pick<Copy, "headline" | "price">): number =>
  headline === undefined && price !== undefined
    ? headlineEnlargementOf(price) * LONE_PRICE_TIMES
    : headlineEnlargementOf(headline);
