import { loadLibraryFile } from "../fonts/library-file.ts";
import { HYPHENATION, PHRASE_MODELS } from "../fonts/library-files.ts";
import type { FontLibrary } from "../types.ts";
import { findHyphens, type Hyphens, hasLongWord } from "./hyphenation.ts";
import { type PhraseModel, phraseEnds, readPhraseModel } from "./phrases.ts";

/** What is known of the words of one copy. */
export interface WordBreaks {
  /** Places at which a phrase or, in Thai, a word ends; null where blanks tell. */
  phraseEnds(text: string): ReadonlySet<number> | null;
  readonly hyphens: Hyphens;
}

export const NO_WORD_BREAKS: WordBreaks = { phraseEnds: () => null, hyphens: new Map() };

const THAI = /\p{Script=Thai}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN = /\p{Script=Han}/u;

/**
 * Loads what decides where the words of a copy end and break: models of phrases for Japanese, Chinese and Thai, patterns of
 * hyphenation for the copy's language where a word is long. `isTraditional`: its Han characters are those of Traditional
 * Chinese. Throws what the library throws.
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

/** The patterns of a BCP 47 tag; null where the library has none. */
function patternsOf(language: string | undefined) {
  const tag = language?.toLowerCase() ?? "";
  const primary = tag.split("-")[0] ?? "";
  // Old and new Norwegian tags mean the same written language; English is hyphenated in two ways.
  const named = primary === "no" || primary === "nn" ? "nb" : primary;
  const english = /-(?:gb|ie|au|nz|za|in)\b/.test(tag) ? "en-gb" : "en-us";
  return HYPHENATION[named === "en" ? english : named] ?? null;
}
