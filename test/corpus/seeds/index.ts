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

/** Good files of a kind, the same each time. */
export async function seedsOf(kind: Kind): Promise<readonly NamedFile[]> {
  switch (kind) {
    case "png":
      return pngSeeds();
    case "jpeg":
      return jpegSeeds();
    case "webp":
      return webpSeeds();
    case "svg":
      return svgSeeds();
    case "otf":
      return [{ name: "boxes with PostScript outlines", bytes: postScriptBoxes() }];
    case "ttf":
      return [
        { name: "boxes with TrueType outlines", bytes: boxesFont() },
        // Real substitution, positioning and variation tables.
        await fontFile("samples/fonts/tajawal-bold.ttf"),
        await fontFile("samples/fonts/bricolage-grotesque-extrabold.ttf"),
      ];
  }
}
