/// <reference path="./hyphen-package.d.ts" />
import { loadLibraryFile } from "../fonts/library-file.ts";
import { HYPHENATION, PHRASE_MODELS } from "../fonts/library-files.ts";
import type { FontLibrary } from "../types.ts";

/** Word and phrase breaks of one copy. */
export interface WordBreaks {
  /** Places at which a phrase or, in Thai, a word ends; null for text with blanks. */
  phraseEnds(text: string): ReadonlySet<number> | null;
  readonly hyphens: Hyphens;
}

export const NO_WORD_BREAKS: WordBreaks = { phraseEnds: () => null, hyphens: new Map() };

const THAI = /\p{Script=Thai}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN = /\p{Script=Han}/u;

/**
 * Loads the data that decides where the words of a copy end and where they break: phrase models for Japanese, Chinese
 * and Thai, and hyphenation patterns of the copy's language if a word is long. `isTraditional`: its Han characters are
 * Traditional Chinese. Throws what the library throws.
 */
export async function loadWordBreaks(
  library: FontLibrary,
  texts: readonly string[],
  language: string | undefined,
  isTraditional: boolean,
): Promise<WordBreaks> {
  const models = await loadModels(library, texts, language, isTraditional);
  const hyphens = await loadHyphens(library, texts, language);
  if (models.thai === null && models.han === null && hyphens.size === 0) return NO_WORD_BREAKS;
  const modelOf = (text: string): PhraseModel | null =>
    THAI.test(text) ? models.thai : HAN.test(text) || KANA.test(text) ? models.han : null;
  return {
    phraseEnds: (text) => {
      const model = modelOf(text);
      return model === null ? null : phraseEnds(model, text);
    },
    hyphens,
  };
}

interface Models {
  readonly thai: PhraseModel | null;
  readonly han: PhraseModel | null;
}

async function loadModels(
  library: FontLibrary,
  texts: readonly string[],
  language: string | undefined,
  isTraditional: boolean,
): Promise<Models> {
  const text = texts.join("\n");
  const isJapanese = KANA.test(text) || /^ja\b/i.test(language ?? "");
  const han =
    !HAN.test(text) && !KANA.test(text) ? null : isJapanese ? "ja" : isTraditional ? "zh-hant" : "zh-hans";
  const load = async (name: string | null): Promise<PhraseModel | null> => {
    const file = name === null ? undefined : PHRASE_MODELS[name];
    if (name === null || file === undefined) return null;
    return readPhraseModel(name, await loadLibraryFile(library, file));
  };
  return { thai: await load(THAI.test(text) ? "th" : null), han: await load(han) };
}

const NO_HYPHENS: Hyphens = new Map();

async function loadHyphens(
  library: FontLibrary,
  texts: readonly string[],
  language: string | undefined,
): Promise<Hyphens> {
  const file = patternsOf(language);
  if (file === null || !texts.some(hasLongWord)) return NO_HYPHENS;
  return findHyphens(texts, await loadLibraryFile(library, file));
}

/** The patterns of a BCP 47 tag; null if the library has none. */
function patternsOf(language: string | undefined) {
  const tag = language?.toLowerCase() ?? "";
  const primary = tag.split("-")[0] ?? "";
  // Old and new Norwegian tags mean the same written language; English is hyphenated in two ways.
  const named = primary === "no" || primary === "nn" ? "nb" : primary;
  const english = /-(?:gb|ie|au|nz|za|in)\b/.test(tag) ? "en-gb" : "en-us";
  return HYPHENATION[named === "en" ? english : named] ?? null;
}

/** A model of BudouX. All numbers are whole. */
interface PhraseModel {
  /** For each feature, the weight of each sequence of letters. */
  readonly weights: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The sum of all weights. */
  readonly total: number;
  /**
   * A place is a phrase end only if its score exceeds half of all weights by at least this; below, it is between
   * syllables of one word.
   */
  readonly marginMin: number;
}

/**
 * Values of `marginMin` for Chinese and Thai, tuned by reading headlines. Without them the models split "五|折|起" and
 * "รอง|เท้า".
 */
const MARGINS: Readonly<Record<string, number>> = { "zh-hans": 950, "zh-hant": 950, th: 1300 };

/** The features of a place in a text: their names, and the range of letters that they use, relative to the place. */
const FEATURES: readonly (readonly [name: string, from: number, to: number])[] = [
  ["UW1", -3, -2],
  ["UW2", -2, -1],
  ["UW3", -1, 0],
  ["UW4", 0, 1],
  ["UW5", 1, 2],
  ["UW6", 2, 3],
  ["BW1", -2, 0],
  ["BW2", -1, 1],
  ["BW3", 0, 2],
  ["TW1", -3, 0],
  ["TW2", -2, 1],
  ["TW3", -1, 2],
  ["TW4", 0, 3],
];

/** Parses the JSON model of a language from its package. */
function readPhraseModel(language: string, json: Uint8Array): PhraseModel {
  const parsed: Record<string, Record<string, number>> = JSON.parse(new TextDecoder().decode(json));
  const weights = new Map(
    Object.entries(parsed).map(([name, each]) => [name, new Map(Object.entries(each))] as const),
  );
  let total = 0;
  for (const each of weights.values()) for (const weight of each.values()) total += weight;
  return { weights, total, marginMin: MARGINS[language] ?? 0 };
}

