import { familyOrder, type HanFamily, hanFamily } from "../fonts/fallback-families.ts";
import type { IndexedFamily } from "../fonts/fallback-index.ts";
import type { LibraryFile } from "../fonts/library-file.ts";
import { clustersOf, drawnCodePoints, isEmoji } from "./clusters.ts";
import type { Coverage } from "./coverage-index.ts";
import { TYPE_LIMITS } from "./limits.ts";

/** A file of a fallback typeface. */
export interface FallbackFile {
  readonly familyId: string;
  readonly file: LibraryFile;
}

/** What the characters of a copy are drawn with that the fonts at hand lack. It depends on the copy alone. */
export interface FallbackPlan {
  /** By cluster; where a cluster falls apart, by each of its characters. */
  readonly files: ReadonlyMap<string, FallbackFile>;
  /** Characters that no font has, each once, in the order they come. */
  readonly missing: readonly string[];
  /** The typeface of its Han characters; null where it was not asked. */
  readonly han: HanFamily | null;
}

/** Signs that East Asian text sets as wide as a letter and Latin text does not. */
const EAST_ASIAN_WIDE = /^[“”‘’…—·]$/u;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Whether a sign of a text is as wide as a letter there, though a Latin font has it narrow. */
export const isWideIn = (text: string, cluster: string): boolean =>
  EAST_ASIAN_WIDE.test(cluster) && EAST_ASIAN.test(text);

/** Skin tones, and signs of gender: an emoji that has no form of its own for them stands in its plain one. */
const MODIFIER = /^[\p{EMod}♀♂]$/u;

/** What is left out of a cluster that no one file has whole. */
export const isLeftOut = (cluster: string, character: string): boolean =>
  character !== cluster && MODIFIER.test(character);

/** Whether fonts have a cluster, composed or taken apart (NFC, NFD), as the shaper finds it. */
export const isCovered = (coverage: Coverage, cluster: string): boolean =>
  [cluster, cluster.normalize("NFC"), cluster.normalize("NFD")].some((form) =>
    drawnCodePoints(form).every((codePoint) => coverage.has(codePoint)),
  );

/** Whether a text has a cluster that fonts lack, so that the index of the library is needed. */
export const needsFallback = (atHand: Coverage, texts: readonly string[]): boolean =>
  texts.some((text) => clustersOf(text).some((cluster) => !isCovered(atHand, cluster)));

/** Chooses a file of the library for everything that the fonts at hand lack. `language` is a BCP 47 tag. */
export function planFallback(
  families: readonly IndexedFamily[],
  atHand: Coverage,
  texts: readonly string[],
  language: string | undefined,
): FallbackPlan {
  const han = hanFamily(families, texts, language);
  const files = new Map<string, FallbackFile>();
  const missing = new Set<string>();
  const names = new Set<string>();
  const take = (cluster: string, file: FallbackFile): boolean => {
    // Files beyond the bound are treated as absent: a text of so many kinds of characters is refused by name.
    if (!names.has(file.file.name) && names.size >= TYPE_LIMITS.fallbackFilesMax) return false;
    names.add(file.file.name);
    files.set(cluster, file);
    return true;
  };
  for (const text of texts) {
    for (const cluster of clustersOf(text)) {
      if (files.has(cluster)) continue;
      const isWide = isWideIn(text, cluster);
      if (!isWide && isCovered(atHand, cluster)) continue;
      const whole = fileOf(families, cluster, han);
      if ((whole !== null && take(cluster, whole)) || isWide) continue;
      for (const character of cluster) {
        if (isLeftOut(cluster, character) || isCovered(atHand, character) || files.has(character)) continue;
        const part = fileOf(families, character, han);
        if (part === null || !take(character, part)) missing.add(character);
      }
    }
  }
  return { files, missing: [...missing], han };
}

/** The one file that has all of a cluster, of the first typeface of its order that has such a file. */
function fileOf(families: readonly IndexedFamily[], cluster: string, han: HanFamily): FallbackFile | null {
  const forms = new Set([cluster, cluster.normalize("NFC"), cluster.normalize("NFD")]);
  for (const id of familyOrder(cluster, isEmoji(cluster), han)) {
    const family = families.find((each) => each.id === id);
    if (family === undefined) continue;
    for (const form of forms) {
      const numbers = new Set(drawnCodePoints(form).map((codePoint) => family.fileOf(codePoint)));
      const [number] = numbers;
      if (numbers.size !== 1 || number === null || number === undefined) continue;
      const file = family.files[number];
      if (file !== undefined) return { familyId: id, file };
    }
  }
  return null;
}
