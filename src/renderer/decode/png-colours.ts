import { viewOf } from "./icc.ts";
import { bounded, type Curve } from "./icc-curve.ts";
import { type DeviceModel, matrixModel } from "./icc-device.ts";
import {
  BT2020_PRIMARIES,
  DISPLAY_P3_PRIMARIES,
  type Primaries,
  SRGB_PRIMARIES,
  xyzOf,
} from "./primaries.ts";

/** Bodies of a PNG's chunks that say what its numbers mean; null without one (PNG, third edition, 11.3.2). */
export interface PngColourChunks {
  readonly cICP: Uint8Array | null;
  readonly sRGB: Uint8Array | null;
  readonly gAMA: Uint8Array | null;
  readonly cHRM: Uint8Array | null;
}

export const NO_COLOUR_CHUNKS: PngColourChunks = { cICP: null, sRGB: null, gAMA: null, cHRM: null };

/** A PNG's colours without a profile: sRGB, a device to convert from, or such as cannot be followed. */
export type PngColours = DeviceModel | "srgb" | "unknown";

/** What nearly every program writes as gAMA beside sRGB: 1/2.2, in 100,000ths. */
const SRGB_GAMMA = 45_455;
/** Gammas and places that differ by less are the same, as libpng has it: they were rounded, or written by hand. */
const GAMMA_TOLERANCE = 0.05;
const PLACE_TOLERANCE = 0.01;

/**
 * Reads them in the order that the specification sets: cICP, then sRGB, then gAMA and cHRM. Of cICP only screens are
 * followed, no curves of film and television (HDR among them).
 */
export function readPngColours({ cICP, sRGB, gAMA, cHRM }: PngColourChunks): PngColours {
  if (cICP !== null) return codedColours(cICP);
  if (sRGB !== null || (gAMA === null && cHRM === null)) return "srgb";
  const primaries = cHRM === null ? SRGB_PRIMARIES : readPrimaries(cHRM);
  const gamma = gAMA === null ? SRGB_GAMMA : readGamma(gAMA);
  if (primaries === null || gamma === null) return "unknown";
  const isSrgbGamma = Math.abs(gamma / SRGB_GAMMA - 1) < GAMMA_TOLERANCE;
  if (isSrgbGamma && isSrgb(primaries)) return "srgb";
  if (gAMA === null) return screenOf(primaries, srgbCurve);
  const exponent = 100_000 / gamma;
  return screenOf(
    primaries,
    bounded((value) => value ** exponent),
  );
}

/** Primaries of ITU-T H.273, table 2. */
const CODED_PRIMARIES: Readonly<Record<number, Primaries>> = {
  1: SRGB_PRIMARIES,
  9: BT2020_PRIMARIES,
  12: DISPLAY_P3_PRIMARIES,
};
/** The curve of sRGB in table 3. */
const SRGB_TRANSFER = 13;

/** Primaries, transfer, matrix (always 0: RGB) and whether the whole range is used (11.3.2.6). */
function codedColours([primaries = 0, transfer, matrix, fullRange]: Uint8Array): PngColours {
  const known = CODED_PRIMARIES[primaries];
  if (known === undefined || transfer !== SRGB_TRANSFER || matrix !== 0 || fullRange !== 1) return "unknown";
  return known === SRGB_PRIMARIES ? "srgb" : screenOf(known, srgbCurve);
}

function screenOf(primaries: Primaries, curve: Curve): PngColours {
  const columns = xyzOf(primaries);
  return columns === null ? "unknown" : matrixModel([curve, curve, curve], columns);
}

const srgbCurve = bounded((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));

/** 11.3.2.2: one number in 100,000ths. */
function readGamma(body: Uint8Array): number | null {
  const gamma = body.length === 4 ? viewOf(body).getUint32(0) : 0;
  return gamma > 0 ? gamma : null;
}

/** 11.3.2.1: eight numbers in 100,000ths. */
function readPrimaries(body: Uint8Array): Primaries | null {
  if (body.length !== 32) return null;
  const view = viewOf(body);
  const place = (index: number): readonly [number, number] => [
    view.getUint32(index * 8) / 100_000,
    view.getUint32(index * 8 + 4) / 100_000,
  ];
  const primaries = { white: place(0), red: place(1), green: place(2), blue: place(3) };
  return xyzOf(primaries) === null ? null : primaries;
}

const isSrgb = (primaries: Primaries): boolean =>
  (["white", "red", "green", "blue"] as const).every((name) =>
    [0, 1].every((axis) => {
      const apart = (primaries[name][axis] ?? 0) - (SRGB_PRIMARIES[name][axis] ?? 0);
      return Math.abs(apart) <= PLACE_TOLERANCE;
    }),
  );
