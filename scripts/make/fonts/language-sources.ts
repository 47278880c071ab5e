import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { inRoot } from "../../local/paths.ts";

/** Data of one language in the library, as JSON. */
export interface LanguageSource {
  /** The renderer's name of the data. */
  readonly language: string;
  readonly name: string;
  readonly make: () => Promise<Uint8Array<ArrayBuffer>>;
  /** Package from which the data comes, for the licence. */
  readonly package: string;
}

const require = createRequire(import.meta.url);
const toBytes = (value: unknown): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(new TextEncoder().encode(JSON.stringify(value)));

/** BudouX's weights for phrase boundaries; its package has them as a module with one constant. */
const phraseSource = (language: string): LanguageSource => ({
  language,
  name: `phrases-${language}.json`,
  make: async () => {
    const module = await readFile(inRoot(`node_modules/budoux/module/data/models/${language}.js`), "utf8");
    const [, model] = /^export const model = (\{.*\});?\s*$/ms.exec(module.replace(/^\/\/#.*$/m, "")) ?? [];
    if (model === undefined) throw new Error(`the model of ${language} is not written as it used to be`);
    return toBytes(JSON.parse(model.replace(/,(\s*\})/g, "$1")));
  },
  package: "budoux",
});

/** Hyphenation patterns, as a trie. */
const hyphenSource = (language: string, file = language): LanguageSource => ({
  language,
  name: `hyphens-${language}.json`,
  make: async () => toBytes(require(`hyphen/patterns/${file}`)),
  package: "hyphen",
});

/** Languages without blanks between phrases or words. */
export const PHRASE_SOURCES: readonly LanguageSource[] = ["ja", "th", "zh-hans", "zh-hant"].map(phraseSource);

/** Languages with long words, or whose readers expect hyphenation. */
export const HYPHEN_SOURCES: readonly LanguageSource[] = [
  ...[
    "cs",
    "da",
    "en-gb",
    "en-us",
    "es",
    "fi",
    "fr",
    "it",
    "nb",
    "nl",
    "pl",
    "pt",
    "ru",
    "sv",
    "tr",
    "uk",
  ].map((language) => hyphenSource(language)),
  hyphenSource("de", "de-1996"),
  hyphenSource("el", "el-monoton"),
];
