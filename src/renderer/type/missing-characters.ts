import { fallbackFamilies } from "../fonts/fallback-index.ts";
import type { Copy, FontLibrary } from "../types.ts";
import { clustersOf, drawnCodePoints } from "./clusters.ts";
import { textsOf } from "./copy-fonts.ts";
import type { Coverage } from "./coverage-index.ts";
import { isCovered, needsFallback, planFallback } from "./fallback-plan.ts";
import { type FontSet, recordingFailure } from "./font-set.ts";

/**
 * The characters of a text that the opened fonts, without the library, cannot draw. Without duplicates, in order of
 * appearance. Blanks and invisible characters are never missing. A character counts as present if the fonts have its
 * composed or decomposed form (NFC, NFD), because the shaper can draw either. Empty when the font fails (then
 * `fonts.failure` has the reason).
 */
export function missingCharacters(fonts: FontSet, text: string): readonly string[] {
  const faces = new Set([fonts.face("regular"), fonts.face("bold")]);
  const absent = recordingFailure(fonts, () => [...faces].flatMap((face) => absentFrom(face, text)));
  return [...new Set(absent)];
}

/** The characters of ad copies that a pack's fonts lack. */
export interface CharacterNeeds {
  /** Characters that no font can draw, without duplicates, in order of appearance. */
  readonly missing: readonly string[];
  /** Number of library files that draw the other characters, for all copies together. */
  readonly libraryFiles: number;
}

/**
 * The characters of ad copies that fonts with these coverages lack, and the library files for them. Also counts files
 * that only a separately set headline uses: the typeface of Han characters depends on the words beside them. Throws
 * what the library throws.
 */
export async function characterNeeds(
  coverages: readonly Coverage[],
  library: FontLibrary,
  copies: readonly Copy[],
): Promise<CharacterNeeds> {
  const ownCoverage = { has: (codePoint: number) => coverages.some((coverage) => coverage.has(codePoint)) };
  const missing = new Set<string>();
  const files = new Set<string>();
  for (const copy of copies) {
    for (const texts of textsToPlan(copy)) {
      if (!needsFallback(ownCoverage, texts)) continue;
      const plan = planFallback(await fallbackFamilies(library), ownCoverage, texts, copy.language);
      for (const character of plan.missing) missing.add(character);
      for (const { file } of plan.files.values()) files.add(file.name);
    }
  }
  return { missing: [...missing], libraryFiles: files.size };
}

/**
 * Groups of texts to plan fonts for: all texts of the copy, and also its headline alone if its Han typeface may differ.
 */
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
