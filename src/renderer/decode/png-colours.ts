import {
  BT2020_PRIMARIES,
  DISPLAY_P3_PRIMARIES,
  type Primaries,
  primariesToXyz,
  SRGB_PRIMARIES,
} from "./colour-primaries.ts";
import { viewOf } from "./icc.ts";
import { bounded, type Curve } from "./icc-curve.ts";
import { type DeviceModel, matrixModel } from "./icc-device.ts";

/** Bodies of a PNG's colour space chunks; null without one (PNG specification, third edition, 11.3.2). */
export interface PngColourChunks {
  readonly cICP: Uint8Array | null;
  readonly sRGB: Uint8Array | null;
  readonly gAMA: Uint8Array | null;
  readonly cHRM: Uint8Array | null;
}

export const NO_COLOUR_CHUNKS: PngColourChunks = { cICP: null, sRGB: null, gAMA: null, cHRM: null };

/** The colour space of a PNG without a profile: sRGB, a device to convert from, or an unsupported one. */
export type PngColours = DeviceModel | "srgb" | "unknown";

/** The usual gAMA value beside sRGB: 1/2.2, in 100,000ths. */
const SRGB_GAMMA = 45_455;
/** Gammas (relative) and chromaticities that differ by less count as equal, as in libpng, because files round them. */
const GAMMA_TOLERANCE = 0.05;
const CHROMATICITY_TOLERANCE = 0.01;

/**
 * Reads the colour space from the chunks, in the specification's order of precedence: cICP, sRGB, gAMA and cHRM. The
 * only supported transfer function of cICP is that of sRGB, not those of television and HDR.
 */
export function readPngColours({ cICP, sRGB, gAMA, cHRM }: PngColourChunks): PngColours {
  if (cICP !== null) return cicpColours(cICP);
  if (sRGB !== null || (gAMA === null && cHRM === null)) return "srgb";
  const primaries = cHRM === null ? SRGB_PRIMARIES : readPrimaries(cHRM);
  const gamma = gAMA === null ? SRGB_GAMMA : readGamma(gAMA);
  if (primaries === null || gamma === null) return "unknown";
  const isSrgbGamma = Math.abs(gamma / SRGB_GAMMA - 1) < GAMMA_TOLERANCE;
  if (isSrgbGamma && isSrgb(primaries)) return "srgb";
  if (gAMA === null) return displayOf(primaries, srgbCurve);
  const exponent = 100_000 / gamma;
  return displayOf(
    primaries,
    bounded((value) => value ** exponent),
  );
}

/** Primaries of ITU-T H.273, table 2. */
const CICP_PRIMARIES: Readonly<Record<number, Primaries>> = {
  1: SRGB_PRIMARIES,
  9: BT2020_PRIMARIES,
  12: DISPLAY_P3_PRIMARIES,
};
/** The transfer function of sRGB, table 3. */
const CICP_SRGB_TRANSFER = 13;

/** Colour primaries, transfer function, matrix coefficients (0: RGB) and video full range flag (11.3.2.6). */
function cicpColours([primaries = 0, transfer, matrix, fullRange]: Uint8Array): PngColours {
  const known = CICP_PRIMARIES[primaries];
  if (known === undefined || transfer !== CICP_SRGB_TRANSFER || matrix !== 0 || fullRange !== 1)
    return "unknown";
  return known === SRGB_PRIMARIES ? "srgb" : displayOf(known, srgbCurve);
}

function displayOf(primaries: Primaries, curve: Curve): PngColours {
  const columns = primariesToXyz(primaries);
  return columns === null ? "unknown" : matrixModel([curve, curve, curve], columns);
}

const srgbCurve = bounded((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));

/** gAMA: one number in 100,000ths (11.3.2.2). */
function readGamma(body: Uint8Array): number | null {
  const gamma = body.length === 4 ? viewOf(body).getUint32(0) : 0;
  return gamma > 0 ? gamma : null;
}

/** cHRM: eight numbers in 100,000ths (11.3.2.1). */
function readPrimaries(body: Uint8Array): Primaries | null {
  if (body.length !== 32) return null;
  const view = viewOf(body);
  const chromaticity = (index: number): readonly [number, number] => [
    view.getUint32(index * 8) / 100_000,
    view.getUint32(index * 8 + 4) / 100_000,
  ];
  const primaries = {
    white: chromaticity(0),
    red: chromaticity(1),
    green: chromaticity(2),
    blue: chromaticity(3),
  };
  return primariesToXyz(primaries) === null ? null : primaries;
}

const isSrgb = (primaries: Primaries): boolean =>
  (["white", "red", "green", "blue"] as const).every((name) =>
    [0, 1].every((axis) => {
      const apart = (primaries[name][axis] ?? 0) - (SRGB_PRIMARIES[name][axis] ?? 0);
      return Math.abs(apart) <= CHROMATICITY_TOLERANCE;
    }),
  );
