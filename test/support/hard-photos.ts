import sharp from "sharp";
import type { AssetBytes } from "#renderer/index.ts";
import { seededRandom } from "./pictures.ts";
import { sampleAsset } from "./renderer.ts";

/** Photos that are hard to compress, made from an easy one. */

const EDGE_PX = 1024;

/** Adds noise at every scale from pixels to blocks, so that downscaling does not remove it. */
function noiseAt(random: () => number, strength: number): Float32Array {
  const sum = new Float32Array(EDGE_PX * EDGE_PX);
  for (const block of [1, 2, 4, 8, 16]) {
    const across = EDGE_PX / block;
    const grid = Float32Array.from({ length: across * across }, () => (random() - 0.5) * strength);
    for (let y = 0; y < EDGE_PX; y++) {
      const row = Math.floor(y / block) * across;
      for (let x = 0; x < EDGE_PX; x++) {
        const at = y * EDGE_PX + x;
        sum[at] = (sum[at] ?? 0) + (grid[row + Math.floor(x / block)] ?? 0);
      }
    }
  }
  return sum;
}

async function asPng(rgb: Uint8Array): Promise<AssetBytes> {
  const png = await sharp(rgb, { raw: { width: EDGE_PX, height: EDGE_PX, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { bytes: Uint8Array.from(png), mimeType: "image/png" };
}

/** The meadow at high ISO: grain at every scale, mostly in luminance. */
export async function noisePhoto(seed: number): Promise<AssetBytes> {
  const random = seededRandom(seed);
  const grain = noiseAt(random, 64);
  const casts = [0, 1, 2].map(() => noiseAt(random, 34));
  const { bytes } = sampleAsset("dandelion-turned.jpg");
  const scene = await sharp(bytes).rotate().resize(EDGE_PX, EDGE_PX, { position: "top" }).raw().toBuffer();
  const rgb = Uint8Array.from(scene, (light, at) => {
    const pixel = Math.floor(at / 3);
    return toByte(light + (grain[pixel] ?? 0) + (casts[at % 3]?.[pixel] ?? 0));
  });
  return asPng(rgb);
}

/** Saturated static that nothing compresses, for tests of byte caps. */
export async function staticPicture(seed: number): Promise<AssetBytes> {
  const random = seededRandom(seed);
  const channels = [0, 1, 2].map(() => noiseAt(random, 110));
  const rgb = Uint8Array.from({ length: EDGE_PX * EDGE_PX * 3 }, (_, at) =>
    toByte(120 + (channels[at % 3]?.[Math.floor(at / 3)] ?? 0)),
  );
  return asPng(rgb);
}

const toByte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));

/** Foliage against the sky: a smooth gradient, and green leaves with hard edges at every scale. */
export async function foliagePhoto(seed: number): Promise<AssetBytes> {
  const random = seededRandom(seed);
  const rgb = new Uint8Array(EDGE_PX * EDGE_PX * 3);
  for (let at = 0; at < EDGE_PX * EDGE_PX; at++) {
    const down = Math.floor(at / EDGE_PX) / EDGE_PX;
    rgb.set([90 + 130 * down, 150 + 80 * down, 235 - 20 * down], at * 3);
  }
  for (let leaf = 0; leaf < 26_000; leaf++) {
    const size = 2 + 22 * random() ** 3;
    const left = Math.floor(random() * EDGE_PX);
    const top = Math.floor(EDGE_PX * (0.25 + 0.75 * random()));
    const lean = random() * 2 - 1;
    const colour = [20 + 110 * random(), 50 + 150 * random(), 15 + 60 * random()];
    for (let y = 0; y < size && top + y < EDGE_PX; y++) {
      const wide = size * 0.6 * (1 - Math.abs((2 * y) / size - 1));
      const from = Math.max(0, Math.floor(left + lean * y));
      for (let x = from; x < Math.min(EDGE_PX, from + wide); x++)
        rgb.set(colour, ((top + y) * EDGE_PX + x) * 3);
    }
  }
  return asPng(rgb);
}

export const PHOTO_SEED = 20_261_121;
