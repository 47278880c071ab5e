import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createJpegEncoder, type JpegOptions } from "#renderer/encode/jpeg-codec.ts";
import type { Raster } from "#renderer/types.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { paintPicture, seededRandom } from "../support/pictures.ts";

/** Guarantee: mozjpeg with our loops (`kernels/mozjpeg`) writes the same bytes as the package's mozjpeg. */

const PACKAGED = "node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm";
const grafted = await createJpegEncoder(
  (await loadCodecModules()).jpegEncoder,
  new WebAssembly.Memory({ initial: 259 }),
);
const packaged = await createJpegEncoder(
  Reflect.construct(WebAssembly.Module, [await readFile(PACKAGED)]),
  new WebAssembly.Memory({ initial: 1 }),
);

/** Noise on a slope, increasing from left to right: blocks with every count of coefficients. */
function noise(width: number, height: number): Raster {
  const random = seededRandom(29);
  const pixels = new Uint8ClampedArray(width * height * 4).map(
    (_, at) => 128 + (random() - 0.5) * 255 * (((at >> 2) % width) / width),
  );
  return { width, height, pixels, alpha: "opaque" };
}

const written = (encoder: typeof grafted, { width, height, pixels }: Raster, options: JpegOptions) =>
  encoder.withPicture(width, height, (room, encode) => {
    room.set(pixels);
    return encode(options);
  });

describe.each([["a design", paintPicture(203, 121)] as const, ["noise", noise(256, 128)] as const])(
  "of %s",
  (_, picture) => {
    it.each([40, 60, 85, 95, 100])("quality %d", (quality) => {
      for (const chroma of ["4:2:0", "4:4:4"] as const) {
        for (const order of ["sequential", "progressive"] as const) {
          const options = { quality, chroma, order };
          const [ours, theirs] = [written(grafted, picture, options), written(packaged, picture, options)];
          expect(Buffer.compare(ours, theirs), `${chroma}, ${order}`).toBe(0);
        }
      }
    });
  },
);
