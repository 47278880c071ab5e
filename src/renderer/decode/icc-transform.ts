import type { IccProfile } from "./icc.ts";
import { blackOf, D50, type DeviceModel, readDevice } from "./icc-device.ts";
import { type Lattice, latticeThrough } from "./lattice.ts";
import { encodeFine, encodeLight, LINEAR_FROM_XYZ_D50 } from "./srgb-encoding.ts";

/** Converts RGBA bytes of a device (grey in all three, or inks with black in the fourth) in place; alpha stays, inks become opaque. */
export type ByteConversion = (pixels: Uint8ClampedArray) => void;

/** Points along an edge of the lattice that a table is turned into: enough that its own grid is not coarsened. */
const LATTICE_POINTS = { 3: 33, 4: 17 } as const;
const NODES_MAX = 600_000;

/** How a profile's colours become sRGB; null when it cannot be followed. */
export function transformOf(profile: IccProfile): ByteConversion | null {
  const device = readDevice(profile);
  return device === null ? null : conversionFrom(device, blackOf(profile, device));
}

/** How a device's colours become sRGB, its black of such a luminance (0–1) the screen's. */
export function conversionFrom(device: DeviceModel, black: number): ByteConversion {
  const toLight = lightOf(device, black);
  if (device.channels === 1) return greyConversion(device, toLight);
  if (device.isMatrix) return matrixConversion(device, toLight);
  return latticeThrough(latticeOf(device, device.channels, toLight), device.channels);
}

/** Linear sRGB of shaped device values, black compensated; may lie outside 0–1. */
type ToLight = (shaped: Float64Array, light: Float64Array) => void;

function lightOf(device: DeviceModel, black: number): ToLight {
  const xyz = new Float64Array(4);
  const scale = 1 / (1 - black);
  return (shaped, light) => {
    device.toXyz(shaped, xyz);
    if (black > 0) {
      for (const [axis, white] of D50.entries()) xyz[axis] = ((xyz[axis] ?? 0) - white * black) * scale;
    }
    const [x = 0, y = 0, z = 0] = xyz;
    for (const [channel, [ofX, ofY, ofZ]] of LINEAR_FROM_XYZ_D50.entries()) {
      light[channel] = ofX * x + ofY * y + ofZ * z;
    }
  };
}

/** A profile of grey may tint it. */
function greyConversion({ shapers: [curve] }: DeviceModel, toLight: ToLight): ByteConversion {
  const shaped = new Float64Array(4);
  const light = new Float64Array(4);
  const table = new Uint8Array(256 * 3);
  for (let byte = 0; byte < 256; byte += 1) {
    shaped[0] = curve === undefined ? 0 : curve(byte / 255);
    toLight(shaped, light);
    for (let channel = 0; channel < 3; channel += 1)
      table[byte * 3 + channel] = encodeLight(light[channel] ?? 0);
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

/** Curves, then what each channel adds to each of the three (F.3): light adds up, so no table is needed. */
function matrixConversion({ shapers }: DeviceModel, toLight: ToLight): ByteConversion {
  const curves = shapers.map((curve) => Float64Array.from({ length: 256 }, (_, byte) => curve(byte / 255)));
  const [red, green, blue] = curves;
  if (red === undefined || green === undefined || blue === undefined)
    throw new Error("a matrix has three channels");
  const lightAt = (...values: readonly number[]): Float64Array => {
    const light = new Float64Array(4);
    toLight(Float64Array.from([...values, 0]), light);
    return light;
  };
  const [or = 0, og = 0, ob = 0] = lightAt(0, 0, 0);
  const [rr = 0, gr = 0, br = 0] = lightAt(1, 0, 0).map((value, at) => value - ([or, og, ob][at] ?? 0));
  const [rg = 0, gg = 0, bg = 0] = lightAt(0, 1, 0).map((value, at) => value - ([or, og, ob][at] ?? 0));
  const [rb = 0, gb = 0, bb = 0] = lightAt(0, 0, 1).map((value, at) => value - ([or, og, ob][at] ?? 0));
  return (pixels) => {
    for (let at = 0; at < pixels.length; at += 4) {
      const r = red[pixels[at] ?? 0] ?? 0;
      const g = green[pixels[at + 1] ?? 0] ?? 0;
      const b = blue[pixels[at + 2] ?? 0] ?? 0;
      pixels[at] = encodeLight(or + rr * r + rg * g + rb * b);
      pixels[at + 1] = encodeLight(og + gr * r + gg * g + gb * b);
      pixels[at + 2] = encodeLight(ob + br * r + bg * g + bb * b);
    }
  };
}

/** The whole way to sRGB at the points of a lattice, which keeps the table's own points where they fit. */
function latticeOf(device: DeviceModel, channels: 3 | 4, toLight: ToLight): Lattice {
  const points = latticePoints(device.gridPoints, channels);
  const nodes = new Uint16Array(points ** channels * 3);
  const shaped = new Float64Array(4);
  const light = new Float64Array(4);
  const at = new Uint8Array(4);
  for (let node = 0; node < nodes.length; node += 3) {
    for (let channel = 0; channel < channels; channel += 1)
      shaped[channel] = (at[channel] ?? 0) / (points - 1);
    toLight(shaped, light);
    for (let channel = 0; channel < 3; channel += 1) nodes[node + channel] = encodeFine(light[channel] ?? 0);
    for (let channel = channels - 1; channel >= 0; channel -= 1) {
      at[channel] = ((at[channel] ?? 0) + 1) % points;
      if (at[channel] !== 0) break;
    }
  }
  const positions = device.shapers.map((curve) =>
    Float64Array.from({ length: 256 }, (_, byte) => curve(byte / 255) * (points - 1)),
  );
  return { points, nodes, positions };
}

function latticePoints(own: number, channels: 3 | 4): number {
  const wanted = LATTICE_POINTS[channels];
  const finer = (own - 1) * Math.max(1, Math.round((wanted - 1) / (own - 1))) + 1;
  return finer ** channels <= NODES_MAX ? finer : wanted;
}
