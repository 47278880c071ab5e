import { type IccProfile, readXyz } from "./icc.ts";
import { type Curve, identity, readCurve } from "./icc-curve.ts";
import { type IccLut, readIccLut, type Values } from "./icc-lut.ts";

/** Converts device values to XYZ relative to D50, where white has Y = 1. */
export interface DeviceModel {
  readonly channels: 1 | 3 | 4;
  /** The curve of each channel, applied before `toXyz`. */
  readonly inputCurves: readonly Curve[];
  toXyz(afterCurves: Values, xyz: Values): void;
  /** Grid points along the longest edge of the profile's CLUT; 2 without one. */
  readonly gridPoints: number;
  /** Matrix-based or grey: XYZ is an affine function of the values after the curves. */
  readonly isMatrix: boolean;
}

export const D50 = [0.9642, 1, 0.8249] as const;
const CHANNELS = { GRAY: 1, "RGB ": 3, CMYK: 4 } as const;
/** The PCS XYZ encoding: 0x8000 is 1. */
const XYZ_MAX = 65535 / 32768;

/**
 * Reads a profile's device-to-PCS transform for the media-relative colorimetric intent: A2B1, else A2B0, else TRCs
 * (ICC.1:2022, 8.3 to 8.10). This intent is the default of image programs, and leaves colours in the display's gamut
 * unchanged. Null when the profile does not describe a device, or lacks a required tag.
 */
export function readDevice(profile: IccProfile): DeviceModel | null {
  const { space, pcs, deviceClass } = profile;
  if (deviceClass === "other" || space === "other" || pcs === "other") return null;
  const channels = CHANNELS[space];
  const element = profile.tag("A2B1") ?? profile.tag("A2B0");
  if (element !== null) {
    const lut = readIccLut(element, channels, 3);
    return lut === null ? null : lutDevice(lut, channels, pcs);
  }
  if (space === "GRAY") return greyTrcDevice(profile, pcs);
  return space === "RGB " && pcs === "XYZ " ? matrixTrcDevice(profile) : null;
}

function lutDevice(lut: IccLut, channels: DeviceModel["channels"], pcs: "XYZ " | "Lab "): DeviceModel {
  const { inputCurves, gridPoints } = lut;
  const run = stageRunner(lut);
  const pcsValues = new Float64Array(4);
  const toXyz: DeviceModel["toXyz"] = (afterCurves, xyz) => {
    run(afterCurves, pcsValues);
    const first = pcsValues[0] ?? 0;
    const second = pcsValues[1] ?? 0;
    const third = pcsValues[2] ?? 0;
    if (pcs === "XYZ ") {
      xyz[0] = first * XYZ_MAX;
      xyz[1] = second * XYZ_MAX;
      xyz[2] = third * XYZ_MAX;
      return;
    }
    // lut16Type has the legacy 16-bit Lab encoding: L* 100 is 0xff00, a* and b* 0 are 0x8000 (10.10).
    const scale = lut.encoding === "lut16" ? 65535 / 65280 : 1;
    labToXyz(Math.min(1, first * scale) * 100, second * scale * 255 - 128, third * scale * 255 - 128, xyz);
  };
  return { channels, inputCurves, gridPoints, isMatrix: channels === 3 && isAffine(toXyz), toXyz };
}

/** About the XYZ difference between two neighbouring levels of a dark sRGB channel. */
const AFFINE_TOLERANCE = 1e-4;
const TRIED_COLOURS = [0.003, 0.02, 0.1, 0.3, 0.7, 1].flatMap((value) => [
  [value, value, value],
  [value, value / 2, 1 - value],
  [1 - value, value, value / 3],
]);

/**
 * Whether XYZ is an affine function of the values after the input curves. Version 4 profiles of sRGB store such a
 * function as a grid of linear light with CIELAB curves. If it were sampled into a CLUT along linear light, dark
 * colours would be ten levels off.
 */
function isAffine(toXyz: DeviceModel["toXyz"]): boolean {
  const at = (...values: readonly number[]): Values => {
    const xyz = new Float64Array(4);
    toXyz(Float64Array.from([...values, 0]), xyz);
    return xyz;
  };
  const origin = at(0, 0, 0);
  const columns = [at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)];
  return TRIED_COLOURS.every((colour) =>
    at(...colour).every((value, axis) => {
      const start = origin[axis] ?? 0;
      const sum = columns.reduce(
        (total, column, index) => total + ((column[axis] ?? 0) - start) * (colour[index] ?? 0),
        start,
      );
      return Math.abs(value - sum) <= AFFINE_TOLERANCE;
    }),
  );
}

/** Runs the stages of a LUT after its input curves. */
function stageRunner({ stages }: IccLut): (afterCurves: Values, out: Values) => void {
  let next: Values = new Float64Array(4);
  let spare: Values = new Float64Array(4);
  return (afterCurves, out) => {
    let values = afterCurves;
    for (const stage of stages) {
      stage(values, next);
      values = next;
      next = spare;
      spare = values;
    }
    out.set(values);
  };
}

