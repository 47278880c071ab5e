import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import {
  type AssetBytes,
  type ImageType,
  type PackInputs,
  VISUAL_SLOTS,
  type VisualSlot,
} from "#renderer/index.ts";
import { inRoot } from "../local/paths.ts";
import type { GalleryPack } from "./packs.ts";

const TYPES: Readonly<Record<string, ImageType>> = {
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

const readFrom = async (path: string): Promise<Uint8Array> => Uint8Array.from(await readFile(inRoot(path)));

/** A pack's files and text for the renderer. */
export async function inputsOf({ files, font, copy, brand, look }: GalleryPack): Promise<PackInputs> {
  const assets: Partial<Record<VisualSlot, AssetBytes>> = {};
  for (const slot of VISUAL_SLOTS) {
    const name = files[slot];
    if (name === undefined) continue;
    const mimeType = TYPES[extname(name)];
    if (mimeType === undefined) throw new Error(`no type is known for ${name}`);
    assets[slot] = { bytes: await readFrom(name), mimeType };
  }
  return { assets, font: font === null ? null : await readFrom(font), copy, brand, look };
}
