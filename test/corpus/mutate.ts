import { crc32 } from "#renderer/crc32.ts";
import { joined, u32, u32le } from "../support/binary.ts";
import type { Kind } from "./kinds.ts";
import { partsOf, type Span } from "./parts.ts";

/** Numbers in [0, 1). */
export type Random = () => number;

const below = (random: Random, end: number): number => Math.floor(random() * end);

/** Values at which lengths, counts and signs wrap around. */
const EDGES = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
];

type Operator = (bytes: Uint8Array, random: Random, kind: Kind, other: Uint8Array) => Uint8Array;

const flipBits: Operator = (bytes, random) => {
  const out = bytes.slice();
  for (let count = 1 + below(random, 8); count > 0; count -= 1) {
    const at = below(random, out.length);
    out[at] = (out[at] ?? 0) ^ (1 << below(random, 8));
  }
  return out;
};

/** A position for a write. Half of the positions are at the start, where headers and tables are. */
const placeIn = (random: Random, length: number): number =>
  below(random, random() < 0.5 ? Math.min(length, 400) : length);

const overwriteBytes: Operator = (bytes, random) => {
  const out = bytes.slice();
  for (let count = 1 + below(random, 4); count > 0; count -= 1) {
    out[placeIn(random, out.length)] = below(random, 256);
  }
  return out;
};

/** Writes an edge value in 1, 2 or 4 bytes, in either byte order, where a length field is likely. */
const overwriteNumber: Operator = (bytes, random) => {
  const out = bytes.slice();
  const value = random() < 0.7 ? (EDGES[below(random, EDGES.length)] ?? 0) : below(random, 0x10000);
  const width = [1, 2, 4][below(random, 3)] ?? 4;
  const encoded = random() < 0.7 ? u32(value).slice(4 - width) : u32le(value).slice(0, width);
  const at = placeIn(random, Math.max(1, out.length - width));
  out.set(encoded.subarray(0, Math.max(0, out.length - at)), at);
  return out;
};

const truncate: Operator = (bytes, random) => bytes.slice(0, below(random, bytes.length));

const cutOut: Operator = (bytes, random) => {
  const from = below(random, bytes.length);
  return joined(bytes.subarray(0, from), bytes.subarray(from + 1 + below(random, 64)));
};

const repeatRange: Operator = (bytes, random) => {
  const from = below(random, bytes.length);
  const to = Math.min(bytes.length, from + 1 + below(random, 128));
  const times = 1 + below(random, 20);
  const range = bytes.subarray(from, to);
  return joined(bytes.subarray(0, to), ...new Array<Uint8Array>(times).fill(range), bytes.subarray(to));
};

/** Joins the start of one file and the end of another. */
const splice: Operator = (bytes, random, _kind, other) =>
  joined(bytes.subarray(0, below(random, bytes.length)), other.subarray(below(random, other.length)));

const partsIn = (bytes: Uint8Array, kind: Kind, random: Random, count: number): Span[] => {
  const parts = partsOf(kind, bytes);
  if (parts.length === 0) return [];
  return Array.from({ length: count }, () => parts[below(random, parts.length)] ?? { start: 0, end: 0 });
};

const dropPart: Operator = (bytes, random, kind) => {
  const [part] = partsIn(bytes, kind, random, 1);
  return part === undefined ? bytes : joined(bytes.subarray(0, part.start), bytes.subarray(part.end));
};

const doublePart: Operator = (bytes, random, kind) => {
  const [part, place] = partsIn(bytes, kind, random, 2);
  if (part === undefined || place === undefined) return bytes;
  return joined(
    bytes.subarray(0, place.start),
    bytes.subarray(part.start, part.end),
    bytes.subarray(place.start),
  );
};

const swapParts: Operator = (bytes, random, kind) => {
  const [one, other] = partsIn(bytes, kind, random, 2);
  if (one === undefined || other === undefined) return bytes;
  const [first, second] = one.start <= other.start ? [one, other] : [other, one];
  if (second.start < first.end) return bytes;
  return joined(
    bytes.subarray(0, first.start),
    bytes.subarray(second.start, second.end),
    bytes.subarray(first.end, second.start),
    bytes.subarray(first.start, first.end),
    bytes.subarray(second.end),
  );
};

/** Inserts a part of another file of the same kind. */
const graftPart: Operator = (bytes, random, kind, other) => {
  const [part] = partsIn(other, kind, random, 1);
  const [place] = partsIn(bytes, kind, random, 1);
  if (part === undefined || place === undefined) return bytes;
  return joined(
    bytes.subarray(0, place.start),
    other.subarray(part.start, part.end),
    bytes.subarray(place.start),
  );
};

const OPERATORS: readonly Operator[] = [
  flipBits,
  overwriteBytes,
  overwriteNumber,
  overwriteNumber,
  truncate,
  cutOut,
  repeatRange,
  splice,
  dropPart,
  doublePart,
  swapParts,
  graftPart,
];

/**
 * Changes a file one to three times. Most results get valid checksums and an outer length, so that they pass the first
 * checks.
 */
export function mutate(kind: Kind, seed: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let bytes = seed;
  for (let changes = 1 + below(random, 3); changes > 0 && bytes.length > 0; changes -= 1) {
    const operator = OPERATORS[below(random, OPERATORS.length)] ?? flipBits;
    bytes = operator(bytes, random, kind, other);
  }
  return random() < 0.8 ? repaired(kind, bytes) : bytes;
}

function repaired(kind: Kind, bytes: Uint8Array): Uint8Array {
  if (kind === "webp" && bytes.length >= 12) {
    const out = bytes.slice();
    out.set(u32le(out.length - 8), 4);
    return out;
  }
  if (kind !== "png") return bytes;
  const out = bytes.slice();
  for (const { start, end } of partsOf("png", out)) {
    if (end - start >= 12) out.set(u32(crc32(out.subarray(start + 4, end - 4))), end - 4);
  }
  return out;
}
