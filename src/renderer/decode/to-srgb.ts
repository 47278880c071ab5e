import { changeRgb } from "../raster/rgb-pixels.ts";
import type { Raster, SourceRaster } from "../types.ts";
import { readIccProfile } from "./icc.ts";
import { type ByteConversion, conversionFrom, transformOf } from "./icc-transform.ts";
import type { PngColours } from "./png-colours.ts";

/**
 * A raster in sRGB. `srgb`: it was; `converted`: by its profile; `approximated`: its profile is not supported and was
 * ignored, or it is CMYK without a profile.
 */
export interface Converted<R extends SourceRaster = SourceRaster> {
  readonly raster: R;
  readonly profile: "srgb" | "converted" | "approximated";
}

/** A conversion that changes no byte by more than this is left out: the profile is that of sRGB. */
const SAME_VALUE_TOLERANCE = 1;
/** A picture is grey when its channels differ by no more, because lossy formats round. */
const GREY_TOLERANCE = 2;

/**
 * Converts in place from RGB (or grey written as RGB) by an ICC profile: relative colorimetric with black-point
 * compensation. Alpha stays. A profile of another kind than the picture is ignored.
 */
export function toSrgb<R extends SourceRaster>(raster: R, icc: Uint8Array | null): Converted<R> {
  if (icc === null) return { raster, profile: "srgb" };
  const profile = readIccProfile(icc);
  if (profile === null || profile.space === "CMYK") return { raster, profile: "approximated" };
  const convert = transformOf(profile);
  if (convert === null || (profile.space === "GRAY" && !isGrey(raster))) {
    return { raster, profile: "approximated" };
  }
  return convertBy(raster, convert, profile.space === "GRAY");
}

/** Converts in place from the colour space of a PNG without a profile. Alpha stays. */
export function fromPngColours<R extends SourceRaster>(raster: R, colours: PngColours): Converted<R> {
  if (colours === "srgb") return { raster, profile: "srgb" };
  if (colours === "unknown") return { raster, profile: "approximated" };
  return convertBy(raster, conversionFrom(colours, 0), false);
}

function convertBy<R extends SourceRaster>(
  raster: R,
  convert: ByteConversion,
  isGreyOnly: boolean,
): Converted<R> {
  if (isIdentity(convert, isGreyOnly)) return { raster, profile: "srgb" };
  if ("rgb" in raster) changeRgb(raster, convert);
  else convert(raster.pixels);
  return { raster, profile: "converted" };
}

function isGrey(raster: SourceRaster): boolean {
  const [bytes, pixelBytes] = "rgb" in raster ? [raster.rgb, 3] : [raster.pixels, 4];
  for (let at = 0; at < bytes.length; at += pixelBytes) {
    const [r, g, b] = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
    if (Math.abs(r - g) > GREY_TOLERANCE || Math.abs(b - g) > GREY_TOLERANCE) return false;
  }
  return true;
}

/** Tries a conversion on a lattice of colours, or on every grey. */
function isIdentity(convert: ByteConversion, isGreyOnly: boolean): boolean {
  const levels = [0, 32, 64, 96, 128, 160, 192, 224, 255];
  const grid = isGreyOnly
    ? Array.from({ length: 256 }, (_, level) => [level, level, level, 255]).flat()
    : levels.flatMap((r) => levels.flatMap((g) => levels.flatMap((b) => [r, g, b, 255])));
  const tried = Uint8ClampedArray.from(grid);
  convert(tried);
  return grid.every((value, at) => Math.abs(value - (tried[at] ?? 0)) <= SAME_VALUE_TOLERANCE);
}

/** Converts in place from CMYK in four bytes a pixel (0 no ink) to opaque sRGB: by the profile, else by a plain model of ink. */
export function cmykToSrgb(raster: Raster, icc: Uint8Array | null): Converted<Raster> {
  const profile = icc === null ? null : readIccProfile(icc);
  const convert = profile?.space === "CMYK" ? transformOf(profile) : null;
  (convert ?? plainCmyk)(raster.pixels);
  return { raster, profile: convert === null ? "approximated" : "converted" };
}

/** sRGB of solid process inks on coated paper, rounded. The model multiplies what each ink lets through. */
const INK_SRGB = [
  [0, 158, 224],
  [229, 0, 125],
  [255, 237, 0],
  [29, 29, 27],
] as const;

const plainCmyk: ByteConversion = (pixels) => {
  for (let at = 0; at < pixels.length; at += 4) {
    const inks = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0, pixels[at + 3] ?? 0];
    for (let channel = 0; channel < 3; channel++) {
      let linear = 1;
      for (const [ink, colour] of INK_SRGB.entries()) {
        linear *= 1 - ((inks[ink] ?? 0) / 255) * (1 - (colour[channel] ?? 0) / 255);
      }
      pixels[at + channel] = linear * 255;
    }
    pixels[at + 3] = 255;
  }
};
