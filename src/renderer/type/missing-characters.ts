import { fallbackFamilies } from "../fonts/fallback-index.ts";
import type { Copy, FontLibrary } from "../types.ts";
import { clustersOf, drawnCodePoints } from "./clusters.ts";
import { textsOf } from "./copy-fonts.ts";
import type { Coverage } from "./coverage-index.ts";
import { isCovered, needsFallback, planFallback } from "./fallback-plan.ts";
import { type FontSet, recordingFailure } from "./font-set.ts";

/**
 * The characters of a text that the fonts at hand cannot draw, without those of the library, each once, in the order
 * they come. Blanks and characters that draw nothing are never missing; a character counts as there when the font has it
 * composed or taken apart (NFC, NFD), as the shaper will find it. Empty when the font fails (then `fonts.failure` says
 * why).
 */
export function missingCharacters(fonts: FontSet, text: string): readonly string[] {
  const faces = new Set([fonts.face("regular"), fonts.face("bold")]);
  const absent = recordingFailure(fonts, () => [...faces].flatMap((face) => absentFrom(face, text)));
  return [...new Set(absent)];
}

/** What the characters of copies need beyond the fonts at hand. */
export interface CharacterNeeds {
  /** Those that no font can draw, each once, in the order they come. */
  readonly missing: readonly string[];
  /** Files of the library that draw the others, for all of the copies together. */
  readonly libraryFiles: number;
}

/**
 * What copies need beside fonts of these coverages. A file counts, too, where only a headline set by itself takes it: Han
 * characters are drawn in the typeface that the words beside them tell. Throws what the library throws.
 */
export async function characterNeeds(
  coverages: readonly Coverage[],
  library: FontLibrary,
  copies: readonly Copy[],
): Promise<CharacterNeeds> {
  const atHand = { has: (codePoint: number) => coverages.some((coverage) => coverage.has(codePoint)) };
  const missing = new Set<string>();
  const files = new Set<string>();
  for (const copy of copies) {
    for (const texts of textsToPlan(copy)) {
      if (!needsFallback(atHand, texts)) continue;
      const plan = planFallback(await fallbackFamilies(library), atHand, texts, copy.language);
      for (const character of plan.missing) missing.add(character);
      for (const { file } of plan.files.values()) files.add(file.name);
    }
  }
  return { missing: [...missing], libraryFiles: files.size };
}

/** The texts of a copy together, and its headline alone where that may be set in another typeface. */
function textsToPlan(copy: Copy): readonly (readonly string[])[] {
  const texts = textsOf(copy);
  const { headline = "" } = copy;
  return texts.length > 1 && /\p{Script=Han}/u.test(headline) ? [texts, [headline]] : [texts];
}

function absentFrom(coverage: Coverage, text: string): readonly string[] {
  const absent = clustersOf(text)
    .filter((cluster) => !isCovered(coverage, cluster))
    .flatMap((cluster) => drawnCodePoints(cluster))
    .filter((codePoint) => !coverage.has(codePoint));
  return [...new Set(absent)].map((codePoint) => String.fromCodePoint(codePoint));
}
