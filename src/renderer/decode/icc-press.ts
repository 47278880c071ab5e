import type { IccProfile } from "./icc.ts";
import { encodeLight, LINEAR_FROM_XYZ_D50 } from "./srgb-encoding.ts";

/** sRGB of ink amounts, 0–255 each, 0 no ink. Writes three values at `at` of `out`. */
export type PressConversion = (
  cyan: number,
  magenta: number,
  yellow: number,
  black: number,
  out: Uint8ClampedArray,
  at: number,
) => void;

const GRID_POINTS_MAX = 33;
const NODES_MAX = 1 << 20;
const D50 = [0.9642, 1, 0.8249] as const;

/**
 * Reads a press profile's table from CMYK to Lab (lut8Type and lut16Type, ICC.1:2022, 10.10–10.11).
 * Null for tables of other types. The grid is turned to sRGB once, and pixels are interpolated in it.
 */
export function readPressTable(profile: IccProfile): PressConversion | null {
  const element = profile.tag("A2B0") ?? profile.tag("A2B1");
  if (element === null || profile.connection !== "Lab " || element.length < 52) return null;
  const view = new DataView(element.buffer, element.byteOffset, element.byteLength);
  const mark = view.getUint32(0);
  // "mft1" and "mft2".
  const sampleBytes = mark === 0x6d667431 ? 1 : mark === 0x6d667432 ? 2 : 0;
  const gridPoints = element[10] ?? 0;
  const isShaped = element[8] === 4 && element[9] === 3 && gridPoints >= 2 && gridPoints <= GRID_POINTS_MAX;
  if (sampleBytes === 0 || !isShaped) return null;
  const nodes = gridPoints ** 4;
  const inputEntries = sampleBytes === 1 ? 256 : view.getUint16(48);
  const outputEntries = sampleBytes === 1 ? 256 : view.getUint16(50);
  const start = sampleBytes === 1 ? 48 : 52;
  const needed = start + (inputEntries * 4 + nodes * 3 + outputEntries * 3) * sampleBytes;
  if (inputEntries < 2 || outputEntries < 2 || nodes > NODES_MAX || needed > element.length) return null;

  const sampleMax = sampleBytes === 1 ? 255 : 65535;
  const sample = (index: number): number =>
    (sampleBytes === 1 ? view.getUint8(start + index) : view.getUint16(start + index * 2)) / sampleMax;
  const lookUp = (first: number, entries: number, value: number): number => {
    const position = value * (entries - 1);
    const below = Math.min(entries - 2, Math.floor(position));
    const low = sample(first + below);
    return low + (sample(first + below + 1) - low) * (position - below);
  };

  const gridStart = inputEntries * 4;
  const outputStart = gridStart + nodes * 3;
  const grid = new Uint8Array(nodes * 3);
  for (let node = 0; node < nodes; node++) {
    const [l = 0, a = 0, b = 0] = [0, 1, 2].map((channel) =>
      lookUp(outputStart + channel * outputEntries, outputEntries, sample(gridStart + node * 3 + channel)),
    );
    // 8-bit Lab has a and b at +128; the 16-bit kind keeps the older scale, in which 0xff00 is 100.
    const scale = sampleBytes === 1 ? 1 : 65535 / 65280;
    writeLab(Math.min(100, l * 100 * scale), a * 255 * scale - 128, b * 255 * scale - 128, grid, node * 3);
  }
  const positions = Array.from({ length: 4 }, (_, ink) =>
    Float64Array.from(
      { length: 256 },
      (_, amount) => lookUp(ink * inputEntries, inputEntries, amount / 255) * (gridPoints - 1),
    ),
  );
  return interpolate(grid, gridPoints, positions);
}

function interpolate(grid: Uint8Array, points: number, positions: readonly Float64Array[]): PressConversion {
  const strides = [points ** 3 * 3, points ** 2 * 3, points * 3, 3];
  const parts = new Float64Array(4);
  return (cyan, magenta, yellow, black, out, at) => {
    let base = 0;
    const inks = [cyan, magenta, yellow, black];
    for (let ink = 0; ink < 4; ink++) {
      const position = positions[ink]?.[inks[ink] ?? 0] ?? 0;
      const below = Math.min(points - 2, Math.floor(position));
      parts[ink] = position - below;
      base += below * (strides[ink] ?? 0);
    }
    let red = 0;
    let green = 0;
    let blue = 0;
    for (let corner = 0; corner < 16; corner++) {
      let weight = 1;
      let node = base;
      for (let ink = 0; ink < 4; ink++) {
        const part = parts[ink] ?? 0;
        if ((corner >> ink) & 1) {
          weight *= part;
          node += strides[ink] ?? 0;
        } else {
          weight *= 1 - part;
        }
      }
      if (weight === 0) continue;
      red += weight * (grid[node] ?? 0);
      green += weight * (grid[node + 1] ?? 0);
      blue += weight * (grid[node + 2] ?? 0);
    }
    out[at] = red;
    out[at + 1] = green;
    out[at + 2] = blue;
  };
}

/** CIE 1976 L*a*b* to sRGB. */
function writeLab(l: number, a: number, b: number, out: Uint8Array, at: number): void {
  const fy = (l + 16) / 116;
  const x = D50[0] * unfold(fy + a / 500);
  const y = D50[1] * unfold(fy);
  const z = D50[2] * unfold(fy - b / 200);
  for (const [channel, [ofX, ofY, ofZ]] of LINEAR_FROM_XYZ_D50.entries()) {
    out[at + channel] = encodeLight(ofX * x + ofY * y + ofZ * z);
  }
}

function unfold(value: number): number {
  return value > 6 / 29 ? value * value * value : (3 * 36 * (value - 4 / 29)) / 841;
}
