import { type IccProfile, readXyz } from "./icc.ts";
import { type Curve, identity, readCurve } from "./icc-curve.ts";
import type { Values } from "./icc-grid.ts";
import { type ColourTable, readColourTable } from "./icc-table.ts";

/** How a device's colours are seen, in XYZ relative to D50, white being 1 in Y. */
export interface DeviceModel {
  readonly channels: 1 | 3 | 4;
  /** What each channel meets first; `toXyz` takes values that went through it. */
  readonly shapers: readonly Curve[];
  toXyz(shaped: Values, xyz: Values): void;
  /** Points along the longest edge of the profile's own grid; 2 without one. */
  readonly gridPoints: number;
  /** Whether light adds up: tone curves and a matrix, no table. */
  readonly isMatrix: boolean;
}

export const D50 = [0.9642, 1, 0.8249] as const;
const CHANNELS = { GRAY: 1, "RGB ": 3, CMYK: 4 } as const;
/** As XYZ is written in tables: 0x8000 is 1. */
const XYZ_MAX = 65535 / 32768;

/**
 * Reads how a profile's device makes colours, by relative colorimetry, which is what programs for pictures do unless
 * told otherwise and keeps colours that the screen can show as they are: the table of that intent, else the perceptual
 * one, else tone curves (ICC.1:2022, 8.3 to 8.10). Null for what is no device, or lacks what its kind needs.
 */
export function readDevice(profile: IccProfile): DeviceModel | null {
  const { space, connection, deviceClass } = profile;
  if (deviceClass === "other" || space === "other" || connection === "other") return null;
  const channels = CHANNELS[space];
  const element = profile.tag("A2B1") ?? profile.tag("A2B0");
  if (element !== null) {
    const table = readColourTable(element, channels, 3);
    return table === null ? null : tableDevice(table, channels, connection);
  }
  if (space === "GRAY") return greyDevice(profile, connection);
  return space === "RGB " && connection === "XYZ " ? matrixDevice(profile) : null;
}

function tableDevice(
  table: ColourTable,
  channels: DeviceModel["channels"],
  connection: "XYZ " | "Lab ",
): DeviceModel {
  const { shapers, gridPoints } = table;
  const run = runOf(table);
  const pcs = new Float64Array(4);
  return {
    channels,
    shapers,
    gridPoints,
    isMatrix: false,
    toXyz: (shaped, xyz) => {
      run(shaped, pcs);
      const [first = 0, second = 0, third = 0] = pcs;
      if (connection === "XYZ ") {
        xyz[0] = first * XYZ_MAX;
        xyz[1] = second * XYZ_MAX;
        xyz[2] = third * XYZ_MAX;
        return;
      }
      // 16-bit tables of the older kind write 100 as 0xff00 and neutral as 0x8000.
      const scale = table.encoding === "lut16" ? 65535 / 65280 : 1;
      labToXyz(Math.min(1, first * scale) * 100, second * scale * 255 - 128, third * scale * 255 - 128, xyz);
    },
  };
}

/** Runs a table's stages on values that went through its shapers. */
function runOf({ stages }: ColourTable): (shaped: Values, out: Values) => void {
  const held = [new Float64Array(4), new Float64Array(4)];
  return (shaped, out) => {
    let values = shaped;
    for (const [index, stage] of stages.entries()) {
      const next = held[index % 2] ?? out;
      stage(values, next);
      values = next;
    }
    out.set(values);
  };
}

/** Tone curve to luminance, or to lightness where the connection space is Lab (8.3.4). */
function greyDevice(profile: IccProfile, connection: "XYZ " | "Lab "): DeviceModel | null {
  const read = readCurve(profile.tag("kTRC"));
  if (read === null) return null;
  return {
    channels: 1,
    shapers: [read.curve],
    gridPoints: 2,
    isMatrix: connection === "XYZ ",
    toXyz: ([value = 0], xyz) => {
      if (connection === "Lab ") return labToXyz(value * 100, 0, 0, xyz);
      for (const [axis, white] of D50.entries()) xyz[axis] = white * value;
    },
  };
}

