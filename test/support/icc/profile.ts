/** Writes ICC profiles (ICC.1:2022), small ones, for tests of their readers. */

export interface ProfileParts {
  readonly version: 2 | 4;
  readonly deviceClass: "scnr" | "mntr" | "prtr" | "spac" | "link" | "abst" | "nmcl";
  readonly space: "GRAY" | "RGB " | "CMYK" | "Lab ";
  readonly connection: "XYZ " | "Lab ";
  readonly tags: Readonly<Record<string, Uint8Array>>;
}

const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

/** A sequence of big-endian numbers of one width, after a signature and four reserved bytes. */
class Writer {
  readonly #bytes: number[] = [];
  text(value: string): this {
    this.#bytes.push(...ascii(value));
    return this;
  }
  u8(...values: number[]): this {
    this.#bytes.push(...values);
    return this;
  }
  u16(...values: number[]): this {
    for (const value of values) this.#bytes.push((value >> 8) & 255, value & 255);
    return this;
  }
  u32(...values: number[]): this {
    for (const value of values) this.u16(value >>> 16, value & 0xffff);
    return this;
  }
  fixed(...values: number[]): this {
    for (const value of values) this.u32(Math.round(value * 65536) >>> 0);
    return this;
  }
  append(bytes: Uint8Array): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }
  pad(): this {
    while (this.#bytes.length % 4 !== 0) this.#bytes.push(0);
    return this;
  }
  get length(): number {
    return this.#bytes.length;
  }
  done(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

const element = (signature: string): Writer => new Writer().text(signature).u32(0);

export function writeProfile({ version, deviceClass, space, connection, tags }: ProfileParts): Uint8Array {
  const entries = Object.entries(tags);
  const table = new Writer().u32(entries.length);
  const body = new Writer();
  const start = 128 + 4 + entries.length * 12;
  for (const [name, bytes] of entries) {
    table.text(name).u32(start + body.length, bytes.length);
    body.append(bytes).pad();
  }
  const head = new Writer()
    .u32(start + body.length, 0)
    .u8(version, version === 4 ? 0x40 : 0x20, 0, 0)
    .text(deviceClass + space + connection)
    .u16(2026, 1, 1, 0, 0, 0)
    .text("acsp")
    .u32(0, 0, 0, 0, 0, 0, 0)
    .fixed(0.9642, 1, 0.8249)
    .u32(...new Array<number>(12).fill(0));
  return head.append(table.done()).append(body.done()).done();
}

export const xyzElement = (x: number, y: number, z: number): Uint8Array =>
  element("XYZ ").fixed(x, y, z).done();

/** curveType: no value is the identity, one a gamma (as it is, not fixed-point), more are samples of 0–1. */
export function curveElement(...values: readonly number[]): Uint8Array {
  const [gamma = 1] = values;
  const written =
    values.length === 1 ? [Math.round(gamma * 256)] : values.map((value) => Math.round(value * 65535));
  return element("curv")
    .u32(written.length)
    .u16(...written)
    .done();
}

export const formulaElement = (kind: 0 | 1 | 2 | 3 | 4, ...parameters: readonly number[]): Uint8Array =>
  element("para")
    .u16(kind, 0)
    .fixed(...parameters)
    .done();

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
  const max = bytes === 1 ? 255 : 65535;
  const entries = bytes === 1 ? 256 : 33;
  const writer = element(bytes === 1 ? "mft1" : "mft2")
    .u8(inputs, outputs, points, 0)
    .fixed(...matrix);
  if (bytes === 2) writer.u16(entries, entries);
  const put = (value: number): void => {
    const written = Math.round(Math.max(0, Math.min(1, value)) * max);
    if (bytes === 1) writer.u8(written);
    else writer.u16(written);
  };
  const putCurves = (channels: number, gamma: number): void => {
    for (let at = 0; at < channels * entries; at += 1) put(((at % entries) / (entries - 1)) ** gamma);
  };
  putCurves(inputs, curves[0]);
  for (const point of pointsOf(new Array<number>(inputs).fill(points))) map(point).forEach(put);
  putCurves(outputs, curves[1]);
  return writer.done();
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
  const body = new Writer();
  const place = (bytes: Uint8Array | null): number => {
    if (bytes === null) return 0;
    const at = 32 + body.length;
    body.append(bytes).pad();
    return at;
  };
  const curvesOf = (curves: readonly Uint8Array[] | undefined): Uint8Array | null => {
    if (curves === undefined) return null;
    const writer = new Writer();
    for (const curve of curves) writer.append(curve).pad();
    return writer.done();
  };
  const offsets = [
    place(curvesOf(b)),
    place(matrix === undefined ? null : new Writer().fixed(...matrix).done()),
    place(curvesOf(m)),
    place(grid === undefined ? null : gridBytes(grid)),
    place(curvesOf(a)),
  ];
  return element(kind)
    .u8(inputs, outputs, 0, 0)
    .u32(...offsets)
    .append(body.done())
    .done();
}

function gridBytes({ points, bytes, map }: NonNullable<LutAToBParts["grid"]>): Uint8Array {
  const writer = new Writer()
    .u8(...points, ...new Array<number>(16 - points.length).fill(0))
    .u8(bytes, 0, 0, 0);
  for (const point of pointsOf(points)) {
    for (const value of map(point)) {
      const bounded = Math.max(0, Math.min(1, value));
      if (bytes === 1) writer.u8(Math.round(bounded * 255));
      else writer.u16(Math.round(bounded * 65535));
    }
  }
  return writer.done();
}
