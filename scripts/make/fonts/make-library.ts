/// <reference path="../wawoff2.d.ts" />
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import wawoff2 from "wawoff2";
import type { LibraryFile } from "#renderer/fonts/library-file.ts";
import type { FontLibrary } from "#renderer/index.ts";
import { inRoot } from "../../local/paths.ts";
import { readFallbackFamilies } from "./fallback-sources.ts";
import { HYPHEN_SOURCES, PHRASE_SOURCES } from "./language-sources.ts";
import { type LibrarySource, LOOK_SOURCES } from "./library-sources.ts";
import { subsetForCopy } from "./subset.ts";

/** The index of fallback typefaces. It is committed, because reading every font takes seconds. */
export const INDEX_PATH = "src/renderer/fonts/fallback-index.bin";
export const INDEX_NAME = "fallback-index.bin";

/** Every font of the library. */
export const librarySources = (): readonly LibrarySource[] => [
  ...readFallbackFamilies().flatMap(({ files }) => files),
  ...LOOK_SOURCES,
];

/** Creates a file of the library from its package, deterministically. */
export async function makeLibraryFile({ path, subset }: LibrarySource): Promise<Uint8Array<ArrayBuffer>> {
  const packaged = await readFile(inRoot(`node_modules/${path}`));
  const font = Uint8Array.from(path.endsWith(".woff2") ? await wawoff2.decompress(packaged) : packaged);
  return subset === undefined ? font : subsetForCopy(font, subset);
}

/** A library file's entry in library-files.ts: its name in the renderer and its hash. */
export const describeFile = (name: string, bytes: Uint8Array): LibraryFile => ({
  name,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

/** Functions that make the files of the library, by file name. */
export const libraryMakers = (): ReadonlyMap<string, () => Promise<Uint8Array<ArrayBuffer>>> =>
  new Map([
    [INDEX_NAME, async () => Uint8Array.from(await readFile(inRoot(INDEX_PATH)))],
    ...librarySources().map((source) => [source.name, () => makeLibraryFile(source)] as const),
    ...[...PHRASE_SOURCES, ...HYPHEN_SOURCES].map(({ name, make }) => [name, make] as const),
  ]);

/** The library for Node.js programs. Files are made from their packages on demand. */
export function packagedLibrary(): FontLibrary {
  let makers: ReturnType<typeof libraryMakers> | null = null;
  const made = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  return {
    load: (name) => {
      // Lazy, because locating the files takes longer than many tests, most of which only use Latin text.
      makers ??= libraryMakers();
      const make = makers.get(name);
      if (make === undefined) return Promise.reject(new Error(`the font library has no ${name}`));
      const known = made.get(name) ?? make();
      made.set(name, known);
      return known;
    },
  };
}
