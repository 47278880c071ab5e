import sharp, { type Sharp } from "sharp";
import { inRoot } from "../../scripts/local/paths.ts";
import { drawTexture, type Texture } from "./seeded-texture.ts";

/**
 * The sample photograph at any size. `sharp` adds the detail and grain of a camera with that many pixels. `soft` is
 * only enlarged, so that a lossless file of it stays below the upload limit.
 */
export type Surface = "sharp" | "soft";

const TEXTURES: readonly (Texture & { readonly blend: "overlay" | "soft-light" })[] = [
  { cellPx: 1, spread: 60, seed: 1, blend: "overlay" },
  { cellPx: 4, spread: 90, seed: 2, blend: "soft-light" },
  { cellPx: 32, spread: 120, seed: 3, blend: "soft-light" },
];

/** Returns an RGB image of `width * height` pixels that sharp can write in any format. */
export async function paintPhotograph(width: number, height: number, surface: Surface): Promise<Sharp> {
  const raw = { width, height, channels: 3 } as const;
  const enlarged = await sharp(inRoot("samples/dandelion.jpg"))
    .resize(width, height, { fit: "cover" })
    .removeAlpha()
    .raw()
    .toBuffer();
  if (surface === "soft") return sharp(enlarged, { raw });
  const layers = await Promise.all(
    TEXTURES.map(async ({ blend, ...texture }) => ({ input: await drawTexture(texture), tile: true, blend })),
  );
  const textured = await sharp(enlarged, { raw }).composite(layers).removeAlpha().raw().toBuffer();
  return sharp(textured, { raw });
}
