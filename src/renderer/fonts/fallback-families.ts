import type { IndexedFamily } from "./fallback-index.ts";

/** The typefaces of Han characters, which differ in the shapes of the same character. */
export type HanFamily = "noto-sans-jp" | "noto-sans-kr" | "noto-sans-sc" | "noto-sans-tc";

/** Metrics of a fallback typeface relative to the main one. */
export interface FamilyTraits {
  /** Size of the fallback typeface's em, relative to the main font's. */
  readonly size: number;
  /** Minimum line height, as a factor of the line height of Latin text of the same size. */
  readonly leading: number;
  /** Height of the middle of its letters above the baseline, in ems: the centre of a single line. */
  readonly middleEm: number;
  /** Usual height of its tallest letters with their marks, in ems: the space above a text is measured from here. */
  readonly topEm: number;
}

const HAN_TRAITS: FamilyTraits = { size: 1, leading: 1.12, middleEm: 0.38, topEm: 0.86 };
const TRAITS: Readonly<Record<string, FamilyTraits>> = {
  "noto-sans-arabic": { size: 1.06, leading: 1.14, middleEm: 0.26, topEm: 0.8 },
  "noto-sans-hebrew": { size: 1.08, leading: 1, middleEm: 0.3, topEm: 0.68 },
  "noto-sans-devanagari": { size: 1.04, leading: 1.16, middleEm: 0.32, topEm: 0.88 },
  "noto-sans-thai": { size: 1.06, leading: 1.24, middleEm: 0.3, topEm: 1 },
  "noto-emoji": { size: 0.92, leading: 1, middleEm: 0.34, topEm: 0.84 },
};

export const traitsOf = (familyId: string): FamilyTraits => TRAITS[familyId] ?? HAN_TRAITS;

const HAN: readonly HanFamily[] = ["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr"];

/** The typeface of a script that has only one. */
const BY_SCRIPT: readonly (readonly [pattern: RegExp, id: string])[] = [
  [/^\p{Script=Arabic}/u, "noto-sans-arabic"],
  [/^\p{Script=Hebrew}/u, "noto-sans-hebrew"],
  [/^\p{Script=Devanagari}/u, "noto-sans-devanagari"],
  [/^\p{Script=Thai}/u, "noto-sans-thai"],
  [/^\p{Script=Hangul}/u, "noto-sans-kr"],
];

/**
 * The typefaces for a cluster in order of preference: its script's own, then the others, with that of the text's Han
 * characters first.
 */
export function familyOrder(cluster: string, isEmoji: boolean, han: HanFamily): readonly string[] {
  const own = BY_SCRIPT.find(([pattern]) => pattern.test(cluster))?.[1];
  const others = [han, ...HAN, "noto-emoji", ...BY_SCRIPT.map(([, id]) => id)];
  return [...new Set([...(isEmoji ? ["noto-emoji"] : []), ...(own === undefined ? [] : [own]), ...others])];
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const BOPOMOFO = /\p{Script=Bopomofo}/u;
const TRADITIONAL = /^(?:zh|yue)(?:-\w+)*?-(?:hant|tw|hk|mo)\b/i;
/**
 * Minimum margin, 0..1, by which a text's rarest character must be more common in another typeface's language for that
 * typeface to be chosen.
 */
const RARITY_MARGIN = 0.1;

/**
 * The typeface of Han characters: by the language, else by letters that only one language has, else by how common the
 * characters are in each; otherwise Simplified Chinese.
 */
export function hanFamily(
  families: readonly IndexedFamily[],
  texts: readonly string[],
  language: string | undefined,
): HanFamily {
  const named = hanOfLanguage(language);
  if (named !== null) return named;
  const text = texts.join(" ");
  if (KANA.test(text)) return "noto-sans-jp";
  if (HANGUL.test(text)) return "noto-sans-kr";
  if (BOPOMOFO.test(text)) return "noto-sans-tc";
  const rarity = (id: HanFamily): number =>
    rarestOf(
      families.find((family) => family.id === id),
      text,
    );
  const traditional = rarity("noto-sans-tc");
  if (rarity("noto-sans-jp") > Math.max(traditional, rarity("noto-sans-sc")) + RARITY_MARGIN)
    return "noto-sans-jp";
  return traditional > rarity("noto-sans-sc") + RARITY_MARGIN ? "noto-sans-tc" : "noto-sans-sc";
}

/** The typeface of Han characters in a language, by its BCP 47 tag; null if the language has none. */
export function hanOfLanguage(language: string | undefined): HanFamily | null {
  const primary = language?.split("-")[0]?.toLowerCase();
  if (language === undefined || primary === undefined) return null;
  if (primary === "ja") return "noto-sans-jp";
  if (primary === "ko") return "noto-sans-kr";
  if (primary !== "zh" && primary !== "yue") return null;
  const isTraditional = TRADITIONAL.test(language) || (primary === "yue" && !/-hans\b/i.test(language));
  return isTraditional ? "noto-sans-tc" : "noto-sans-sc";
}

/**
 * How common the text's rarest Han character is in a typeface's language, 0..1; −1 if the typeface lacks one. A
 * typeface's files are ordered from the rarest characters to the most common.
 */
function rarestOf(family: IndexedFamily | undefined, text: string): number {
  if (family === undefined) return -1;
  let rarest = 1;
  for (const character of text.match(/\p{Script=Han}/gu) ?? []) {
    const file = family.fileOf(character.codePointAt(0) ?? 0);
    rarest = Math.min(rarest, file === null ? -1 : file / family.files.length);
  }
  return rarest;
}
