import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type AssetBytes,
  type Family,
  SHAPES,
  type Shape,
  VISUAL_SLOTS,
  type VisualSlot,
} from "#renderer/index.ts";
import { catalogueSize, draw, fileOf, inputsOf, sampleAsset, withPack } from "../support/renderer.ts";
import { GOLDEN_CASES, GOLDEN_COPY, GOLDEN_FILES, type GoldenCase } from "./cases.ts";
import type { Signature } from "./signature.ts";

/** Folder of the committed signatures and thumbnails. */
export const GOLDEN_FOLDER = import.meta.dirname;

/** The committed signature of each case. */
export async function readSignatures(): Promise<Readonly<Record<string, Signature>>> {
  return JSON.parse(await readFile(join(GOLDEN_FOLDER, "signatures.json"), "utf8"));
}

/** Draws a family in these shapes, as JPEG without a byte cap. Byte caps have their own tests. */
export async function drawGoldens(
  family: Family,
  shapes: readonly Shape[] = SHAPES,
): Promise<readonly { readonly golden: GoldenCase; readonly bytes: Uint8Array }[]> {
  const goldens = GOLDEN_CASES.filter((golden) => golden.family === family && shapes.includes(golden.shape));
  const sizes = goldens.map(({ sizeId }) => ({ ...catalogueSize(sizeId), byteCap: null }));
  const assets: Partial<Record<VisualSlot, AssetBytes>> = {};
  for (const slot of VISUAL_SLOTS) {
    const name = GOLDEN_FILES[family][slot];
    if (name !== undefined) assets[slot] = sampleAsset(name);
  }
  return withPack(inputsOf({ assets, copy: GOLDEN_COPY }), async (pack) => {
    const drawn: { golden: GoldenCase; bytes: Uint8Array }[] = [];
    for (const [at, golden] of goldens.entries()) {
      const size = sizes[at];
      if (size === undefined) throw new Error(`no size for ${golden.name}`);
      const output = await draw(pack, { size, motion: "static", format: "jpg" });
      if (output.layout.shape !== golden.shape) {
        throw new Error(`${golden.sizeId} is no ${golden.shape} any more but a ${output.layout.shape}`);
      }
      drawn.push({ golden, bytes: fileOf(output).bytes });
    }
    return drawn;
  });
}
