import type { UseCodec } from "../codec.ts";
import type { Packing } from "../raster/rgb-pixels.ts";
import type { ImageType, Raster, Result, SourceRaster } from "../types.ts";
import type { ColourConverter } from "./colour-codec.ts";
import { type Orientation, swapsAxes, turnUpright } from "./exif-orientation.ts";
import { unreadable } from "./inspection.ts";
import { decodeJpeg } from "./jpeg.ts";
import type { JpegDecoder } from "./jpeg-codec.ts";
import { readJpegStructure } from "./jpeg-markers.ts";
import { planJpeg } from "./jpeg-plan.ts";
import { REDUCIBLE_PX_MAX } from "./limits.ts";
import { decodePng, pngProfile } from "./png.ts";
import { readPngStructure } from "./png-chunks.ts";
import type { PngDecoder } from "./png-codec.ts";
import { readPngColours } from "./png-colours.ts";
import { FOR_FILE, shrinkFactor, type Wanted } from "./shrink-factor.ts";
import { findSizeExcess } from "./size-limit.ts";
import { type Converted, cmykToSrgb, fromPngColours, toSrgb } from "./to-srgb.ts";
import { decodeWebp, decodeWebpByFactors } from "./webp.ts";
import { readWebpStructure } from "./webp-chunks.ts";
import type { WebpDecoder } from "./webp-codec.ts";

export interface Decoders {
  readonly useJpegDecoder: UseCodec<JpegDecoder>;
  readonly usePngDecoder: UseCodec<PngDecoder>;
  readonly useWebpDecoder: UseCodec<WebpDecoder>;
  readonly useColourConverter: UseCodec<ColourConverter>;
}

export interface DecodedImage<R extends SourceRaster = Raster> {
  /** Upright sRGB. Its `alpha` is `opaque` if every pixel is opaque, else `straight`. */
  readonly raster: R;
  /** Upright size of the file. */
  readonly sourceWidth: number;
  readonly sourceHeight: number;
  /**
   * `srgb`: declared or assumed; `converted`: by the profile, or by a PNG's colour chunks; `approximated`: the profile
   * or the colour chunks are not supported, or it is CMYK without a profile.
   */
  readonly profile: "srgb" | "converted" | "approximated";
}

/**
 * Decodes an image at about the wanted size and never enlarges it: at least the wanted size in both axes if the source
 * is that large, and less than about twice the wanted size. The raster is smaller only if it would exceed 8 megapixels,
 * or if a JPEG in several scans would buffer too many coefficients (at half size, a 4:4:4 JPEG of more than 28
 * megapixels).
 */
export async function decodeImage(
  decoders: Decoders,
  bytes: Uint8Array,
  mimeType: Exclude<ImageType, "image/svg+xml">,
  wanted: Wanted,
): Promise<Result<DecodedImage>> {
  const decoded = await decodeSource(decoders, bytes, mimeType, wanted, "rgba");
  if (!decoded.ok) return decoded;
  const { raster } = decoded.value;
  if ("rgb" in raster) throw new Error("four bytes a pixel were wanted");
  return { ok: true, value: { ...decoded.value, raster } };
}

/**
 * Decodes an image that may be larger than the service accepts, up to `REDUCIBLE_PX_MAX`, at 1/n of its size, with the
 * smallest whole n for which the service accepts the result. For a JPEG, n is 1, 2, 4 or a multiple of 8, and larger if
 * decoding would buffer too many coefficients.
 */
export const reduceImage = (
  decoders: Decoders,
  bytes: Uint8Array,
  mimeType: Exclude<ImageType, "image/svg+xml">,
): Promise<Result<DecodedImage>> => decodeImage(decoders, bytes, mimeType, FOR_FILE);

/** `decodeImage`, with a raster in the given packing. */
export async function decodeSource(
  decoders: Decoders,
  bytes: Uint8Array,
  mimeType: Exclude<ImageType, "image/svg+xml">,
  wanted: Wanted,
  packing: Packing,
): Promise<Result<DecodedImage<SourceRaster>>> {
  switch (mimeType) {
    case "image/jpeg": {
      const jpeg = readJpegStructure(bytes);
      if (typeof jpeg === "string") return damaged("JPEG", jpeg);
      const refusal = refuseSize(jpeg, wanted);
      if (refusal !== null) return refusal;
      const stored = asStored(wanted, jpeg.orientation);
      const decoded = await decodeJpeg(decoders.useJpegDecoder, jpeg, stored, packing);
      if (!decoded.ok) return decoded;
      const { value } = decoded;
      const converted: Converted =
        value.colours === "cmyk"
          ? await cmykToSrgb(decoders.useColourConverter, value.raster, jpeg.icc)
          : await toSrgb(decoders.useColourConverter, value.raster, jpeg.icc);
      return decodedFrom(converted, jpeg);
    }
    case "image/png": {
      const png = readPngStructure(bytes);
      if (typeof png === "string") return damaged("PNG", png);
      const refusal = refuseSize(png, wanted);
      if (refusal !== null) return refusal;
      const stored = asStored(wanted, png.orientation);
      const decoded = await decodePng(decoders.usePngDecoder, png, stored, packing);
      if (!decoded.ok) return decoded;
      // cICP only names a colour space, and decoders that know few names use the profile (PNG, third edition, 4.3).
      const converted =
        png.icc === null
          ? await fromPngColours(decoders.useColourConverter, decoded.value, readPngColours(png.colourChunks))
          : await toSrgb(decoders.useColourConverter, decoded.value, pngProfile(png));
      return upright(converted, png);
    }
    case "image/webp": {
      const webp = readWebpStructure(bytes);
      if (typeof webp === "string") return damaged("WebP", webp);
      const refusal = refuseSize(webp, wanted);
      if (refusal !== null) return refusal;
      const stored = asStored(wanted, webp.orientation);
      const decoded = await decodeWebp(decoders.useWebpDecoder, webp, stored, packing);
      return decoded.ok
        ? upright(await toSrgb(decoders.useColourConverter, decoded.value, webp.icc), webp)
        : decoded;
    }
  }
}

