import { areUint8ArraysEqual } from "uint8array-extras";
import type { UseCodec } from "../codec.ts";
import type { Raster, SourceRaster } from "../types.ts";
import type { ColourConverter, Conversion } from "./colour-codec.ts";
import { type IccProfile, readIccProfile } from "./icc.ts";
import { clutConversion, conversionFrom, transformOf } from "./icc-transform.ts";
import type { PngColours } from "./png-colours.ts";

/**
 * A raster in sRGB. `srgb`: it already was sRGB; `converted`: by its profile; `approximated`: its profile is not
 * supported and was ignored, or it is CMYK without a profile.
 */
export interface Converted<R extends SourceRaster = SourceRaster> {
  readonly raster: R;
  readonly profile: "srgb" | "converted" | "approximated";
}

/** A conversion that changes no byte by more than this is skipped: the profile is that of sRGB. */
const SAME_VALUE_TOLERANCE = 1;
/** A picture is grey when its channels differ by at most this, because lossy formats round. */
const GREY_TOLERANCE = 2;

/**
 * Converts in place from RGB (or grey expanded to RGB) by an ICC profile: relative colorimetric with black-point
 * compensation. Keeps alpha. Ignores a profile for another kind of picture.
 */
export async function toSrgb<R extends SourceRaster>(
  useConverter: UseCodec<ColourConverter>,
  raster: R,
  icc: Uint8Array | null,
): Promise<Converted<R>> {
  if (icc === null) return { raster, profile: "srgb" };
  const profile = readIccProfile(icc);
  if (profile === null || profile.space === "CMYK") return { raster, profile: "approximated" };
  const conversion = lastTransformOf(icc, profile);
  if (conversion === null || (profile.space === "GRAY" && !isGrey(raster))) {
    return { raster, profile: "approximated" };
  }
  return convertBy(useConverter, raster, conversion, profile.space === "GRAY");
}

/** Converts in place from the colour space of a PNG without a profile. Keeps alpha. */
export async function fromPngColours<R extends SourceRaster>(
  useConverter: UseCodec<ColourConverter>,
  raster: R,
  colours: PngColours,
): Promise<Converted<R>> {
  if (colours === "srgb") return { raster, profile: "srgb" };
  if (colours === "unknown") return { raster, profile: "approximated" };
  return convertBy(useConverter, raster, conversionFrom(colours, 0), false);
}

let last: { readonly icc: Uint8Array; readonly conversion: Conversion | null } | null = null;

/** `transformOf`, cached by profile: a pack decodes a picture several times, and a CLUT takes 40 ms. */
function lastTransformOf(icc: Uint8Array, profile: IccProfile): Conversion | null {
  if (last === null || !areUint8ArraysEqual(last.icc, icc))
    last = { icc: icc.slice(), conversion: transformOf(profile) };
  return last.conversion;
}

async function convertBy<R extends SourceRaster>(
  useConverter: UseCodec<ColourConverter>,
  raster: R,
  conversion: Conversion,
  isGreyOnly: boolean,
): Promise<Converted<R>> {
  const profile = await useConverter((converter) => {
    if (isIdentity(converter, conversion, isGreyOnly)) return "srgb";
    if ("rgb" in raster) converter.convert(conversion, raster.rgb, 3);
    else converter.convert(conversion, raster.pixels, 4);
    return "converted";
  });
  if (profile === null) throw new Error("the colour kernel trapped");
  return { raster, profile };
}

function isGrey(raster: SourceRaster): boolean {
  const [bytes, pixelBytes] = "rgb" in raster ? [raster.rgb, 3] : [raster.pixels, 4];
  for (let at = 0; at < bytes.length; at += pixelBytes) {
    const [r, g, b] = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
    if (Math.abs(r - g) > GREY_TOLERANCE || Math.abs(b - g) > GREY_TOLERANCE) return false;
  }
  return true;
}

/** Whether a conversion changes no byte by more than the tolerance, tried on a lattice of colours or on every grey. */
function isIdentity(converter: ColourConverter, conversion: Conversion, isGreyOnly: boolean): boolean {
  const levels = [0, 32, 64, 96, 128, 160, 192, 224, 255];
  const grid = isGreyOnly
    ? Array.from({ length: 256 }, (_, level) => [level, level, level, 255]).flat()
    : levels.flatMap((r) => levels.flatMap((g) => levels.flatMap((b) => [r, g, b, 255])));
  const tried = Uint8ClampedArray.from(grid);
  converter.convert(conversion, tried, 4);
  return grid.every((value, at) => Math.abs(value - (tried[at] ?? 0)) <= SAME_VALUE_TOLERANCE);
}

/**
 * Converts in place from CMYK in four bytes a pixel (0 no ink) to opaque sRGB: by the profile, else by a plain model of
 * ink.
 */
export async function cmykToSrgb(
  useConverter: UseCodec<ColourConverter>,
  raster: Raster,
  icc: Uint8Array | null,
): Promise<Converted<Raster>> {
  const profile = icc === null ? null : readIccProfile(icc);
  const conversion = icc !== null && profile?.space === "CMYK" ? lastTransformOf(icc, profile) : null;
  const isConverted = await useConverter((converter) => {
    converter.convert(conversion ?? plainCmyk(), raster.pixels, 4);
    return true;
  });
  if (isConverted === null) throw new Error("the colour kernel trapped");
  return { raster, profile: conversion === null ? "approximated" : "converted" };
}

/** sRGB of solid process inks on coated paper, rounded. The model multiplies the light that each ink transmits. */
const INK_SRGB = [
  [0, 158, 224],
  [229, 0, 125],
  [255, 237, 0],
  [29, 29, 27],
] as const;
const INK_POINTS = 17;

const plainCmyk = (): Conversion => {
  const nodes = new Uint16Array(INK_POINTS ** 4 * 3);
  const onGrid = Float64Array.from({ length: 256 }, (_, byte) => (byte / 255) * (INK_POINTS - 1));
  for (let at = 0; at < nodes.length; at += 1) {
    let linear = 255 * 128;
    let rest = Math.floor(at / 3);
    for (let ink = 3; ink >= 0; ink -= 1) {
      linear *= 1 - ((rest % INK_POINTS) / (INK_POINTS - 1)) * (1 - (INK_SRGB[ink]?.[at % 3] ?? 0) / 255);
      rest = Math.floor(rest / INK_POINTS);
    }
    nodes[at] = Math.round(linear);
  }
  return clutConversion({ points: INK_POINTS, nodes, gridPositions: [onGrid, onGrid, onGrid, onGrid] }, 4);
};
