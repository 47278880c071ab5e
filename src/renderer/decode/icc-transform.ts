import type { Conversion } from "./colour-codec.ts";
import type { IccProfile } from "./icc.ts";
import { blackOf, D50, type DeviceModel, readDevice } from "./icc-device.ts";

/** Minimum grid points along an edge of the CLUT to sRGB. */
const CLUT_POINTS = { 3: 33, 4: 17 } as const;
const NODES_MAX = 600_000;
/** Units per step of linear light in the colour kernel's matrix. */
const LINEAR_FRACTION = 4096;

/** The conversion from a profile's device to sRGB; null when the profile is not supported. */
export function transformOf(profile: IccProfile): Conversion | null {
  const device = readDevice(profile);
  return device === null ? null : conversionFrom(device, blackOf(profile, device));
}

/** The conversion from a device to sRGB. `black`: luminance (0–1) of the device's black point, which becomes 0. */
export function conversionFrom(device: DeviceModel, black: number): Conversion {
  const toLinear = linearOf(device, black);
  if (device.channels === 1 || device.isMatrix) return curvesConversion(device, toLinear);
  return clutConversion(srgbClutOf(device, device.channels, toLinear), device.channels);
}

/** Linear sRGB of device values after their input curves, with black-point compensation; may lie outside 0–1. */
type ToLinear = (afterCurves: Float64Array, linear: Float64Array) => void;

function linearOf(device: DeviceModel, black: number): ToLinear {
  const xyz = new Float64Array(4);
  const scale = 1 / (1 - black);
  // Plain loops: a press profile's conversion is sampled at 83,521 nodes, where iterators would take most of the time.
  return (afterCurves, linear) => {
    device.toXyz(afterCurves, xyz);
    for (let axis = 0; axis < 3 && black > 0; axis += 1) {
      xyz[axis] = ((xyz[axis] ?? 0) - (D50[axis] ?? 0) * black) * scale;
    }
    for (let channel = 0; channel < 3; channel += 1) {
      const row = LINEAR_FROM_XYZ_D50[channel];
      if (row === undefined) continue;
      linear[channel] = row[0] * (xyz[0] ?? 0) + row[1] * (xyz[1] ?? 0) + row[2] * (xyz[2] ?? 0);
    }
  };
}

/** Bounds a channel's contribution to linear light, so that the sum of three fits 32 bits. */
const PART_MAX = 2 ** 29;

/**
 * TRCs, then one matrix to linear sRGB (F.3), which combines the profile's matrix and black-point compensation. Grey,
 * which may have a tint, uses only the first channel.
 */
function curvesConversion({ inputCurves }: DeviceModel, toLinear: ToLinear): Conversion {
  const tables = new Int32Array(3 * 256 * 4);
  const origin = new Float64Array(4);
  toLinear(new Float64Array(4), origin);
  const afterCurves = new Float64Array(4);
  const linear = new Float64Array(4);
  for (const [channel, curve] of inputCurves.entries()) {
    for (let byte = 0; byte < 256; byte += 1) {
      afterCurves[channel] = curve(byte / 255);
      toLinear(afterCurves, linear);
      for (let output = 0; output < 3; output += 1) {
        // The first channel includes the constant part and the half for rounding.
        const common = channel === 0 ? -0.5 / LINEAR_STEPS : (origin[output] ?? 0);
        const part = Math.round(((linear[output] ?? 0) - common) * LINEAR_STEPS * LINEAR_FRACTION);
        tables[(channel * 256 + byte) * 4 + output] = Math.max(-PART_MAX, Math.min(PART_MAX, part));
      }
    }
    afterCurves[channel] = 0;
  }
  return { kind: "matrix", tables, nodes: SRGB_BYTES, lineBytes: 0 };
}

/**
 * Samples the whole conversion at the grid points of a CLUT. They include the profile's own grid points unless that
 * would exceed `NODES_MAX`.
 */