/** grayTRC to luminance, or to L* when the PCS is Lab (8.3.4). */
function greyTrcDevice(profile: IccProfile, pcs: "XYZ " | "Lab "): DeviceModel | null {
  const read = readCurve(profile.tag("kTRC"));
  if (read === null) return null;
  return {
    channels: 1,
    inputCurves: [read.curve],
    gridPoints: 2,
    isMatrix: pcs === "XYZ ",
    toXyz: ([value = 0], xyz) => {
      if (pcs === "Lab ") return labToXyz(value * 100, 0, 0, xyz);
      for (const [axis, white] of D50.entries()) xyz[axis] = white * value;
    },
  };
}

function matrixTrcDevice(profile: IccProfile): DeviceModel | null {
  const [red, green, blue] = ["rTRC", "gTRC", "bTRC"].map((tag) => readCurve(profile.tag(tag)));
  const [ofRed, ofGreen, ofBlue] = ["rXYZ", "gXYZ", "bXYZ"].map((tag) => readXyz(profile.tag(tag)));
  if (!red || !green || !blue || !ofRed || !ofGreen || !ofBlue) return null;
  return matrixModel([red.curve, green.curve, blue.curve], [ofRed, ofGreen, ofBlue]);
}

type Three<T> = readonly [T, T, T];

/** Three-component matrix-based: a TRC for each channel, and the matrix columns, XYZ relative to D50. */
export function matrixModel(
  inputCurves: Three<Curve>,
  [ofRed, ofGreen, ofBlue]: Three<Three<number>>,
): DeviceModel {
  return {
    channels: 3,
    inputCurves,
    gridPoints: 2,
    isMatrix: true,
    toXyz: ([r = 0, g = 0, b = 0], xyz) => {
      for (let axis = 0; axis < 3; axis += 1) {
        xyz[axis] = (ofRed[axis] ?? 0) * r + (ofGreen[axis] ?? 0) * g + (ofBlue[axis] ?? 0) * b;
      }
    },
  };
}

/** CIE 1976 L*a*b* relative to D50. */
function labToXyz(l: number, a: number, b: number, xyz: Values): void {
  const fy = (l + 16) / 116;
  xyz[0] = D50[0] * labInverse(fy + a / 500);
  xyz[1] = D50[1] * labInverse(fy);
  xyz[2] = D50[2] * labInverse(fy - b / 200);
}

const labInverse = (value: number): number =>
  value > 6 / 29 ? value * value * value : (3 * 36 * (value - 4 / 29)) / 841;

/** The luminance of L* 50. A lighter black point is assumed to be a mistake. */
const BLACK_MAX = 0.1842;

/**
 * The luminance (0–1) of the device's black point, which is mapped to the black of sRGB, as in black-point compensation
 * (ISO 18619) and in Little CMS. The black point is the darkest device colour. For a CMYK output profile it is the
 * mixture of inks that B2A0 uses for black, because full ink on all channels is not printable. 0 when unknown.
 */
export function blackOf(profile: IccProfile, device: DeviceModel): number {
  const isCmykOutput = profile.deviceClass === "output" && profile.space === "CMYK";
  // If a profile has only a perceptual table, its maker already chose how black is mapped.
  if (!isCmykOutput && profile.tag("A2B1") === null && !hasTrc(profile)) return 0;
  const darkest = isCmykOutput
    ? cmykOfBlack(profile)
    : new Float64Array(4).fill(device.channels === 4 ? 1 : 0, 0, device.channels);
  if (darkest === null) return 0;
  const afterCurves = darkest.map((value, channel) => (device.inputCurves[channel] ?? identity)(value));
  const xyz = new Float64Array(4);
  device.toXyz(afterCurves, xyz);
  const luminance = xyz[1] ?? 0;
  if (luminance <= 0) return 0;
  return luminance <= BLACK_MAX ? luminance : isCmykOutput ? BLACK_MAX : 0;
}

const TRC_TAGS = { GRAY: ["kTRC"], "RGB ": ["rTRC", "gTRC", "bTRC", "rXYZ", "gXYZ", "bXYZ"] } as const;

const hasTrc = ({ space, tag }: IccProfile): boolean =>
  (space === "GRAY" || space === "RGB ") && TRC_TAGS[space].every((name) => tag(name) !== null);

/**
 * Black of the perceptual intent's reference medium in version 4: L*, and XYZ relative to white (ISO 15076-1, 6.3.4.3).
 */
const PERCEPTUAL_BLACK = { lightness: 3.1373, linear: 0.0034731 } as const;

function cmykOfBlack(profile: IccProfile): Values | null {
  if (profile.tag("A2B0") === null) return null;
  const lut = readIccLut(profile.tag("B2A0"), 3, 4);
  if (lut === null) return null;
  const isLab = profile.pcs === "Lab ";
  const neutral = lut.encoding === "lut16" ? 32768 / 65535 : 128 / 255;
  const { lightness, linear } = profile.majorVersion >= 4 ? PERCEPTUAL_BLACK : { lightness: 0, linear: 0 };
  const lightnessMax = lut.encoding === "lut16" ? 100 * (65535 / 65280) : 100;
  const black = isLab
    ? [lightness / lightnessMax, neutral, neutral]
    : D50.map((white) => (white * linear) / XYZ_MAX);
  const afterCurves = new Float64Array(4);
  for (const [channel, curve] of lut.inputCurves.entries()) afterCurves[channel] = curve(black[channel] ?? 0);
  const cmyk = new Float64Array(4);
  stageRunner(lut)(afterCurves, cmyk);
  return cmyk;
}
