import { familyOrder, type HanFamily, hanFamily } from "../fonts/fallback-families.ts";
import type { IndexedFamily } from "../fonts/fallback-index.ts";
import type { LibraryFile } from "../fonts/library-file.ts";
import { clustersOf, drawnCodePoints, isEmoji } from "./clusters.ts";
import type { Coverage } from "./coverage-index.ts";
import { TYPE_LIMITS } from "./limits.ts";

export interface FallbackFile {
  readonly familyId: string;
  readonly file: LibraryFile;
}

/** The fallback fonts for characters that a pack's own fonts lack. Depends only on the copy and the pack's fonts. */
export interface FallbackPlan {
  /** The key is a cluster, or one of its characters if no single file covers the cluster. */
  readonly files: ReadonlyMap<string, FallbackFile>;
  /** Characters that no font has, without duplicates, in order of appearance. */
  readonly missing: readonly string[];
  /** The typeface of the copy's Han characters; null if none was needed. */
  readonly han: HanFamily | null;
}

/** Signs that East Asian text sets as wide as a letter and Latin text does not. */
const EAST_ASIAN_WIDE = /^[“”‘’…—·]$/u;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Whether a sign is as wide as a letter in this text, although it is narrow in Latin fonts. */
export const isWideIn = (text: string, cluster: string): boolean =>
  EAST_ASIAN_WIDE.test(cluster) && EAST_ASIAN.test(text);

/** Skin tones and gender signs: an emoji without a form for them is set in its plain form. */
const MODIFIER = /^[\p{EMod}♀♂]$/u;

/** Whether a character may be dropped from a cluster that is set character by character because no file covers it. */
export const isDroppable = (cluster: string, character: string): boolean =>
  character !== cluster && MODIFIER.test(character);

/**
 * Whether fonts have a cluster as written, composed (NFC) or decomposed (NFD). The shaper can draw any of these forms.
 */
export const isCovered = (coverage: Coverage, cluster: string): boolean =>
  [cluster, cluster.normalize("NFC"), cluster.normalize("NFD")].some((form) =>
    drawnCodePoints(form).every((codePoint) => coverage.has(codePoint)),
  );

/** Whether a text has a cluster that fonts lack, so that the library's index is needed. */
export const needsFallback = (ownCoverage: Coverage, texts: readonly string[]): boolean =>
  texts.some((text) => clustersOf(text).some((cluster) => !isCovered(ownCoverage, cluster)));

/** Chooses a file of the library for every cluster that `ownCoverage` lacks. `language` is a BCP 47 tag. */
export function planFallback(
  families: readonly IndexedFamily[],
  ownCoverage: Coverage,
  texts: readonly string[],
  language: string | undefined,
): FallbackPlan {
  const han = hanFamily(families, texts, language);
  const files = new Map<string, FallbackFile>();
  const missing = new Set<string>();
  const names = new Set<string>();
  const take = (cluster: string, file: FallbackFile): boolean => {
    // Files beyond the limit count as absent, so the text is rejected with the names of its missing characters.
    if (!names.has(file.file.name) && names.size >= TYPE_LIMITS.fallbackFilesMax) return false;
    names.add(file.file.name);
    files.set(cluster, file);
    return true;
  };
  for (const text of texts) {
    for (const cluster of clustersOf(text)) {
      if (files.has(cluster)) continue;
      const isWide = isWideIn(text, cluster);
      if (!isWide && isCovered(ownCoverage, cluster)) continue;
      const whole = fileOf(families, cluster, han);
      if ((whole !== null && take(cluster, whole)) || isWide) continue;
      for (const character of cluster) {
        if (isDroppable(cluster, character) || isCovered(ownCoverage, character) || files.has(character))
          continue;
        const part = fileOf(families, character, han);
        if (part === null || !take(character, part)) missing.add(character);
      }
    }
  }
  return { files, missing: [...missing], han };
}

/** The file that covers a whole cluster, from the first typeface in order that has such a file. */
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
