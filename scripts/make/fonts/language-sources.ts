import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { inRoot } from "../../local/paths.ts";

/** Data of one language, as the library holds it: JSON. */
export interface LanguageSource {
  /** How the renderer asks for it. */
  readonly language: string;
  readonly name: string;
  readonly make: () => Promise<Uint8Array<ArrayBuffer>>;
  /** The package that it comes from, for its licence. */
  readonly package: string;
}

const require = createRequire(import.meta.url);
const toBytes = (value: unknown): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(new TextEncoder().encode(JSON.stringify(value)));

/** Weights by which BudouX finds where a phrase ends; its package has them as a module of one constant. */
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

/** Patterns of hyphenation, as a tree of letters. */
const hyphenSource = (language: string, file = language): LanguageSource => ({
  language,
  name: `hyphens-${language}.json`,
  make: async () => toBytes(require(`hyphen/patterns/${file}`)),
  package: "hyphen",
});

/** Languages in which phrases or words are not set apart by blanks. */
export const PHRASE_SOURCES: readonly LanguageSource[] = ["ja", "th", "zh-hans", "zh-hant"].map(phraseSource);

/** Languages whose words are long, or whose readers expect them hyphenated. */
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
