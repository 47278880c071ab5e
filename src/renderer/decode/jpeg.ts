import type { Engine } from "../engine.ts";
import type { Raster, Result } from "../types.ts";
import { unreadable } from "./failure.ts";
import type { Wanted } from "./index.ts";
import type { JpegSamples } from "./jpeg-codec.ts";
import type { JpegStructure } from "./jpeg-markers.ts";
import { JPEG_COEFFICIENT_BYTES_MAX, JPEG_SCANS_MAX, RASTER_PX_MAX } from "./limits.ts";
import { createShrinker, shrinkFactor } from "./shrink.ts";

/** What the four bytes of a pixel are. `inks`: cyan, magenta, yellow, black, 0 no ink. */
export interface JpegRaster {
  readonly raster: Raster;
  readonly colours: "rgb" | "inks";
}

/**
 * Decodes a JPEG into a raster of about the wanted size, as stored (not turned upright).
 * The inverse DCT makes the pixels at 1/2, 1/4 or 1/8; box averages do the rest.
 */
export async function decodeJpeg(
  engine: Engine,
  bytes: Uint8Array,
  jpeg: JpegStructure,
  wanted: Wanted,
): Promise<Result<JpegRaster>> {
  if (jpeg.scans > JPEG_SCANS_MAX)
    return unreadable("The JPEG has more scans than any camera or editor makes.");
  if (jpeg.coding === "progressive" && jpeg.coefficientBytes > JPEG_COEFFICIENT_BYTES_MAX) {
    return unreadable(
      "The progressive JPEG is too large to decode. Save it as a baseline (non-progressive) JPEG.",
    );
  }
  const target = withinLimit(jpeg, wanted);
  const decoded = await engine.useJpegDecoder((decoder) =>
    decoder.decode(bytes, target.width, target.height, (image) => toRaster(image, jpeg, wanted)),
  );
  if (decoded === null) return unreadable("The JPEG's pixel data is damaged. Export the picture again.");
  return { ok: true, value: decoded };
}

/** Asks for less where the scale that suits would give a raster past the limit. */
function withinLimit(jpeg: JpegStructure, wanted: Wanted): Wanted {
  for (const eighths of [1, 2, 4, 8]) {
    const width = Math.ceil((jpeg.width * eighths) / 8);
    const height = Math.ceil((jpeg.height * eighths) / 8);
    if (width * height > RASTER_PX_MAX && eighths > 1) {
      const smaller = eighths / 2;
      return {
        width: Math.floor((jpeg.width * smaller) / 8),
        height: Math.floor((jpeg.height * smaller) / 8),
      };
    }
    if (width >= wanted.width && height >= wanted.height) break;
  }
  return { width: Math.min(jpeg.width, wanted.width), height: Math.min(jpeg.height, wanted.height) };
}

function toRaster(image: JpegSamples, jpeg: JpegStructure, wanted: Wanted): JpegRaster {
  const { width, height, channels, samples } = image;
  const shrinker = createShrinker(width, height, shrinkFactor(width, height, wanted), false);
  const row = new Uint8Array(width * 4).fill(255);
  // CMYK's fourth sample is a colour, which the alpha-weighted average must not see: it goes in a second raster.
  const blacks =
    channels === 4 ? createShrinker(width, height, shrinkFactor(width, height, wanted), false) : null;
  const blackRow = new Uint8Array(channels === 4 ? width * 4 : 0).fill(255);
  for (let y = 0; y < height; y++) {
    const from = y * width * channels;
    for (let x = 0; x < width; x++) {
      const at = from + x * channels;
      const first = samples[at] ?? 0;
      row[x * 4] = first;
      row[x * 4 + 1] = channels === 1 ? first : (samples[at + 1] ?? 0);
      row[x * 4 + 2] = channels === 1 ? first : (samples[at + 2] ?? 0);
      if (channels === 4) blackRow[x * 4] = samples[at + 3] ?? 0;
    }
    shrinker.add(y, row, width, 0, 1);
    blacks?.add(y, blackRow, width, 0, 1);
  }
  const shrunk = shrinker.finish();
  const raster = {
    width: shrunk.width,
    height: shrunk.height,
    pixels: shrunk.pixels,
    alpha: "opaque" as const,
  };
  if (blacks === null) return { raster, colours: "rgb" };
  const black = blacks.finish().pixels;
  for (let at = 3; at < raster.pixels.length; at += 4) raster.pixels[at] = black[at - 3] ?? 0;
  return { raster: jpeg.adobeTransform === null ? inverted(raster) : raster, colours: "inks" };
}

function inverted(raster: Raster): Raster {
  return { ...raster, pixels: raster.pixels.map((value) => 255 - value) };
}
