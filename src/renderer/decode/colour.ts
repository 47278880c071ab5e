import type { Raster } from "../types.ts";
import { type IccProfile, readIccProfile, readToneCurve, readXyz } from "./icc.ts";
import { type PressConversion, readPressTable } from "./icc-press.ts";
import { encodeLight, LINEAR_FROM_XYZ_D50 } from "./srgb-encoding.ts";

/** How a raster's colours reached sRGB; `approximated` when the profile is not followed exactly. */
export interface Converted {
  readonly raster: Raster;
  readonly profile: "srgb" | "converted" | "approximated";
}

/** A conversion that moves no byte value by more than this is none: the profile is sRGB by another name. */
const SAME_VALUE_TOLERANCE = 1;

/** Converts in place from RGB (or grey written as RGB) by an ICC profile. Alpha stays. */
export function toSrgb(raster: Raster, icc: Uint8Array | null): Converted {
  if (icc === null) return { raster, profile: "srgb" };
  const profile = readIccProfile(icc);
  if (profile === null) return { raster, profile: "approximated" };
  if (profile.space === "GRAY") return convertGrey(raster, profile);
  if (profile.space === "RGB ") return convertRgb(raster, profile);
  return { raster, profile: "approximated" };
}

function convertGrey(raster: Raster, profile: IccProfile): Converted {
  const curve = readToneCurve(profile.tag("kTRC"));
  if (curve === null) return { raster, profile: "approximated" };
  const table = Uint8Array.from(curve, encodeLight);
  if (table.every((value, byte) => Math.abs(value - byte) <= SAME_VALUE_TOLERANCE))
    return { raster, profile: "srgb" };
  const { pixels } = raster;
  for (let at = 0; at < pixels.length; at += 4) {
    pixels[at] = table[pixels[at] ?? 0] ?? 0;
    pixels[at + 1] = table[pixels[at + 1] ?? 0] ?? 0;
    pixels[at + 2] = table[pixels[at + 2] ?? 0] ?? 0;
  }
  return { raster, profile: "converted" };
}

/** Matrix and tone curves (ICC.1:2022, F.3). */
function convertRgb(raster: Raster, profile: IccProfile): Converted {
  const curves = ["rTRC", "gTRC", "bTRC"].map((tag) => readToneCurve(profile.tag(tag)));
  const columns = ["rXYZ", "gXYZ", "bXYZ"].map((tag) => readXyz(profile.tag(tag)));
  const [red, green, blue] = curves;
  const [ofRed, ofGreen, ofBlue] = columns;
  if (!red || !green || !blue || !ofRed || !ofGreen || !ofBlue) return { raster, profile: "approximated" };
  const matrix = LINEAR_FROM_XYZ_D50.flatMap((row) =>
    [ofRed, ofGreen, ofBlue].map((column) => row[0] * column[0] + row[1] * column[1] + row[2] * column[2]),
  );
  const [rr = 0, rg = 0, rb = 0, gr = 0, gg = 0, gb = 0, br = 0, bg = 0, bb = 0] = matrix;
  const convert = (pixels: Uint8ClampedArray): void => {
    for (let at = 0; at < pixels.length; at += 4) {
      const r = red[pixels[at] ?? 0] ?? 0;
      const g = green[pixels[at + 1] ?? 0] ?? 0;
      const b = blue[pixels[at + 2] ?? 0] ?? 0;
      pixels[at] = encodeLight(rr * r + rg * g + rb * b);
      pixels[at + 1] = encodeLight(gr * r + gg * g + gb * b);
      pixels[at + 2] = encodeLight(br * r + bg * g + bb * b);
    }
  };
  if (leavesColoursAlone(convert)) return { raster, profile: "srgb" };
  convert(raster.pixels);
  return { raster, profile: "converted" };
}

/** Tries a conversion on a lattice of colours. */
function leavesColoursAlone(convert: (pixels: Uint8ClampedArray) => void): boolean {
  const levels = [0, 32, 64, 96, 128, 160, 192, 224, 255];
  const lattice = levels.flatMap((r) => levels.flatMap((g) => levels.flatMap((b) => [r, g, b, 255])));
  const tried = Uint8ClampedArray.from(lattice);
  convert(tried);
  return lattice.every((value, at) => Math.abs(value - (tried[at] ?? 0)) <= SAME_VALUE_TOLERANCE);
}

/** Converts in place from inks written as RGBA (0 no ink) to opaque sRGB: by the profile's table, else by a plain model of ink. */
export function inksToSrgb(raster: Raster, icc: Uint8Array | null): Converted {
  const profile = icc === null ? null : readIccProfile(icc);
  const table = profile?.space === "CMYK" ? readPressTable(profile) : null;
  const convert = table ?? plainInks;
  const { pixels } = raster;
  for (let at = 0; at < pixels.length; at += 4) {
    convert(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0, pixels[at + 3] ?? 0, pixels, at);
    pixels[at + 3] = 255;
  }
  return { raster, profile: table === null ? "approximated" : "converted" };
}

/** sRGB of solid process inks on coated paper, rounded; what each lets through is multiplied. */
const INK_COLOURS = [
  [0, 158, 224],
  [229, 0, 125],
  [255, 237, 0],
  [29, 29, 27],
] as const;

const plainInks: PressConversion = (cyan, magenta, yellow, black, out, at) => {
  const inks = [cyan, magenta, yellow, black];
  for (let channel = 0; channel < 3; channel++) {
    let light = 1;
    for (const [ink, colour] of INK_COLOURS.entries()) {
      light *= 1 - ((inks[ink] ?? 0) / 255) * (1 - (colour[channel] ?? 0) / 255);
    }
    out[at + channel] = light * 255;
  }
};
