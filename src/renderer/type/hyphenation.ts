/// <reference path="./hyphen-package.d.ts" />

/** Where words may be broken with a hyphen, by the word in small letters. */
export type Hyphens = ReadonlyMap<string, readonly number[]>;

/** Shorter words are not broken. */
const WORD_LETTERS_MIN = 9;
/** Letters of a broken word on each line: fewer look like a mistake. */
const PART_LETTERS_MIN = 4;
const LONG_WORD = new RegExp(`\\p{L}{${WORD_LETTERS_MIN},}`, "gu");
const SOFT_HYPHEN = "\u00AD";

/** Whether a text has a word that may be broken with a hyphen. */
export const hasLongWord = (text: string): boolean => text.search(LONG_WORD) >= 0;

/** Finds the breaks of all long words of texts by a language's patterns, JSON of the package `hyphen`. */
export async function findHyphens(texts: readonly string[], patterns: Uint8Array): Promise<Hyphens> {
  const { default: createHyphenator } = await import("hyphen");
  const hyphenate = createHyphenator(JSON.parse(new TextDecoder().decode(patterns)), {
    hyphenChar: SOFT_HYPHEN,
    minWordLength: WORD_LETTERS_MIN,
  });
  const found = new Map<string, readonly number[]>();
  for (const text of texts) {
    for (const [word] of text.matchAll(LONG_WORD)) {
      const key = word.toLowerCase();
      if (!found.has(key) && key.length === word.length) found.set(key, placesIn(hyphenate(key)));
    }
  }
  return found;
}

const WORD_WITH_HYPHENS = new RegExp(`[\\p{L}${SOFT_HYPHEN}]{${WORD_LETTERS_MIN},}`, "gu");

/** A text with soft hyphens in its long words; a word that has its own is left as it is. */
export const withSoftHyphens = (text: string, hyphens: Hyphens): string =>
  text.replace(WORD_WITH_HYPHENS, (word) => {
    if (word.includes(SOFT_HYPHEN)) return word;
    const places = hyphens.get(word.toLowerCase()) ?? [];
    return [0, ...places].map((place, i) => word.slice(place, places[i] ?? word.length)).join(SOFT_HYPHEN);
  });

function placesIn(hyphenated: string): readonly number[] {
  const parts = hyphenated.split(SOFT_HYPHEN);
  const length = hyphenated.length - parts.length + 1;
  const places: number[] = [];
  let at = 0;
  for (const part of parts.slice(0, -1)) {
    at += part.length;
    if (at >= PART_LETTERS_MIN && length - at >= PART_LETTERS_MIN) places.push(at);
  }
  return places;
}