function matrixDevice(profile: IccProfile): DeviceModel | null {
  const [red, green, blue] = ["rTRC", "gTRC", "bTRC"].map((tag) => readCurve(profile.tag(tag)));
  const [ofRed, ofGreen, ofBlue] = ["rXYZ", "gXYZ", "bXYZ"].map((tag) => readXyz(profile.tag(tag)));
  if (!red || !green || !blue || !ofRed || !ofGreen || !ofBlue) return null;
  return matrixModel([red.curve, green.curve, blue.curve], [ofRed, ofGreen, ofBlue]);
}

type Three<T> = readonly [T, T, T];

/** A screen's three lights: a tone curve each, and its XYZ at full light relative to D50. */
export function matrixModel(
  shapers: Three<Curve>,
  [ofRed, ofGreen, ofBlue]: Three<Three<number>>,
): DeviceModel {
  return {
    channels: 3,
    shapers,
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
  xyz[0] = D50[0] * unfolded(fy + a / 500);
  xyz[1] = D50[1] * unfolded(fy);
  xyz[2] = D50[2] * unfolded(fy - b / 200);
}

const unfolded = (value: number): number =>
  value > 6 / 29 ? value * value * value : (3 * 36 * (value - 4 / 29)) / 841;

/** Luminance of the darkest neutral that is still told from a mistake: L* 50. */
const BLACK_MAX = 0.1842;

/**
 * Luminance of a device's black, 0–1, to be mapped to the screen's: of its darkest colour, or of the inks that a press
 * profile's own perceptual table makes of black, since a press cannot print all inks at once. 0 where there is no
 * telling. After "Black-point compensation" (ISO 18619), and as Little CMS does it.
 */
export function blackOf(profile: IccProfile, device: DeviceModel): number {
  const isPress = profile.deviceClass === "output" && profile.space === "CMYK";
  // A perceptual table alone has its black where its maker wants it.
  if (!isPress && profile.tag("A2B1") === null && !hasToneCurves(profile)) return 0;
  const darkest = isPress
    ? inksOfBlack(profile)
    : new Float64Array(4).fill(device.channels === 4 ? 1 : 0, 0, device.channels);
  if (darkest === null) return 0;
  const shaped = darkest.map((value, channel) => (device.shapers[channel] ?? identity)(value));
  const xyz = new Float64Array(4);
  device.toXyz(shaped, xyz);
  const luminance = xyz[1] ?? 0;
  if (luminance <= 0) return 0;
  return luminance <= BLACK_MAX ? luminance : isPress ? BLACK_MAX : 0;
}

const TONE_CURVES = { GRAY: ["kTRC"], "RGB ": ["rTRC", "gTRC", "bTRC", "rXYZ", "gXYZ", "bXYZ"] } as const;

const hasToneCurves = ({ space, tag }: IccProfile): boolean =>
  (space === "GRAY" || space === "RGB ") && TONE_CURVES[space].every((name) => tag(name) !== null);

/** L* and XYZ (over its own white) of the black that perceptual tables of version 4 start from (ISO 15076-1, 6.3.4.3). */
const PERCEPTUAL_BLACK = { lightness: 3.1373, light: 0.0034731 } as const;

function inksOfBlack(profile: IccProfile): Values | null {
  if (profile.tag("A2B0") === null) return null;
  const table = readColourTable(profile.tag("B2A0"), 3, 4);
  if (table === null) return null;
  const isLab = profile.connection === "Lab ";
  const neutral = table.encoding === "lut16" ? 32768 / 65535 : 128 / 255;
  const { lightness, light } = profile.majorVersion >= 4 ? PERCEPTUAL_BLACK : { lightness: 0, light: 0 };
  const lightnessMax = table.encoding === "lut16" ? 100 * (65535 / 65280) : 100;
  const black = isLab
    ? [lightness / lightnessMax, neutral, neutral]
    : D50.map((white) => (white * light) / XYZ_MAX);
  const shaped = new Float64Array(4);
  for (const [channel, curve] of table.shapers.entries()) shaped[channel] = curve(black[channel] ?? 0);
  const inks = new Float64Array(4);
  runOf(table)(shaped, inks);
  return inks;
}
