import { type CanvasMemory, freeRaster, lender } from "../buffers.ts";
import type { Raster, Result } from "../types.ts";
import type { Encoders } from "./encoders.ts";
import type { JpegOptions } from "./jpeg-codec.ts";
import {
  FULL_CHROMA_QUALITY_MIN,
  JPEG_QUALITY_MIN,
  JPEG_QUALITY_PREFERRED,
  WEBP_QUALITY_MIN,
  WEBP_QUALITY_PREFERRED,
} from "./limits.ts";

const WEBP_EFFORT = 4;

/** The best JPEG within the cap; if none fits, the smallest acceptable one. Null when the codec fails. */
export function encodeJpeg(
  encoders: Encoders,
  raster: Raster,
  byteCap: number | null,
  preferred = JPEG_QUALITY_PREFERRED,
): Promise<Attempt | null> {
  const hasColourSteps = colourSteps(raster) !== "nowhere";
  return encoders.useJpegEncoder((encoder) =>
    encoder.withPicture(raster.width, raster.height, (pixels, encode) => {
      pixels.set(raster.pixels);
      return searchJpeg(encode, hasColourSteps, byteCap, preferred);
    }),
  );
}

/** The result of `draw`, whose canvas is already freed, and the encoded file. `attempt` is null if the codec failed. */
export interface DrawnJpeg<T> {
  readonly drawn: T;
  readonly attempt: Attempt | null;
}

/**
 * Like `encodeJpeg`, for a canvas that `draw` draws in the codec's own memory with the allocator passed to it, which
 * saves a second canvas. Frees the canvas. Fails and throws as `draw` does; null when the codec fails.
 */
export async function drawJpeg<T extends { readonly canvas: Raster }>(
  encoders: Encoders,
  { width, height }: Pick<Raster, "width" | "height">,
  byteCap: number | null,
  draw: (memory: CanvasMemory) => Result<T>,
): Promise<Result<DrawnJpeg<T>> | null> {
  const done = await encoders.useJpegEncoder((encoder) =>
    encoder.withPicture(width, height, (pixels, encode): Result<DrawnJpeg<T>> | { readonly bug: unknown } => {
      let drawn: Result<T>;
      try {
        drawn = draw(lender(pixels));
      } catch (bug) {
        // Return the error, because `useJpegEncoder` would treat an exception as a codec failure.
        return { bug };
      }
      if (!drawn.ok) return drawn;
      const { canvas } = drawn.value;
      const hasColourSteps = colourSteps(canvas) !== "nowhere";
      if (canvas.pixels !== pixels) pixels.set(canvas.pixels);
      freeRaster(canvas);
      return {
        ok: true,
        value: {
          drawn: drawn.value,
          attempt: searchJpeg(encode, hasColourSteps, byteCap, JPEG_QUALITY_PREFERRED),
        },
      };
    }),
  );
  if (done !== null && "bug" in done) throw done.bug;
  return done;
}

/**
 * A file that fits at the preferred quality is written in one pass over the picture; progressive scans, which save
 * bytes, cost time and are used only if it does not fit.
 */
function searchJpeg(
  encode: (options: JpegOptions) => Uint8Array,
  hasColourSteps: boolean,
  byteCap: number | null,
  preferred: number,
): Attempt | null {
  const encodeAt = (quality: number, order: JpegOptions["order"]): Uint8Array => {
    const isFull = quality > JPEG_QUALITY_PREFERRED || (hasColourSteps && quality >= FULL_CHROMA_QUALITY_MIN);
    const chroma = isFull ? "4:4:4" : "4:2:0";
    return encode({ quality, chroma, order });
  };
  const best = encodeAt(preferred, "sequential");
  if (byteCap === null || best.length <= byteCap) return { quality: preferred, bytes: best };
  return searchQuality(
    (quality) => encodeAt(quality, "progressive"),
    { min: JPEG_QUALITY_MIN, preferred },
    byteCap,
  );
}

