import { ascii, joined, u8, u16, u32 } from "../binary.ts";

/** Writes ICC profiles (ICC.1:2022), small ones, for tests of their readers. */

export interface ProfileParts {
  readonly version: 2 | 4;
  readonly deviceClass: "scnr" | "mntr" | "prtr" | "spac" | "link" | "abst" | "nmcl";
  readonly space: "GRAY" | "RGB " | "CMYK" | "Lab ";
  readonly connection: "XYZ " | "Lab ";
  readonly tags: Readonly<Record<string, Uint8Array>>;
}

const fixed = (...values: readonly number[]): Uint8Array =>
  u32(...values.map((value) => Math.round(value * 65536) >>> 0));

/** Filled up to a whole number of four bytes. */
const padded = (bytes: Uint8Array): Uint8Array => joined(bytes, new Uint8Array((4 - (bytes.length % 4)) % 4));

const element = (signature: string, ...parts: readonly Uint8Array[]): Uint8Array =>
  joined(ascii(signature), u32(0), ...parts);

export function writeProfile({ version, deviceClass, space, connection, tags }: ProfileParts): Uint8Array {
  const entries = Object.entries(tags);
  let end = 128 + 4 + entries.length * 12;
  const table = entries.map(([name, bytes]) => {
    const entry = joined(ascii(name), u32(end, bytes.length));
    end += padded(bytes).length;
    return entry;
  });
  return joined(
    u32(end, 0),
    u8(version, version === 4 ? 0x40 : 0x20, 0, 0),
    ascii(deviceClass + space + connection),
    u16(2026, 1, 1, 0, 0, 0),
    ascii("acsp"),
    u32(0, 0, 0, 0, 0, 0, 0),
    fixed(0.9642, 1, 0.8249),
    new Uint8Array(48),
    u32(entries.length),
    ...table,
    ...entries.map(([, bytes]) => padded(bytes)),
  );
}

export const xyzElement = (x: number, y: number, z: number): Uint8Array => element("XYZ ", fixed(x, y, z));

/** curveType: no value is the identity, one a gamma (as it is, not fixed-point), more are samples of 0–1. */
export function curveElement(...values: readonly number[]): Uint8Array {
  const [gamma = 1] = values;
  const written =
    values.length === 1 ? [Math.round(gamma * 256)] : values.map((value) => Math.round(value * 65535));
  return element("curv", u32(written.length), u16(...written));
}

export const formulaElement = (kind: 0 | 1 | 2 | 3 | 4, ...parameters: readonly number[]): Uint8Array =>
  element("para", u16(kind, 0), fixed(...parameters));

/** Values 0–1 in so many bytes each. */
const shares = (bytes: 1 | 2, values: readonly number[]): Uint8Array => {
  const written = values.map((value) =>
    Math.round(Math.max(0, Math.min(1, value)) * (bytes === 1 ? 255 : 65535)),
  );
  return bytes === 1
    ? Uint8Array.from(written)
    : Uint8Array.from(written.flatMap((one) => [one >> 8, one & 255]));
};

/** Device values 0–1 to values of the other side 0–1, as they are written. */
export type Mapping = (values: readonly number[]) => readonly number[];

/** Every point of a grid, the last channel varying fastest. */
function* pointsOf(counts: readonly number[]): Generator<readonly number[]> {
  const total = counts.reduce((product, count) => product * count, 1);
  for (let index = 0; index < total; index += 1) {
    let rest = index;
    const point: number[] = [];
    for (const count of [...counts].reverse()) {
      point.unshift((rest % count) / (count - 1));
      rest = Math.floor(rest / count);
    }
    yield point;
  }
}

export interface LutParts {
  readonly inputs: number;
  readonly outputs: number;
  readonly points: number;
  /** Gammas of all input and all output curves. */
  readonly curves: readonly [number, number];
  /** Of the shaped inputs, so that the whole goes through the output curves. */
  readonly map: Mapping;
  readonly matrix?: readonly number[];
}

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** lut8Type or lut16Type. */
export function lutElement(
  bytes: 1 | 2,
  { inputs, outputs, points, curves, map, matrix = IDENTITY }: LutParts,
): Uint8Array {
  const entries = bytes === 1 ? 256 : 33;
  const curvesOf = (channels: number, gamma: number): readonly number[] =>
    Array.from({ length: channels * entries }, (_, at) => ((at % entries) / (entries - 1)) ** gamma);
  const grid = [...pointsOf(new Array<number>(inputs).fill(points))].flatMap((point) => [...map(point)]);
  return element(
    bytes === 1 ? "mft1" : "mft2",
    u8(inputs, outputs, points, 0),
    fixed(...matrix),
    bytes === 2 ? u16(entries, entries) : u8(),
    shares(bytes, curvesOf(inputs, curves[0])),
    shares(bytes, grid),
    shares(bytes, curvesOf(outputs, curves[1])),
  );
}

export interface LutAToBParts {
  readonly kind: "mAB " | "mBA ";
  readonly inputs: number;
  readonly outputs: number;
  /** Elements of curves: `a` on the device's side, `m` and `b` on the other. */
  readonly a?: readonly Uint8Array[];
  readonly grid?: { readonly points: readonly number[]; readonly bytes: 1 | 2; readonly map: Mapping };
  readonly m?: readonly Uint8Array[];
  readonly matrix?: readonly number[];
  readonly b: readonly Uint8Array[];
}

/** lutAToBType or lutBToAType. */
export function lutAToBElement({ kind, inputs, outputs, a, grid, m, matrix, b }: LutAToBParts): Uint8Array {
  const parts = [
    b.map(padded),
    matrix === undefined ? [] : [fixed(...matrix)],
    m?.map(padded) ?? [],
    grid === undefined ? [] : [padded(gridBytes(grid))],
    a?.map(padded) ?? [],
  ].map((elements) => joined(...elements));
  let end = 32;
  const offsets = parts.map(({ length }) => {
    end += length;
    return length === 0 ? 0 : end - length;
  });
  return element(kind, u8(inputs, outputs, 0, 0), u32(...offsets), ...parts);
}

const gridBytes = ({ points, bytes, map }: NonNullable<LutAToBParts["grid"]>): Uint8Array =>
  joined(
    u8(...points, ...new Array<number>(16 - points.length).fill(0)),
    u8(bytes, 0, 0, 0),
    shares(
      bytes,
      [...pointsOf(points)].flatMap((point) => [...map(point)]),
    ),
  );
