import { fixed, text, viewOf } from "./icc.ts";
import { type Curve, identity, readCurve, sampled } from "./icc-curve.ts";

/**
 * A transform between a device and the PCS: lut8Type (mft1), lut16Type (mft2), lutAToBType (mAB) or lutBToAType (mBA).
 */
export interface IccLut {
  /** The first curve of each channel. */
  readonly inputCurves: readonly Curve[];
  /** The stages after the input curves, in order. */
  readonly stages: readonly Stage[];
  /** Grid points along the longest edge of its CLUT; 2 without one. */
  readonly gridPoints: number;
  /** Encoding of Lab: lut16Type has 0xff00 for L* 100. */
  readonly encoding: "plain" | "lut16";
}

/**
 * Reads lut8Type, lut16Type, lutAToBType and lutBToAType (ICC.1:2022, 10.10–10.13) with `inputs` and `outputs`
 * channels, at most four each. Null for another element or other channel counts, or if the element ends before its
 * tables.
 */
export function readIccLut(element: Uint8Array | null, inputs: number, outputs: number): IccLut | null {
  if (element === null || element.length < 32 || element[8] !== inputs || element[9] !== outputs) return null;
  switch (text(element, 0)) {
    case "mft1":
      return readMft(element, inputs, outputs, 1);
    case "mft2":
      return readMft(element, inputs, outputs, 2);
    case "mAB ":
      return readMab(element, inputs, outputs);
    case "mBA ":
      return readMba(element, inputs, outputs);
    default:
      return null;
  }
}

function readMft(element: Uint8Array, inputs: number, outputs: number, sampleBytes: 1 | 2): IccLut | null {
  const start = sampleBytes === 1 ? 48 : 52;
  if (element.length < start) return null;
  const view = viewOf(element);
  const points = element[10] ?? 0;
  const inputEntries = sampleBytes === 1 ? 256 : view.getUint16(48);
  const outputEntries = sampleBytes === 1 ? 256 : view.getUint16(50);
  if (points < 2 || inputEntries < 2 || outputEntries < 2) return null;
  const clutStart = start + inputs * inputEntries * sampleBytes;
  const outputStart = clutStart + points ** inputs * outputs * sampleBytes;
  if (outputStart + outputs * outputEntries * sampleBytes > element.length) return null;
  const curveAt = (first: number, entries: number): Curve =>
    sampled(entries, (index) => sampleAt(view, first + index * sampleBytes, sampleBytes));
  const curvesAt = (first: number, channels: number, entries: number): readonly Curve[] =>
    Array.from({ length: channels }, (_, channel) =>
      curveAt(first + channel * entries * sampleBytes, entries),
    );
  const inputCurves = curvesAt(start, inputs, inputEntries);
  const clut: Clut = {
    points: new Array<number>(inputs).fill(points),
    outputs,
    sample: (index) => sampleAt(view, clutStart + index * sampleBytes, sampleBytes),
  };
  const stages = [interpolateClut(clut), throughCurves(curvesAt(outputStart, outputs, outputEntries))];
  const encoding = sampleBytes === 1 ? "plain" : "lut16";
  // The matrix is specified for XYZ; readers apply it to any three channels.
  const matrix = inputs === 3 ? readMatrix(view, 12, false) : null;
  return matrix === null
    ? { inputCurves, stages, gridPoints: points, encoding }
    : {
        inputCurves: inputCurves.map(() => identity),
        stages: [matrix, throughCurves(inputCurves), ...stages],
        gridPoints: points,
        encoding,
      };
}

const sampleAt = (view: DataView, at: number, bytes: 1 | 2): number =>
  bytes === 1 ? view.getUint8(at) / 255 : view.getUint16(at) / 65535;

/** A curves, CLUT, M curves, matrix, B curves; all but the last are optional. */
function readMab(element: Uint8Array, inputs: number, outputs: number): IccLut | null {
  const parts = readParts(element, inputs, outputs);
  if (parts === null) return null;
  const { a, clut, m, matrix, b } = parts;
  if (b === null || (clut === null && (inputs !== outputs || a !== null))) return null;
  const stages = [
    ...(clut === null ? [] : [interpolateClut(clut)]),
    ...(m === null ? [] : [throughCurves(m)]),
    ...(matrix === null ? [] : [matrix]),
    throughCurves(b),
  ];
  const inputCurves = a ?? Array.from({ length: inputs }, () => identity);
  return { inputCurves, stages, gridPoints: clut === null ? 2 : Math.max(...clut.points), encoding: "plain" };
}

/** B curves, matrix, M curves, CLUT, A curves. */
function readMba(element: Uint8Array, inputs: number, outputs: number): IccLut | null {
  const parts = readParts(element, outputs, inputs, true);
  if (parts === null) return null;
  const { a, clut, m, matrix, b } = parts;
  if (b === null || (clut === null && (inputs !== outputs || a !== null))) return null;
  const stages = [
    ...(matrix === null ? [] : [matrix]),
    ...(m === null ? [] : [throughCurves(m)]),
    ...(clut === null ? [] : [interpolateClut(clut)]),
    ...(a === null ? [] : [throughCurves(a)]),
  ];
  return {
    inputCurves: b,
    stages,
    gridPoints: clut === null ? 2 : Math.max(...clut.points),
    encoding: "plain",
  };
}

interface Parts {
  readonly a: readonly Curve[] | null;
  readonly clut: Clut | null;
  readonly m: readonly Curve[] | null;
  readonly matrix: Stage | null;
  readonly b: readonly Curve[] | null;
}