/**
 * `decodeImage` at several sizes. Sizes that yield the same pixels share one raster. Calls `take` with each raster, RGB
 * if it is opaque, and with the sizes that share it. A lossy WebP is read once, and all its rasters are in memory
 * together; other formats are read once for each raster, with one raster in memory at a time.
 */
export async function decodeImageAtSizes<W extends Wanted>(
  decoders: Decoders,
  bytes: Uint8Array,
  mimeType: Exclude<ImageType, "image/svg+xml">,
  wanted: readonly W[],
  take: (decoded: DecodedImage<SourceRaster>, wanted: readonly W[]) => Promise<void>,
): Promise<Result<null>> {
  const webp = mimeType === "image/webp" ? readWebpStructure(bytes) : null;
  if (webp !== null && typeof webp !== "string" && webp.picture?.coding === "lossy") {
    const refusal = refuseSize(webp);
    if (refusal !== null) return refusal;
    const byFactor = groupedBy(wanted, (one) =>
      shrinkFactor(webp.width, webp.height, asStored(one, webp.orientation)),
    );
    const decoded = await decodeWebpByFactors(decoders.useWebpDecoder, webp, [...byFactor.keys()], PACKING);
    if (!decoded.ok) return decoded;
    for (const [index, group] of [...byFactor.values()].entries()) {
      const raster = decoded.value[index];
      if (raster === undefined) throw new Error("a factor gives a raster");
      const image = upright(await toSrgb(decoders.useColourConverter, raster, webp.icc), webp);
      if (!image.ok) return image;
      await take(image.value, group);
    }
    return { ok: true, value: null };
  }
  for (const group of groupedBy(wanted, passOf(bytes, mimeType)).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const decoded = await decodeSource(decoders, bytes, mimeType, first, PACKING);
    if (!decoded.ok) return decoded;
    await take(decoded.value, group);
  }
  return { ok: true, value: null };
}

const PACKING: Packing = "rgb_if_opaque";

/** Returns a function that maps sizes with the same decoded pixels to the same key. */
function passOf(
  bytes: Uint8Array,
  mimeType: Exclude<ImageType, "image/svg+xml">,
): (wanted: Wanted) => string {
  if (mimeType === "image/jpeg") {
    const jpeg = readJpegStructure(bytes);
    if (typeof jpeg === "string") return () => jpeg;
    return (wanted) => JSON.stringify(planJpeg(jpeg, asStored(wanted, jpeg.orientation)));
  }
  const stored = mimeType === "image/png" ? readPngStructure(bytes) : readWebpStructure(bytes);
  if (typeof stored === "string") return () => stored;
  return (wanted) => String(shrinkFactor(stored.width, stored.height, asStored(wanted, stored.orientation)));
}

function groupedBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

interface Stored {
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
}

function refuseSize(
  { width, height }: Stored,
  { isForFile = false }: Partial<Wanted> = {},
): ReturnType<typeof unreadable> | null {
  const found = isForFile && width * height <= REDUCIBLE_PX_MAX ? null : findSizeExcess(width, height);
  return found && unreadable(found.message);
}

function damaged(format: string, fault: string): ReturnType<typeof unreadable> {
  if (fault === "unsupported")
    return unreadable(`The ${format} uses a variant that is not supported. Export it again.`);
  return unreadable(`The file is not a whole ${format} picture. Export it again.`);
}

function asStored(wanted: Wanted, orientation: Orientation): Wanted {
  return swapsAxes(orientation) ? { ...wanted, width: wanted.height, height: wanted.width } : wanted;
}

function upright({ raster, profile }: Converted, stored: Stored): Result<DecodedImage<SourceRaster>> {
  return decodedFrom({ raster: turnUpright(raster, stored.orientation), profile }, stored);
}

/** The result for an upright raster. */
function decodedFrom({ raster, profile }: Converted, stored: Stored): Result<DecodedImage<SourceRaster>> {
  const isSwapped = swapsAxes(stored.orientation);
  return {
    ok: true,
    value: {
      raster,
      sourceWidth: isSwapped ? stored.height : stored.width,
      sourceHeight: isSwapped ? stored.width : stored.height,
      profile,
    },
  };
}