function srgbClutOf(device: DeviceModel, channels: 3 | 4, toLinear: ToLinear): SrgbClut {
  const points = clutPoints(device.gridPoints, channels);
  const nodes = new Uint16Array(points ** channels * 3);
  const afterCurves = new Float64Array(4);
  const linear = new Float64Array(4);
  const at = new Uint8Array(4);
  for (let node = 0; node < nodes.length; node += 3) {
    for (let channel = 0; channel < channels; channel += 1)
      afterCurves[channel] = (at[channel] ?? 0) / (points - 1);
    toLinear(afterCurves, linear);
    for (let channel = 0; channel < 3; channel += 1)
      nodes[node + channel] = encodeSrgb128(linear[channel] ?? 0);
    for (let channel = channels - 1; channel >= 0; channel -= 1) {
      at[channel] = ((at[channel] ?? 0) + 1) % points;
      if (at[channel] !== 0) break;
    }
  }
  const gridPositions = device.inputCurves.map((curve) =>
    Float64Array.from({ length: 256 }, (_, byte) => curve(byte / 255) * (points - 1)),
  );
  return { points, nodes, gridPositions };
}

function clutPoints(own: number, channels: 3 | 4): number {
  const wanted = CLUT_POINTS[channels];
  const finer = (own - 1) * Math.max(1, Math.round((wanted - 1) / (own - 1))) + 1;
  return finer ** channels <= NODES_MAX ? finer : wanted;
}

/** Steps of linear light from 0 to 1. */
const LINEAR_STEPS = 16384;

/** The sRGB transfer function (IEC 61966-2-1) at 16384 steps of linear light, in 128ths of a byte. */
const ENCODED = Uint16Array.from({ length: LINEAR_STEPS + 1 }, (_, step) => {
  const linear = step / LINEAR_STEPS;
  const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(value * 255 * 128);
});

/** sRGB of linear light, in 128ths of a byte; out-of-range light is clipped. */
function encodeSrgb128(linear: number): number {
  return ENCODED[Math.max(0, Math.min(LINEAR_STEPS, Math.round(linear * LINEAR_STEPS)))] ?? 0;
}

/** The sRGB byte of each step of linear light. */
const SRGB_BYTES = Uint8Array.from(ENCODED, (fine) => Math.round(fine / 128));

/** Linear sRGB from XYZ relative to D50: the inverse of the matrix of sRGB's own ICC profile (Bradford-adapted). */
const LINEAR_FROM_XYZ_D50 = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const;

/** A CLUT from three or four device channels to sRGB, the last channel varying fastest. */
interface SrgbClut {
  /** Grid points along each edge. */
  readonly points: number;
  /** sRGB at the grid points, three values each, in 128ths of a byte. */
  readonly nodes: Uint16Array;
  /** For each channel, the grid position of each value of its byte, 0 to `points` - 1. */
  readonly gridPositions: readonly Float64Array[];
}

const NODE_BYTES = 6;
const WEIGHT_ONE = 4096;

/**
 * The tables of a CLUT's conversion: tetrahedral interpolation in the last three channels, linear in the first of CMYK.
 * Nodes have 7 fraction bits, weights 12; the largest sum is 255 × 128 × 4096, which fits 31 bits. Rounding moves a
 * result by at most 1/128 level for each of the two interpolations and half a level at the end.
 */
export function clutConversion({ points, nodes, gridPositions }: SrgbClut, channels: 3 | 4): Conversion {
  const tables = new Int32Array(4 * 256 * 2);
  const first = 4 - channels;
  for (let channel = first; channel < 4; channel += 1) {
    const stride = points ** (3 - channel) * NODE_BYTES;
    for (let byte = 0; byte < 256; byte += 1) {
      const position = gridPositions[channel - first]?.[byte] ?? 0;
      const node = Math.min(points - 2, Math.floor(position));
      const weight = Math.round((position - node) * WEIGHT_ONE);
      const at = (channel * 256 + byte) * 2;
      tables[at] = node * stride;
      tables[at + 1] = channel === 0 ? weight : (weight << 16) | stride;
    }
  }
  return { kind: channels === 3 ? "clut" : "ink_clut", tables, nodes, lineBytes: points ** 3 * NODE_BYTES };
}
