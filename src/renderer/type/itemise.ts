import bidiFactory from "bidi-js";
import type { ScriptRun } from "./font-face.ts";

/** Splits text into runs of one script (UAX #24) and direction (UAX #9). */

const bidi = bidiFactory();

/** Living scripts with available typefaces, by ISO 15924 tag. */
const SCRIPTS = (
  [
    ["Latn", "Latin"],
    ["Cyrl", "Cyrillic"],
    ["Grek", "Greek"],
    ["Arab", "Arabic"],
    ["Hebr", "Hebrew"],
    ["Hani", "Han"],
    ["Hira", "Hiragana"],
    ["Kana", "Katakana"],
    ["Hang", "Hangul"],
    ["Deva", "Devanagari"],
    ["Thai", "Thai"],
    ["Armn", "Armenian"],
    ["Geor", "Georgian"],
    ["Beng", "Bengali"],
    ["Guru", "Gurmukhi"],
    ["Gujr", "Gujarati"],
    ["Orya", "Oriya"],
    ["Taml", "Tamil"],
    ["Telu", "Telugu"],
    ["Knda", "Kannada"],
    ["Mlym", "Malayalam"],
    ["Sinh", "Sinhala"],
    ["Laoo", "Lao"],
    ["Tibt", "Tibetan"],
    ["Mymr", "Myanmar"],
    ["Khmr", "Khmer"],
    ["Ethi", "Ethiopic"],
    ["Mong", "Mongolian"],
    ["Syrc", "Syriac"],
    ["Thaa", "Thaana"],
    ["Nkoo", "Nko"],
    ["Cher", "Cherokee"],
    ["Cans", "Canadian_Aboriginal"],
    ["Bopo", "Bopomofo"],
    ["Tfng", "Tifinagh"],
    ["Java", "Javanese"],
    ["Bali", "Balinese"],
    ["Olck", "Ol_Chiki"],
    ["Adlm", "Adlam"],
    ["Rohg", "Hanifi_Rohingya"],
  ] as const
).map(([tag, name]) => ({ tag, pattern: new RegExp(`^\\p{Script=${name}}$`, "u") }));

const NEUTRAL = /^[\p{Script=Common}\p{Script=Inherited}]$/u;
const UNKNOWN = "Zyyy";
/**
 * Scripts without letter spacing: letters that join or hang from one line, letters with marks on both sides, and
 * letters that each fill a square.
 */
const UNSPACED_SCRIPTS: ReadonlySet<string> = new Set([
  ...["Arab", "Syrc", "Mong", "Nkoo", "Adlm", "Rohg"],
  ...["Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh"],
  ...["Thai", "Laoo", "Tibt", "Mymr", "Khmr"],
  ...["Hani", "Hira", "Kana", "Hang", "Bopo"],
]);

/** Whether letters of a script may be moved closer together or farther apart. */
export function isSpacedScript(script: string): boolean {
  return !UNSPACED_SCRIPTS.has(script);
}

/** Whether the first strongly directed character of a text is a right-to-left one. */
export function startsRightToLeft(text: string): boolean {
  return ((bidi.getEmbeddingLevels(text, "auto").paragraphs[0]?.level ?? 0) & 1) === 1;
}

/** Embedding levels of one paragraph, a byte per UTF-16 unit. */
export function embeddingLevels(paragraph: string, isRightToLeft: boolean): Uint8Array {
  return bidi.getEmbeddingLevels(paragraph, isRightToLeft ? "rtl" : "ltr").levels;
}

/** The runs of a line in visual order, left to right. `levels` belong to the line's units. */
export function visualRuns(line: string, levels: Uint8Array): ScriptRun[] {
  const runs = logicalRuns(line, levels);
  const highest = runs.reduce((most, run) => Math.max(most, run.level), 0);
  // UAX #9, rule L2: from the highest level down to 1, reverse every stretch at that level or above.
  for (let level = highest; level >= 1; level -= 1) {
    let from = 0;
    while (from < runs.length) {
      let to = from;
      while (to < runs.length && (runs[to]?.level ?? 0) >= level) to += 1;
      if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse());
      from = Math.max(to, from + 1);
    }
  }
  return runs;
}

function logicalRuns(line: string, levels: Uint8Array): (ScriptRun & { readonly level: number })[] {
  const scripts = scriptOfEachUnit(line);
  const runs: (ScriptRun & { readonly level: number })[] = [];
  let start = 0;
  for (let i = 1; i <= line.length; i += 1) {
    const isSame = i < line.length && levels[i] === levels[start] && scripts[i] === scripts[start];
    if (isSame) continue;
    const level = levels[start] ?? 0;
    runs.push({ start, end: i, script: scripts[start] ?? UNKNOWN, isRightToLeft: (level & 1) === 1, level });
    start = i;
  }
  return runs;
}

/**
 * The script of each unit. Common and inherited characters have the script of the letter before them; at the start of
 * the line, that of the first letter.
 */
function scriptOfEachUnit(line: string): string[] {
  const scripts: string[] = [];
  let current: string | null = null;
  for (const character of line) {
    const script = scriptOf(character);
    if (script !== null && current === null) scripts.fill(script);
    current = script ?? current;
    for (let i = 0; i < character.length; i += 1) scripts.push(current ?? UNKNOWN);
  }
  return scripts;
}

/** The ISO 15924 tag of a character's script; null for a common or inherited character. */
function scriptOf(character: string): string | null {
  const code = character.charCodeAt(0);
  if (code < 0x80) return /[A-Za-z]/.test(character) ? "Latn" : null;
  if (NEUTRAL.test(character)) return null;
  return SCRIPTS.find(({ pattern }) => pattern.test(character))?.tag ?? UNKNOWN;
}
