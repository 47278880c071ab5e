/// <reference path="./linebreak-package.d.ts" />
import type LineBreaker from "linebreak";
import { isUnbreakable, NO_WORD_BREAKS, type WordBreaks, withSoftHyphens } from "./word-breaks.ts";

/** The part of a paragraph up to the next break opportunity (UAX #14). */
export interface Segment {
  readonly start: number;
  /** Start of the next segment. */
  readonly end: number;
  /** End of the drawn text when the line ends here: trailing space is not drawn. */
  readonly inkEnd: number;
  /**
   * The kind of break at its end. `soft` shows a hyphen if the line ends there; `inside` breaks a word or phrase
   * without a hyphen.
   */
  readonly kind: "space" | "hyphen" | "soft" | "inside" | "end";
}

const SOFT_HYPHEN = "\u00AD";
const HYPHENS = /[-\u2010/]$/;
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Splits copy into paragraphs at explicit line ends. Collapses blanks, removes control characters and drops empty
 * lines.
 */
export function paragraphsOf(text: string): string[] {
  return text
    .split(LINE_ENDS)
    .map((line) =>
      line
        .replace(/[\t ]+/g, " ")
        .replace(/\p{Cc}/gu, "")
        .trim(),
    )
    .filter((line) => line.length > 0);
}

/**
 * Break level: between words and phrases; also at existing hyphens and slashes; also inside words, at soft hyphens, by
 * hyphenation or, in East Asian scripts and Thai, between any two letters.
 */
export type BreakLevel = "words" | "parts" | "letters";

/** Whether a text has hyphens or slashes to break at. */
export const hasWordBreaks = (text: string): boolean => /[-\u2010/]/.test(text);

const EAST_ASIAN_LETTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u;

const THAI_LETTERS = /\p{Script=Thai}{2}/u;

/** Whether a text has break opportunities inside words. */
export const hasLetterBreaks = (text: string, { hyphens }: WordBreaks): boolean =>
  EAST_ASIAN_LETTERS.test(text) ||
  THAI_LETTERS.test(text) ||
  withSoftHyphens(text, hyphens).includes(SOFT_HYPHEN);

let loaded: typeof LineBreaker | null = null;

/**
 * Loads the library that `segmentsOf` uses. Loading unpacks a table of all of Unicode, which costs as much time as many
 * requests, so only an isolate that sets text loads it.
 */
export async function loadLineBreaker(): Promise<void> {
  loaded ??= (await import("linebreak")).default;
}

/** Break opportunities of a paragraph, by UAX #14 and word breaks. */
export function segmentsOf(
  paragraph: string,
  level: BreakLevel,
  words: WordBreaks = NO_WORD_BREAKS,
): Segment[] {
  const phrases = words.phraseEnds(paragraph);
  const segments: Segment[] = [];
  let start = 0;
  for (const end of breakPlaces(paragraph, phrases, level)) {
    if (end <= start) continue;
    const piece = paragraph.slice(start, end);
    const kind = end === paragraph.length ? "end" : kindOf(piece);
    if (kind !== "end" && isUnbreakable(paragraph, end)) continue;
    const isHeld = kind !== "end" && isInsideWord(paragraph, end, kind, level, phrases);
    if (isHeld && level !== "letters") continue;
    segments.push({
      start,
      end,
      inkEnd: start + piece.trimEnd().length,
      kind: isHeld && kind === "space" ? "inside" : kind,
    });
    start = end;
  }
  return segments;
}

/**
 * The breaks that UAX #14 allows, and the ends of Thai words, which have no spaces between them. At the level `letters`
 * also the ends of Thai letters, each with its vowels and marks.
 */
function breakPlaces(
  paragraph: string,
  phrases: ReadonlySet<number> | null,
  level: BreakLevel,
): readonly number[] {
  if (loaded === null) throw new Error("text is set before its fonts were opened");
  const breaker = new loaded(paragraph);
  const places: number[] = [];
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) places.push(next.position);
  const ends = level === "letters" ? paragraph.length : 0;
  for (let place = 1; place < ends; place += 1) if (isBetweenThai(paragraph, place)) places.push(place);
  for (const place of phrases ?? []) if (isBetweenThai(paragraph, place)) places.push(place);
  return places.sort((a, b) => a - b);
}

/** Matches two Thai letters that are not marks. The first is not a vowel that is written before its consonant. */
const BETWEEN_THAI = /^[\u0E01-\u0E3A\u0E45-\u0E4E][\u0E01-\u0E2F\u0E40-\u0E44]$/;
const isBetweenThai = (paragraph: string, at: number): boolean =>
  BETWEEN_THAI.test(paragraph.slice(at - 1, at + 1));
const EAST_ASIAN_LETTER = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC]$/u;
const HANGUL = /^\p{Script=Hangul}$/u;

/** Whether a possible line end is inside a word or phrase. */
function isInsideWord(
  paragraph: string,
  at: number,
  kind: Segment["kind"],
  level: BreakLevel,
  phrases: ReadonlySet<number> | null,
): boolean {
  if (kind === "soft" || (kind === "hyphen" && level === "words")) return true;
  const before = [...paragraph.slice(Math.max(0, at - 2), at)].at(-1) ?? "";
  const after = String.fromCodePoint(paragraph.codePointAt(at) ?? 0x20);
  // Korean separates words by spaces.
  if (HANGUL.test(before) && HANGUL.test(after)) return true;
  // Dashes and dots as wide as two letters stay on the line of the text before them.
  if (/^[—…⋯]$/u.test(after) && (EAST_ASIAN_LETTER.test(before) || before === after)) return true;
  const isInside =
    (EAST_ASIAN_LETTER.test(before) && EAST_ASIAN_LETTER.test(after)) || isBetweenThai(paragraph, at);
  return isInside && phrases !== null && !phrases.has(at);
}

/** The text of one line and the embedding level of each of its units. */
export interface Line {
  readonly text: string;
  readonly levels: Uint8Array;
}

/** A line as drawn: without soft hyphens, except the one at its end, which becomes `hyphen`. */
export function displayLine(paragraph: Line, start: number, end: number, shownHyphen: string): Line {
  const kept: number[] = [];
  for (let i = start; i < end; i += 1) if (paragraph.text[i] !== SOFT_HYPHEN) kept.push(i);
  const text = kept.map((i) => paragraph.text.charAt(i)).join("") + shownHyphen;
  const levels = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) levels[i] = paragraph.levels[kept[i] ?? end - 1] ?? 0;
  return { text, levels };
}

function kindOf(piece: string): Segment["kind"] {
  if (piece.endsWith(SOFT_HYPHEN)) return "soft";
  return HYPHENS.test(piece) ? "hyphen" : "space";
}
