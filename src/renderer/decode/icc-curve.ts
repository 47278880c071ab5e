import { fixed, text, viewOf } from "./icc.ts";

/** A one-dimensional curve: 0–1 to 0–1. */
export type Curve = (value: number) => number;

export interface ReadCurve {
  readonly curve: Curve;
  /** Bytes of the curve in the element, without padding. */
  readonly byteLength: number;
}

export const identity: Curve = (value) => value;

/**
 * The curve (curveType or parametricCurveType, ICC.1:2022, 10.6 and 10.18) at `start` of an element; null for anything
 * else.
 */
export function readCurve(element: Uint8Array | null, start = 0): ReadCurve | null {
  if (element === null || element.length < start + 12) return null;
  const kind = text(element, start);
  const view = viewOf(element.subarray(start));
  return kind === "curv" ? readCurv(view) : kind === "para" ? parametricCurve(view) : null;
}

/** Clips to 0–1 and rounds to 16 bits, so that engines whose `**` differs in the last bit agree. */
export function bounded(curve: Curve): Curve {
  return (value) => {
    const result = curve(Math.max(0, Math.min(1, value)));
    return Number.isFinite(result) ? Math.round(Math.max(0, Math.min(1, result)) * 65535) / 65535 : 0;
  };
}

function readCurv(view: DataView): ReadCurve | null {
  const count = view.getUint32(8);
  const byteLength = 12 + count * 2;
  if (byteLength > view.byteLength) return null;
  if (count === 0) return { curve: identity, byteLength };
  if (count === 1) {
    const gamma = view.getUint16(12) / 256;
    return { curve: bounded((value) => value ** gamma), byteLength };
  }
  return { curve: sampled(count, (index) => view.getUint16(12 + index * 2) / 65535), byteLength };
}

/** Linear interpolation between `count` values, at least two. */
export function sampled(count: number, valueAt: (index: number) => number): Curve {
  return (value) => {
    const position = Math.max(0, Math.min(1, value)) * (count - 1);
    const below = Math.min(count - 2, Math.floor(position));
    const low = valueAt(below);
    return low + (valueAt(below + 1) - low) * (position - below);
  };
}

/** Number of parameters of each function type (table 68). */
const PARAMETRIC_COUNTS = [1, 3, 4, 5, 7];

function parametricCurve(view: DataView): ReadCurve | null {
  const kind = view.getUint16(8);
  const count = PARAMETRIC_COUNTS[kind];
  if (count === undefined || 12 + count * 4 > view.byteLength) return null;
  const values = Array.from({ length: count }, (_, index) => fixed(view, 12 + index * 4));
  return { curve: bounded(parametricFunction(kind, values)), byteLength: 12 + count * 4 };
}

function parametricFunction(
  kind: number,
  [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[],
): Curve {
  switch (kind) {
    case 0:
      return (value) => value ** g;
    case 1:
      return (value) => (value >= -b / a ? (a * value + b) ** g : 0);
    case 2:
      return (value) => (value >= -b / a ? (a * value + b) ** g + c : c);
    case 3:
      return (value) => (value >= d ? (a * value + b) ** g : c * value);
    default:
      return (value) => (value >= d ? (a * value + b) ** g + e : c * value + f);
  }
}
