import { freeBytes, freedBy } from "../buffers.ts";
import type { DecodedImage } from "../decode/index.ts";
import { type Packing, packRgb, toRgba } from "../raster/rgb-pixels.ts";
import type { ChunkedBytes, ImageType, SourceRaster } from "../types.ts";
import type { CanvasSize } from "./prepared-pack.ts";

/** A picture in a pack: upright, shrunk, premultiplied. */
export interface Rendition {
  readonly raster: SourceRaster;
  /** Upright size of the file. */
  readonly sourceWidth: number;
  readonly sourceHeight: number;
  readonly profile: DecodedImage["profile"];
}

/**
 * A rendition's name. It contains the pixel limit; besides it, only the file and the engine determine the pixels.
 */
export const renditionName = (pixelsMax: number): string => `${Math.floor(pixelsMax)}px`;

/** Sources with this many pixels take longer to decode (about 100 ms) than to store and fetch as a rendition. */
const KEPT_SOURCE_PX_MIN: Readonly<Record<ImageType, number>> = {
  "image/jpeg": 24_000_000,
  "image/png": 4_000_000,
  "image/webp": 4_000_000,
  "image/svg+xml": Number.POSITIVE_INFINITY,
};

/** Whether a source takes so long to decode that its rendition is worth storing. */
export const isWorthKeeping = (mimeType: ImageType, { sourceWidth, sourceHeight }: Rendition): boolean =>
  sourceWidth * sourceHeight >= KEPT_SOURCE_PX_MIN[mimeType];

/**
 * Files with this many pixels may take more than 0.3 s of CPU time to decode: at worst 60 ns a pixel for a lossy WebP
 * of noise, 12 ns for a PNG or a progressive JPEG. A preview with three pictures below these sizes takes less than
 * 2 s.
 */
const SLOW_SOURCE_PX_MIN: Readonly<Record<ImageType, number>> = {
  "image/jpeg": 24_000_000,
  "image/png": 24_000_000,
  "image/webp": 6_000_000,
  "image/svg+xml": Number.POSITIVE_INFINITY,
};

/** Whether a source may take so long to decode that its renditions are cached before anything is rendered from it. */
export const mayDecodeSlowly = (mimeType: ImageType, { width, height }: CanvasSize): boolean =>
  width * height >= SLOW_SOURCE_PX_MIN[mimeType];

const PROFILES = ["srgb", "converted", "approximated"] as const;
const HEADER_WORDS = 7;
const HEADER_BYTES = HEADER_WORDS * 4;
/** Magic number of a rendition in this format: "CPR1". */
const MAGIC = 0x31525043;

/** Number of pixels in a chunk. */
const CHUNK_PX = 65_536;

/** Format: seven 32-bit words (magic, size, source size, channels, profile), then RGB or RGBA rows. */
export function writeRendition(rendition: Rendition): ChunkedBytes {
  const { raster } = rendition;
  const { width, height, alpha } = raster;
  const channels = alpha === "opaque" ? 3 : 4;
  return {
    byteLength: HEADER_BYTES + width * height * channels,
    *chunks() {
      yield headerOf(rendition, channels);
      if ("rgb" in raster) yield* inChunks(raster.rgb);
      else yield* channels === 4 ? inChunks(raster.pixels) : colourChunks(raster.pixels);
    },
  };
}

function headerOf({ raster, sourceWidth, sourceHeight, profile }: Rendition, channels: number): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  const words = [MAGIC, raster.width, raster.height, sourceWidth, sourceHeight, channels];
  for (const [index, word] of [...words, PROFILES.indexOf(profile)].entries()) {
    view.setUint32(index * 4, word, true);
  }
  return header;
}

function* inChunks(pixels: Uint8ClampedArray): Generator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK_PX * 4);
  for (let start = 0; start < pixels.length; start += chunk.length) {
    const part = pixels.subarray(start, start + chunk.length);
    chunk.set(part);
    yield chunk.subarray(0, part.length);
  }
}

/** Drops the alpha of opaque pixels. */
function* colourChunks(pixels: Uint8ClampedArray): Generator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK_PX * 3);
  for (let start = 0; start < pixels.length; start += CHUNK_PX * 4) {
    const end = Math.min(pixels.length, start + CHUNK_PX * 4);
    packRgb(pixels.subarray(start, end), chunk, 0);
    yield chunk.subarray(0, ((end - start) / 4) * 3);
  }
}

/**
 * Reads a rendition; null if the bytes are not a complete rendition in this format. Otherwise the raster owns the
 * bytes. Opaque pixels that must be RGBA are copied, and the bytes freed at once.
 */
export function readRendition(bytes: Uint8Array, packing: Packing): Rendition | null {
  if (bytes.length < HEADER_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (index: number): number => view.getUint32(index * 4, true);
  const [width, height, channels] = [word(1), word(2), word(5)];
  const profile = PROFILES[word(6)];
  if (word(0) !== MAGIC || (channels !== 3 && channels !== 4) || profile === undefined) return null;
  if (bytes.length !== HEADER_BYTES + width * height * channels) return null;
  const pixels = new Uint8ClampedArray(
    bytes.buffer,
    bytes.byteOffset + HEADER_BYTES,
    bytes.length - HEADER_BYTES,
  );
  freedBy(pixels, () => freeBytes(bytes));
  let raster: SourceRaster = { width, height, pixels, alpha: "premultiplied" };
  if (channels === 3) {
    raster = { width, height, rgb: pixels, alpha: "opaque" };
    if (packing === "rgba") {
      raster = toRgba(raster);
      freeBytes(bytes);
    }
  }
  return {
    raster,
    sourceWidth: word(3),
    sourceHeight: word(4),
    profile,
  };
}
