import sharp, { type Sharp } from "sharp";
import { expect, it } from "vitest";
import { decodeImage, decodeImageAtSizes } from "#renderer/decode/index.ts";
import { createEngine } from "#renderer/engine.ts";
import { toRgba } from "#renderer/raster/rgb-pixels.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { seededRandom } from "../support/pictures.ts";
import { unwrap } from "../support/unwrap.ts";

/**
 * Guarantee: a picture that is decoded at several sizes at once has the same pixels as decoded at each size alone, and
 * three bytes a pixel if it is opaque.
 */

const SEED = 20_261_122;
const engine = createEngine(await loadCodecModules());

/** Odd edges, so that boxes at the right and lower edge are partly outside. */
const WIDTH = 701;
const HEIGHT = 467;
/**
 * Two sizes that decode to the same pixels, and sizes with different factors. The last is so small that most rows of
 * macroblocks complete no line.
 */
const WANTED = [640, 600, 340, 225, 140, 17].map((width) => ({
  width,
  height: Math.round((width * HEIGHT) / WIDTH),
}));

function noise(channels: 3 | 4): Sharp {
  const random = seededRandom(SEED);
  const data = Uint8Array.from({ length: WIDTH * HEIGHT * channels }, () => random() * 256);
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels } });
}

it.each<[string, "image/jpeg" | "image/png" | "image/webp", Sharp]>([
  ["a lossy WebP", "image/webp", noise(3).webp({ quality: 70 })],
  ["a lossy WebP with alpha", "image/webp", noise(4).webp({ quality: 70 })],
  ["a lossy WebP on its side", "image/webp", noise(3).withMetadata({ orientation: 6 }).webp({ quality: 70 })],
  ["a lossless WebP", "image/webp", noise(4).webp({ lossless: true })],
  ["a lossless WebP without alpha", "image/webp", noise(3).webp({ lossless: true })],
  ["a PNG", "image/png", noise(3).png()],
  ["an interlaced PNG", "image/png", noise(3).png({ progressive: true })],
  ["an interlaced PNG with alpha", "image/png", noise(4).png({ progressive: true })],
  ["a PNG upside down", "image/png", noise(3).withMetadata({ orientation: 3 }).png()],
  ["a JPEG in Display P3", "image/jpeg", noise(3).withIccProfile("p3").jpeg()],
  ["a grey JPEG", "image/jpeg", noise(3).greyscale().jpeg()],
  ...[2, 3, 4, 5, 6, 7, 8].map((orientation): [string, "image/jpeg", Sharp] => [
    `a JPEG turned as ${orientation}`,
    "image/jpeg",
    noise(3).withMetadata({ orientation }).jpeg(),
  ]),
  ["a progressive JPEG", "image/jpeg", noise(3).jpeg({ progressive: true })],
])("%s", async (_, mimeType, picture) => {
  const bytes = Uint8Array.from(await picture.toBuffer());
  const { orientation = 1 } = await sharp(bytes).metadata();
  const isTurned = orientation >= 5;
  const wanted = WANTED.map(({ width, height }) =>
    isTurned ? { width: height, height: width } : { width, height },
  );
  const served = new Set<object>();
  const result = await decodeImageAtSizes(engine, bytes, mimeType, wanted, async (decoded, group) => {
    for (const size of group) {
      served.add(size);
      const alone = unwrap(await decodeImage(engine, bytes, mimeType, size));
      const { pixels, ...rest } = alone.raster;
      expect(decoded).toMatchObject({ ...alone, raster: rest });
      expect("rgb" in decoded.raster).toBe(rest.alpha === "opaque");
      expect(
        Buffer.compare(Buffer.from(toRgba(decoded.raster).pixels), Buffer.from(pixels)),
        `${size.width} px`,
      ).toBe(0);
    }
  });
  expect(result.ok).toBe(true);
  expect(served.size).toBe(wanted.length);
});

it("a lossy WebP that ends early is rejected without any pixels", async () => {
  const whole = await noise(3).webp({ quality: 70 }).toBuffer();
  const cut = Uint8Array.from(whole);
  cut.fill(0, cut.length / 2);
  const view = new DataView(cut.buffer);
  view.setUint32(4, cut.length / 2);
  const taken: unknown[] = [];
  const result = await decodeImageAtSizes(
    engine,
    cut.subarray(0, cut.length / 2),
    "image/webp",
    WANTED,
    async (decoded) => void taken.push(decoded),
  );
  expect(result).toMatchObject({ ok: false, code: "ASSET_UNREADABLE" });
  expect(taken).toEqual([]);
});
