import type { LibraryFile } from "#renderer/fonts/library-file.ts";
import { HYPHEN_SOURCES, type LanguageSource, PHRASE_SOURCES } from "./language-sources.ts";
import { LOOK_SOURCES } from "./library-sources.ts";
import { describeFile, INDEX_NAME, makeLibraryFile } from "./make-library.ts";

const written = ({ name, sha256 }: LibraryFile, indent: string): string =>
  `{\n${indent}  name: "${name}",\n${indent}  sha256: "${sha256}",\n${indent}}`;

/** A file name without `.ttf`, as a key. */
const keyOf = (name: string): string => {
  const key = name.replace(/\.ttf$/, "");
  return /^[A-Za-z]\w*$/.test(key) ? key : `"${key}"`;
};

/** A table of files by language. */
async function languageTable(sources: readonly LanguageSource[]): Promise<string> {
  const sorted = [...sources].sort((a, b) => (a.language < b.language ? -1 : 1));
  const rows: string[] = [];
  for (const { language, name, make } of sorted) {
    rows.push(`  ${keyOf(language)}: ${written(describeFile(name, await make()), "  ")},\n`);
  }
  return `{\n${rows.join("")}}`;
}

/** Content of src/renderer/fonts/library-files.ts in biome's format. */
export async function libraryFilesSource(index: Uint8Array): Promise<string> {
  const looks: string[] = [];
  for (const source of LOOK_SOURCES) {
    const file = describeFile(source.name, await makeLibraryFile(source));
    looks.push(`  ${keyOf(source.name)}: ${written(file, "  ")},\n`);
  }
  return `import type { LibraryFile } from "./library-file.ts";

/** Made by \`npm run fonts\` from the packages that it names. A change of a hash changes pixels: a new engine version. */

/** Which file of the library has which characters; see fallback-index.ts. */
export const FALLBACK_INDEX: LibraryFile = ${written(describeFile(INDEX_NAME, index), "")};

/** Fonts of the looks, by their names without \`.ttf\`. */
export const LOOK_FONTS = {${looks.length === 0 ? "" : `\n${looks.join("")}`}} as const satisfies Readonly<Record<string, LibraryFile>>;

/** Models of where phrases end, by language. */
export const PHRASE_MODELS: Readonly<Record<string, LibraryFile>> = ${await languageTable(PHRASE_SOURCES)};

/** Patterns of hyphenation, by language. */
export const HYPHENATION: Readonly<Record<string, LibraryFile>> = ${await languageTable(HYPHEN_SOURCES)};
`;
}