/** The best lossy WebP within the cap; if none fits, the smallest acceptable one. Null when the codec fails. */
export async function encodeWebp(
  encoders: Encoders,
  raster: Raster,
  byteCap: number | null,
): Promise<Attempt | null> {
  const isEdged = colourSteps(raster) === "edges";
  return encoders.useWebpEncoder((encoder) =>
    searchQuality(
      (quality) => encoder.encode(raster, { quality, effort: WEBP_EFFORT, isEdged }),
      { min: WEBP_QUALITY_MIN, preferred: WEBP_QUALITY_PREFERRED },
      byteCap,
    ),
  );
}

/** Chroma difference of two neighbours that subsampled colour would visibly smear. */
const STEP_MIN = 48;
/**
 * If more than this share of neighbours has such a step, colour keeps full resolution. A line of coloured text is
 * enough.
 */
const STEP_SHARE_MIN = 1 / 250;

/** Largest difference of two neighbours, over red, green and blue, in a flat area. */
const FLAT_MAX = 6;
/** Minimum share of steps beside a flat area for "edges". Designs have over half, foliage and grain under a third. */
const EDGE_SHARE_MIN = 0.4;

/**
 * Where a picture has hard colour steps: at "edges" of text, logos and buttons, which are beside flat areas; in
 * "texture", such as foliage and grain; or "nowhere", as in most photographs.
 */
export function colourSteps({ width, height, pixels }: Raster): "edges" | "texture" | "nowhere" {
  const value = (at: number): number => pixels[at] ?? 0;
  const isFlat = (at: number): boolean =>
    Math.abs(value(at) - value(at - 4)) +
      Math.abs(value(at + 1) - value(at - 3)) +
      Math.abs(value(at + 2) - value(at - 2)) <=
    FLAT_MAX;
  let steps = 0;
  let edges = 0;
  for (let y = 0; y < height; y += 2) {
    let at = y * width * 4;
    const end = at + width * 4;
    // Differences of red and blue from green, carried from neighbour to neighbour for speed, because half the pixels of
    // every file are read.
    let red = value(at) - value(at + 1);
    let blue = value(at + 2) - value(at + 1);
    for (at += 4; at < end; at += 4) {
      const green = pixels[at + 1] ?? 0;
      const nextRed = (pixels[at] ?? 0) - green;
      const nextBlue = (pixels[at + 2] ?? 0) - green;
      const step = Math.abs(nextRed - red) + Math.abs(nextBlue - blue);
      red = nextRed;
      blue = nextBlue;
      if (step <= STEP_MIN) continue;
      steps += 1;
      if (isFlat(at - 8) || isFlat(at - 4) || isFlat(at + 4) || isFlat(at + 8)) edges += 1;
    }
  }
  if (steps <= width * Math.ceil(height / 2) * STEP_SHARE_MIN) return "nowhere";
  return edges >= steps * EDGE_SHARE_MIN ? "edges" : "texture";
}

/** One encoding at one quality. */
export interface Attempt {
  readonly quality: number;
  readonly bytes: Uint8Array;
}

interface QualityRange {
  readonly min: number;
  readonly preferred: number;
}

/**
 * Finds the best quality whose file is at most `byteCap` bytes, assuming that size grows with quality: tries the
 * preferred quality first, then bisects. Returns the lowest quality if even that is too large. Null when the encoder
 * fails.
 */
export function searchQuality(
  encode: (quality: number) => Uint8Array | null,
  range: QualityRange,
  byteCap: number | null,
): Attempt | null {
  const preferred = encode(range.preferred);
  if (preferred === null) return null;
  if (byteCap === null || preferred.length <= byteCap) return { quality: range.preferred, bytes: preferred };
  let best: Attempt | null = null;
  let smallest: Attempt = { quality: range.preferred, bytes: preferred };
  let low = range.min;
  let high = range.preferred - 1;
  while (low <= high) {
    const quality = (low + high) >> 1;
    const bytes = encode(quality);
    if (bytes === null) return null;
    const attempt = { quality, bytes };
    if (bytes.length < smallest.bytes.length) smallest = attempt;
    if (bytes.length <= byteCap) {
      best = attempt;
      low = quality + 1;
    } else {
      high = quality - 1;
    }
  }
  return best ?? smallest;
}
