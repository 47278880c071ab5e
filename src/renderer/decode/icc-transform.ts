import type { IccProfile } from "./icc.ts";
import { blackOf, D50, type DeviceModel, readDevice } from "./icc-device.ts";
import { clutConversion, type SrgbClut } from "./srgb-clut.ts";
import { encodeSrgb128, encodeSrgbByte, LINEAR_FROM_XYZ_D50 } from "./srgb-transfer.ts";

/** Converts device values to sRGB in place: RGBA (grey in all three), where alpha stays, or CMYK, which becomes opaque RGBA. */
export type ByteConversion = (pixels: Uint8ClampedArray) => void;

/** Least grid points along an edge of the CLUT to sRGB. */
const CLUT_POINTS = { 3: 33, 4: 17 } as const;
const NODES_MAX = 600_000;

/** The conversion from a profile's device to sRGB; null when the profile is not supported. */
export function transformOf(profile: IccProfile): ByteConversion | null {
  const device = readDevice(profile);
  return device === null ? null : conversionFrom(device, blackOf(profile, device));
}

/** The conversion from a device to sRGB. `black`: luminance (0–1) of the device's black point, which becomes 0. */
export function conversionFrom(device: DeviceModel, black: number): ByteConversion {
  const toLinear = linearOf(device, black);
  if (device.channels === 1) return greyConversion(device, toLinear);
  if (device.isMatrix) return matrixConversion(device, toLinear);
  return clutConversion(srgbClutOf(device, device.channels, toLinear), device.channels);
}

/** Linear sRGB of device values behind their input curves, with black-point compensation; may lie outside 0–1. */
type ToLinear = (afterCurves: Float64Array, linear: Float64Array) => void;

function linearOf(device: DeviceModel, black: number): ToLinear {
  const xyz = new Float64Array(4);
  const scale = 1 / (1 - black);
  return (afterCurves, linear) => {
    device.toXyz(afterCurves, xyz);
    if (black > 0) {
      for (const [axis, white] of D50.entries()) xyz[axis] = ((xyz[axis] ?? 0) - white * black) * scale;
    }
    const [x = 0, y = 0, z = 0] = xyz;
    for (const [channel, [ofX, ofY, ofZ]] of LINEAR_FROM_XYZ_D50.entries()) {
      linear[channel] = ofX * x + ofY * y + ofZ * z;
    }
  };
}

/** A grey profile may have a tint. */
function greyConversion({ inputCurves: [curve] }: DeviceModel, toLinear: ToLinear): ByteConversion {
  const afterCurves = new Float64Array(4);
  const linear = new Float64Array(4);
  const table = new Uint8Array(256 * 3);
  for (let byte = 0; byte < 256; byte += 1) {
    afterCurves[0] = curve === undefined ? 0 : curve(byte / 255);
    toLinear(afterCurves, linear);
    for (let channel = 0; channel < 3; channel += 1)
      table[byte * 3 + channel] = encodeSrgbByte(linear[channel] ?? 0);
  }
  return (pixels) => {
    for (let at = 0; at < pixels.length; at += 4) {
      const entry = (pixels[at] ?? 0) * 3;
      pixels[at] = table[entry] ?? 0;
      pixels[at + 1] = table[entry + 1] ?? 0;
      pixels[at + 2] = table[entry + 2] ?? 0;
    }
  };
}

/** TRCs, then one matrix to linear sRGB (F.3): it has the matrix of the profile and of black-point compensation in it. */
function matrixConversion({ inputCurves }: DeviceModel, toLinear: ToLinear): ByteConversion {
  const curves = inputCurves.map((curve) =>
    Float64Array.from({ length: 256 }, (_, byte) => curve(byte / 255)),
  );
  const [red, green, blue] = curves;
  if (red === undefined || green === undefined || blue === undefined)
    throw new Error("a matrix has three channels");
  const linearAt = (...values: readonly number[]): Float64Array => {
    const linear = new Float64Array(4);
    toLinear(Float64Array.from([...values, 0]), linear);
    return linear;
  };
  const [or = 0, og = 0, ob = 0] = linearAt(0, 0, 0);
  const [rr = 0, gr = 0, br = 0] = linearAt(1, 0, 0).map((value, at) => value - ([or, og, ob][at] ?? 0));
  const [rg = 0, gg = 0, bg = 0] = linearAt(0, 1, 0).map((value, at) => value - ([or, og, ob][at] ?? 0));
  const [rb = 0, gb = 0, bb = 0] = linearAt(0, 0, 1).map((value, at) => value - ([or, og, ob][at] ?? 0));
  return (pixels) => {
    for (let at = 0; at < pixels.length; at += 4) {
      const r = red[pixels[at] ?? 0] ?? 0;
      const g = green[pixels[at + 1] ?? 0] ?? 0;
      const b = blue[pixels[at + 2] ?? 0] ?? 0;
      pixels[at] = encodeSrgbByte(or + rr * r + rg * g + rb * b);
      pixels[at + 1] = encodeSrgbByte(og + gr * r + gg * g + gb * b);
      pixels[at + 2] = encodeSrgbByte(ob + br * r + bg * g + bb * b);
    }
  };
}

/** Samples the whole conversion at the grid points of a CLUT, which include the profile's own grid points where they fit. */
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
