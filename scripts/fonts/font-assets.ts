import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { readFallbackIndex } from "../../src/renderer/fonts/fallback-index.ts";
import type { LibraryFile } from "../../src/renderer/fonts/library-file.ts";
import { FALLBACK_INDEX, LOOK_FONTS } from "../../src/renderer/fonts/library-files.ts";
import { Failure } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { describeFile, INDEX_NAME, INDEX_PATH, librarySources, makeLibraryFile } from "./make-library.ts";

const LICENCE_NAMES = ["LICENSE_FONT", "LICENSE", "LICENSE.txt", "OFL.txt"];

/** The folder of a file's package in node_modules. */
const packageOf = (path: string): string =>
  path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");

async function licences(): Promise<ReadonlyMap<string, Buffer>> {
  const texts = new Map<string, Buffer>();
  for (const name of new Set(librarySources().map(({ path }) => packageOf(path)))) {
    const path = LICENCE_NAMES.map((file) => inRoot(`node_modules/${name}/${file}`)).find(existsSync);
    if (path === undefined) throw new Failure(`${name} comes without the text of its licence.`);
    texts.set(`/fonts/${name.split("/").at(-1)}-OFL.txt`, await readFile(path));
  }
  return texts;
}

/** The hash that the renderer expects of each file. */
function expectedHashes(index: Uint8Array): ReadonlyMap<string, string> {
  const lookFonts: Readonly<Record<string, LibraryFile>> = LOOK_FONTS;
  const fallback = readFallbackIndex(index).flatMap((family) => family.files);
  const files = [FALLBACK_INDEX, ...fallback, ...Object.values(lookFonts)];
  return new Map(files.map(({ name, sha256 }) => [name, sha256]));
}

/**
 * The font library as the worker serves it to itself: address on this origin → bytes, with the licences. Fails when a
 * file is not what the renderer expects: it would refuse to draw with it.
 */
export async function fontAssets(): Promise<ReadonlyMap<string, Buffer>> {
  const index = await readFile(inRoot(INDEX_PATH));
  const files = new Map([[INDEX_NAME, index]]);
  for (const source of librarySources()) files.set(source.name, Buffer.from(await makeLibraryFile(source)));
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
