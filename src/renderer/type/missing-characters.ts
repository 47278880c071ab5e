import { fallbackFamilies } from "../fonts/fallback-index.ts";
import type { Copy, FontLibrary } from "../types.ts";
import { clustersOf, drawnCodePoints } from "./clusters.ts";
import { textsOf } from "./copy-fonts.ts";
import type { Coverage } from "./coverage-index.ts";
import { coverageOf } from "./face-chain.ts";
import { isCovered, needsFallback, planFallback } from "./fallback-plan.ts";
import { type FontSet, guarded } from "./font-set.ts";

/**
 * The characters of a text that the fonts at hand cannot draw, without those of the library, each once, in the order
 * they come. Blanks and characters that draw nothing are never missing; a character counts as there when the font has it
 * composed or taken apart (NFC, NFD), as the shaper will find it. Empty when the font fails (then `fonts.failure` says
 * why).
 */
export function missingCharacters(fonts: FontSet, text: string): readonly string[] {
  const faces = new Set([fonts.face("regular"), fonts.face("bold")]);
  const absent = guarded(fonts, () => [...faces].flatMap((face) => absentFrom(coverageOf(face), text)));
  return [...new Set(absent)];
}

/**
 * The characters of a copy that neither fonts of these coverages nor the library can draw, each once. Throws what the
 * library throws.
 */
export async function undrawableCharacters(
  coverages: readonly Coverage[],
  library: FontLibrary,
  copy: Copy,
): Promise<readonly string[]> {
  const texts = textsOf(copy);
  const atHand = { has: (codePoint: number) => coverages.some((coverage) => coverage.has(codePoint)) };
  if (!needsFallback(atHand, texts)) return [];
  return planFallback(await fallbackFamilies(library), atHand, texts, copy.language).missing;
}

function absentFrom(coverage: Coverage, text: string): readonly string[] {
  const absent = clustersOf(text)
    .filter((cluster) => !isCovered(coverage, cluster))
    .flatMap((cluster) => drawnCodePoints(cluster))
    .filter((codePoint) => !coverage.has(codePoint));
  return [...new Set(absent)].map((codePoint) => String.fromCodePoint(codePoint));
}