/** Parts on the device side have `device` channels, the others `pcs`. Null when one is damaged. */
function readParts(element: Uint8Array, device: number, pcs: number, isToDevice = false): Parts | null {
  const view = viewOf(element);
  const [bAt, matrixAt, mAt, clutAt, aAt] = [12, 16, 20, 24, 28].map((at) => view.getUint32(at));
  const a = aAt ? readCurves(element, aAt, device) : null;
  const m = mAt ? readCurves(element, mAt, pcs) : null;
  const b = bAt ? readCurves(element, bAt, pcs) : null;
  const clut = clutAt
    ? readClut(element, clutAt, isToDevice ? pcs : device, isToDevice ? device : pcs)
    : null;
  const hasMatrix = matrixAt !== undefined && matrixAt > 0;
  if (hasMatrix && (pcs !== 3 || matrixAt + 48 > element.length)) return null;
  if ((aAt && a === null) || (mAt && m === null) || (clutAt && clut === null)) return null;
  return { a, clut, m, matrix: hasMatrix ? readMatrix(view, matrixAt, true) : null, b };
}

/** A curve for each channel, one after another, each aligned to four bytes. */
function readCurves(element: Uint8Array, start: number, channels: number): readonly Curve[] | null {
  const curves: Curve[] = [];
  let at = start;
  for (let channel = 0; channel < channels; channel += 1) {
    const read = readCurve(element, at);
    if (read === null) return null;
    curves.push(read.curve);
    at += Math.ceil(read.byteLength / 4) * 4;
  }
  return curves;
}

const CLUT_HEADER_BYTES = 20;

function readClut(element: Uint8Array, start: number, inputs: number, outputs: number): Clut | null {
  if (start + CLUT_HEADER_BYTES > element.length) return null;
  const points = Array.from(element.subarray(start, start + inputs));
  const sampleBytes = element[start + 16];
  if ((sampleBytes !== 1 && sampleBytes !== 2) || points.some((count) => count < 2)) return null;
  const first = start + CLUT_HEADER_BYTES;
  const samples = points.reduce((product, count) => product * count, outputs);
  if (first + samples * sampleBytes > element.length) return null;
  const view = viewOf(element);
  return { points, outputs, sample: (index) => sampleAt(view, first + index * sampleBytes, sampleBytes) };
}

/** A 3 × 3 matrix, and three offsets if present; null for the identity. */
function readMatrix(view: DataView, at: number, hasOffsets: boolean): Stage | null {
  const e = Array.from({ length: hasOffsets ? 12 : 9 }, (_, index) => fixed(view, at + index * 4));
  if (e.every((value, index) => value === (index < 9 && index % 4 === 0 ? 1 : 0))) return null;
  return (values, out) => {
    for (let row = 0; row < 3; row += 1) {
      let sum = e[9 + row] ?? 0;
      for (let column = 0; column < 3; column += 1) sum += (e[row * 3 + column] ?? 0) * (values[column] ?? 0);
      out[row] = sum;
    }
  };
}

const throughCurves =
  (curves: readonly Curve[]): Stage =>
  (values, out) => {
    let channel = 0;
    for (const curve of curves) {
      out[channel] = curve(values[channel] ?? 0);
      channel += 1;
    }
  };

/** Channels of a device or of the connection space, 0–1 each. */
export type Values = Float64Array;

/** A stage. `out` has room for four channels and must be a different array from `values`. */
type Stage = (values: Values, out: Values) => void;

/** A colour lookup table (CLUT), the last channel varying fastest. */
interface Clut {
  /** Grid points of each channel, at least two. */
  readonly points: readonly number[];
  readonly outputs: number;
  /** A node's value, 0–1. */
  sample(index: number): number;
}

/**
 * Interpolates in a CLUT: tetrahedral in the last three channels, which keeps greys grey, linear in the channel before
 * them. At most four channels.
 */
function interpolateClut({ points, outputs, sample }: Clut): Stage {
  const channels = points.length;
  const strides = points.map((_, at) =>
    points.slice(at + 1).reduce((product, count) => product * count, outputs),
  );
  const parts = new Float64Array(channels);
  return (values, out) => {
    let base = 0;
    for (let channel = 0; channel < channels; channel += 1) {
      const count = points[channel] ?? 2;
      const position = Math.max(0, Math.min(1, values[channel] ?? 0)) * (count - 1);
      const below = Math.min(count - 2, Math.floor(position));
      parts[channel] = position - below;
      base += below * (strides[channel] ?? 0);
    }
    out.fill(0, 0, outputs);
    const first = channels === 4 ? 1 : 0;
    for (let side = 0; side <= first; side += 1) {
      const share = first === 0 ? 1 : side === 1 ? (parts[0] ?? 0) : 1 - (parts[0] ?? 0);
      if (share === 0) continue;
      let node = base + side * (strides[0] ?? 0);
      let left = 1;
      // Go from corner to corner of the tetrahedron: each step is along one channel, the largest fraction first.
      for (let done = 0; ; ) {
        let next = -1;
        let most = 0;
        for (let channel = first; channel < channels; channel += 1) {
          const part = parts[channel] ?? 0;
          if ((done >> channel) & 1 || part <= most) continue;
          next = channel;
          most = part;
        }
        for (let output = 0; output < outputs; output += 1) {
          out[output] = (out[output] ?? 0) + share * (left - most) * sample(node + output);
        }
        if (next < 0) break;
        done |= 1 << next;
        node += strides[next] ?? 0;
        left = most;
      }
    }
  };
}
