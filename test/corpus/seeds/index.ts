import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Kind, NamedFile } from "../kinds.ts";
import { svgSeeds } from "./drawings.ts";
import { jpegSeeds, pngSeeds, webpSeeds } from "./pictures.ts";
import { postScriptBoxes } from "./post-script.ts";
import { boxesFont } from "./true-type.ts";

async function fontFile(path: string): Promise<NamedFile> {
  return { name: path, bytes: Uint8Array.from(await readFile(join(import.meta.dirname, "../../..", path))) };
}

/** Good files of each kind, the same each time. */
export const allSeeds = async (): Promise<Readonly<Record<Kind, readonly NamedFile[]>>> => ({
  png: await pngSeeds(),
  jpeg: await jpegSeeds(),
  webp: await webpSeeds(),
  svg: svgSeeds(),
  otf: [{ name: "boxes with PostScript outlines", bytes: postScriptBoxes() }],
  ttf: [
    { name: "boxes with TrueType outlines", bytes: boxesFont() },
    // Real substitution, positioning and variation tables.
    await fontFile("samples/fonts/tajawal-bold.ttf"),
    await fontFile("samples/fonts/bricolage-grotesque-extrabold.ttf"),
  ],
});
