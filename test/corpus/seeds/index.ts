import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Kind, NamedFile } from "../kinds.ts";
import { jpegSeeds, pngSeeds, webpSeeds } from "./pictures.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** SVGs that together use each part of the allowlist. */
const DRAWINGS = "test/corpus/seeds/svg";

async function file(path: string): Promise<NamedFile> {
  return { name: path, bytes: Uint8Array.from(await readFile(join(ROOT, path))) };
}

async function drawings(): Promise<readonly NamedFile[]> {
  const names = (await readdir(join(ROOT, DRAWINGS))).sort();
  return Promise.all(names.map((name) => file(`${DRAWINGS}/${name}`)));
}

/** The good files of each kind. They are the same in each run. */
export const allSeeds = async (): Promise<Readonly<Record<Kind, readonly NamedFile[]>>> => ({
  png: await pngSeeds(),
  jpeg: await jpegSeeds(),
  webp: await webpSeeds(),
  svg: await drawings(),
  otf: [await file("test/fixtures/fonts/boxes.otf")],
  ttf: [
    await file("test/fixtures/fonts/composites.ttf"),
    // Fonts with real substitution, positioning and variation tables.
    await file("samples/fonts/tajawal-bold.ttf"),
    await file("samples/fonts/bricolage-grotesque-extrabold.ttf"),
  ],
});
