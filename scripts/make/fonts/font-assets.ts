import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { readFallbackIndex } from "#renderer/fonts/fallback-index.ts";
import type { LibraryFile } from "#renderer/fonts/library-file.ts";
import { FALLBACK_INDEX, HYPHENATION, LOOK_FONTS, PHRASE_MODELS } from "#renderer/fonts/library-files.ts";
import { Failure } from "../../local/failure.ts";
import { inRoot } from "../../local/paths.ts";
import { HYPHEN_SOURCES, PHRASE_SOURCES } from "./language-sources.ts";
import { describeFile, INDEX_PATH, libraryMakers, librarySources } from "./make-library.ts";

/** Licence files of packages. BudouX has its notice at the head of its source. */
const LICENCE_NAMES = ["LICENSE_FONT", "LICENSE", "LICENSE.txt", "OFL.txt", "module/parser.js"];

/** Package folder of a file in node_modules. */
const packageOf = (path: string): string =>
  path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");

async function licences(): Promise<ReadonlyMap<string, Buffer>> {
  const texts = new Map<string, Buffer>();
  const packages = [
    ...librarySources().map(({ path }) => packageOf(path)),
    ...[...PHRASE_SOURCES, ...HYPHEN_SOURCES].map((source) => source.package),
  ];
  for (const name of new Set(packages)) {
    const path = LICENCE_NAMES.map((file) => inRoot(`node_modules/${name}/${file}`)).find(existsSync);
    if (path === undefined) throw new Failure(`${name} comes without the terms of its licence.`);
    texts.set(`/fonts/${name.split("/").at(-1)}-LICENSE.txt`, await readFile(path));
  }
  return texts;
}

/** The expected hash of each file. */
function expectedHashes(index: Uint8Array): ReadonlyMap<string, string> {
  const lookFonts: Readonly<Record<string, LibraryFile>> = LOOK_FONTS;
  const fallback = readFallbackIndex(index).flatMap((family) => family.files);
  const others = [lookFonts, PHRASE_MODELS, HYPHENATION].flatMap((table) => Object.values(table));
  const files = [FALLBACK_INDEX, ...fallback, ...others];
  return new Map(files.map(({ name, sha256 }) => [name, sha256]));
}

/**
 * The font library as static files: URL path → bytes, including licences. Fails if a file differs from its expected
 * hash, because the renderer would reject it.
 */
export async function fontAssets(): Promise<ReadonlyMap<string, Buffer>> {
  const index = await readFile(inRoot(INDEX_PATH));
  const files = new Map<string, Buffer>();
  for (const [name, make] of libraryMakers()) files.set(name, Buffer.from(await make()));
  const expected = expectedHashes(index);
  for (const [name, bytes] of files) {
    if (describeFile(name, bytes).sha256 === expected.get(name)) continue;
    throw new Failure(
      `${name} is not what src/renderer/fonts expects. Run npm ci, or npm run fonts after a change.`,
    );
  }
  return new Map([
    ...[...files].map(([name, bytes]) => [`/fonts/${name}`, bytes] as const),
    ...(await licences()),
  ]);
}