/**
 * The phrase ends in a text: the places where the weights of the surrounding letters sum to more than half of all
 * weights (BudouX, https://github.com/google/budoux: a linear classifier of n-grams). A single letter is never a
 * phrase: it joins the neighbour on the side with the lower score.
 */
function phraseEnds({ weights, total, marginMin }: PhraseModel, text: string): ReadonlySet<number> {
  const scores = new Map<number, number>();
  for (let at = 1; at < text.length; at += 1) {
    let score = 0;
    for (const [name, from, to] of FEATURES) {
      score += weights.get(name)?.get(text.slice(Math.max(0, at + from), Math.max(0, at + to))) ?? 0;
    }
    if (score * 2 > total + marginMin && !isUnbreakable(text, at)) scores.set(at, score);
  }
  const scoreAt = (at: number) => (at === 0 || at === text.length ? Infinity : scores.get(at));
  for (let at = 0; at < text.length; at += 1) {
    const [before, after] = [scoreAt(at), scoreAt(at + 1)];
    if (before !== undefined && after !== undefined) scores.delete(before < after ? at : at + 1);
  }
  return new Set(scores.keys());
}

/** Units of measure, currencies and times of day that must stay on the line of the number beside them. */
const UNITS =
  "(?:[kcmµn]?m[²³]?|[kmµ]?g|[mcdk]?l|L|[kMGT]?W(?:h|p)?|[kKMGT]i?B|[kMG]?Hz|m?Ah|V|A|°[CF]|K|" +
  "h|hr?s?|min|sec|s|Std|Uhr|am|pm|AM|PM|px|dpi|MP|mpg|mph|kcal|kJ|" +
  "EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|JPY|CNY|KRW|INR|AUD|CAD|BRL|MXN|ZAR|AED|SAR|" +
  "kr|zł|Kč|Ft|lei|лв|руб|грн|тг|TL|Rs|Mio|Mrd|mln|mld|млн|млрд|тыс|Stk|Stück|pcs|x)";
/** Characters on either side that patterns may match; longer than every unit above. */
const WINDOW = 12;

const DIGIT_BEFORE = /\p{N}\s?$/u;
const AFTER_DIGIT = new RegExp(
  `^\\s?(?:[%‰°€£¥₩₹₽₴₺₪฿$¢"″′]|\\p{Sc}|${UNITS}(?![\\p{L}\\p{N}])|[×x*·÷=]\\s?\\p{N})`,
  "u",
);
/** Three digits after a thousands separator. */
const THOUSANDS = /^\p{N}{3}(?!\p{N})/u;
/** Up to three digits and a thousands separator. Four or more digits before a space are a year or another number. */
const SHORT_BEFORE = /(?:^|\P{N})\p{N}{1,3}\s$/u;
const BEFORE_DIGIT =
  /(?:\p{Sc}|(?:^|\s)[№#§+−-]|(?:^|[^\p{L}\p{N}])(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|Rs\.?|kr\.?|Fr\.?|Nr\.?|No\.?|n°|ca\.?|bis|ab))\s?$/u;
const TIMES_BEFORE = /\p{N}\s?[×x*÷·=]\s?$/u;
const HAN_NUMBER_BEFORE = /[一二三四五六七八九十百千两兩半数]$/u;
const HAN_MEASURE = /^[折件天日月年周週元円人個个款枚双雙条條杯瓶份次倍岁歲歳位万萬千百割階]/u;
const JOINED_BEFORE = /\p{N}[-–—/:.,]$/u;

/**
 * Whether a line must not end at this place: inside a number, or between a number and its unit, currency or sign ("€ 1
 * 299,00", "−40 %", "5 km", "24/7", "3 × 2", "五折"). Looks at a few characters on both sides.
 */
export function isUnbreakable(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - WINDOW), at);
  const after = text.slice(at, at + WINDOW);
  if (/^\p{N}/u.test(after)) {
    if (JOINED_BEFORE.test(before) || TIMES_BEFORE.test(before)) return true;
    if (SHORT_BEFORE.test(before) && THOUSANDS.test(after)) return true;
    return BEFORE_DIGIT.test(before);
  }
  if (HAN_NUMBER_BEFORE.test(before) && HAN_MEASURE.test(after)) return true;
  return DIGIT_BEFORE.test(before) && AFTER_DIGIT.test(after);
}

/** Hyphenation points, by the word in lower case. */
type Hyphens = ReadonlyMap<string, readonly number[]>;

/** Minimum letters of a word that is hyphenated. */
const WORD_LETTERS_MIN = 9;
/** Minimum letters of a hyphenated word on each line: fewer look like a mistake. */
const PART_LETTERS_MIN = 4;
const LONG_WORD = new RegExp(`\\p{L}{${WORD_LETTERS_MIN},}`, "gu");
const SOFT_HYPHEN = "\u00AD";

/** Whether a text has a word that may be broken with a hyphen. */
const hasLongWord = (text: string): boolean => text.search(LONG_WORD) >= 0;

/**
 * Finds the hyphenation points of all long words of texts, with a language's patterns, JSON of the package `hyphen`.
 */
async function findHyphens(texts: readonly string[], patterns: Uint8Array): Promise<Hyphens> {
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

/** A text with soft hyphens in its long words. A word that already has soft hyphens is unchanged. */
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
