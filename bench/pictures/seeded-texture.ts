import sharp from "sharp";
import { seededRandom } from "../../test/support/pictures.ts";

/** Noise around middle grey, as a tileable square. Blended over a photograph it adds the detail of a sharp lens. */
export interface Texture {
  /** Distance between two random values in pixels; 1 gives film grain. */
  readonly cellPx: number;
  /** Maximum difference from middle grey, in grey levels. */
  readonly spread: number;
  readonly seed: number;
}

const TEXTURE_EDGE_PX = 1024;
/** Difference between the channels, as a fraction of `spread`: sensor grain differs slightly between colours. */
const COLOUR_SHARE = 0.4;

/** A texture as PNG; equal textures have equal bytes. */
export async function drawTexture({ cellPx, spread, seed }: Texture): Promise<Buffer> {
  const random = seededRandom(seed);
  const edge = TEXTURE_EDGE_PX / cellPx;
  const pixels = new Uint8Array(edge * edge * 3);
  for (let at = 0; at < pixels.length; at += 3) {
    const level = 128 + (random() + random() - 1) * spread;
    for (let channel = 0; channel < 3; channel += 1) {
      pixels[at + channel] = level + (random() - 0.5) * spread * COLOUR_SHARE;
    }
  }
  return sharp(pixels, { raw: { width: edge, height: edge, channels: 3 } })
    .resize(TEXTURE_EDGE_PX, TEXTURE_EDGE_PX, { kernel: "cubic" })
    .png()
    .toBuffer();
}
