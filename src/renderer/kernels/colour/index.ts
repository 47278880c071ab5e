/**
 * Converts device colours to sRGB bytes, in place, with tables that the caller writes: curves and a 3 × 3 matrix, or a
 * CLUT of three or four channels. Pixels have three or four bytes. The fourth byte is unchanged, except that the K of
 * CMYK becomes opaque alpha. Byte offsets in the tables are trusted: the caller keeps them within the CLUT.
 */

import { allocate, resetAllocator } from "../allocator";
import { lowWords } from "../interleave";

/**
 * Upper bound of the kernel's memory: the pixels of a batch and the tables of the largest CLUT (600,000 nodes of 16
 * bits).
 */
const MEMORY_BYTES_MAX: usize = 2 << 20;

/** Maximum number of pixels in a batch. */
export const BATCH_PX: i32 = 16384;
/** Bytes that vector loads may touch past the end of pixels and nodes. */
const SLACK_BYTES: usize = 16;

/** The matrix yields linear light in 16384ths with 12 more fraction bits. */
const LINEAR_BITS: i32 = 12;
const LINEAR_MAX: i32 = 16384;
/** Weights of the CLUT have 12 fraction bits, its nodes 7. */
const WEIGHT_BITS: i32 = 12;
const WEIGHT_ONE: u32 = 4096;
const NODE_BITS: i32 = 7;

let pixels: usize = 0;
let tables: usize = 0;
let nodes: usize = 0;

/** Allocates the tables of a conversion. Returns 1 when out of memory, else 0. */
export function layOut(tableBytes: i32, nodeBytes: i32): i32 {
  resetAllocator(MEMORY_BYTES_MAX + <usize>nodeBytes);
  pixels = allocate(((<usize>BATCH_PX) << 2) + SLACK_BYTES);
  tables = allocate(<usize>tableBytes);
  nodes = allocate(<usize>nodeBytes + SLACK_BYTES);
  return pixels !== 0 && tables !== 0 && nodes !== 0 ? 0 : 1;
}

/** Address of the batch's pixels, which are converted in place. */
export function pixelsAt(): usize {
  return pixels;
}

/**
 * Address of the tables, which have an entry for each channel and each value of its byte.
 * - Matrix: four 32-bit numbers: the channel's contributions to linear red, green and blue, and one unused.
 * - CLUT: four channels, of which three-channel pixels leave the first unused. An entry has two 32-bit numbers: the
 *   byte offset of the node below the value, then the weight of the node above (upper 16 bits) and its byte distance
 *   from the node below (lower 16 bits). For the first channel, the second number is the weight alone.
 */
export function tablesAt(): usize {
  return tables;
}

/** Address of the nodes, three 16-bit numbers each. For a matrix: the sRGB bytes of 16385 steps of linear light. */
export function nodesAt(): usize {
  return nodes;
}

export function convertByMatrix(count: i32, pixelBytes: i32): void {
  const step = <usize>pixelBytes;
  const end = pixels + <usize>count * step;
  const most = i32x4.splat(LINEAR_MAX);
  const least = i32x4.splat(0);
  for (let at = pixels; at < end; at += step) {
    const red = v128.load(tables + ((<usize>load<u8>(at)) << 4));
    const green = v128.load(tables + ((<usize>load<u8>(at, 1)) << 4), 4096);
    const blue = v128.load(tables + ((<usize>load<u8>(at, 2)) << 4), 8192);
    const linear = i32x4.shr_s(i32x4.add(i32x4.add(red, green), blue), LINEAR_BITS);
    const inRange = i32x4.min_s(i32x4.max_s(linear, least), most);
    store<u8>(at, load<u8>(nodes + <usize>i32x4.extract_lane(inRange, 0)));
    store<u8>(at, load<u8>(nodes + <usize>i32x4.extract_lane(inRange, 1)), 1);
    store<u8>(at, load<u8>(nodes + <usize>i32x4.extract_lane(inRange, 2)), 2);
  }
}

/** Interpolates three channels tetrahedrally. */
export function convertByClut(count: i32, pixelBytes: i32): void {
  const step = <usize>pixelBytes;
  const end = pixels + <usize>count * step;
  for (let at = pixels; at < end; at += step) {
    const x = tables + 2048 + ((<usize>load<u8>(at)) << 3);
    const y = tables + 4096 + ((<usize>load<u8>(at, 1)) << 3);
    const z = tables + 6144 + ((<usize>load<u8>(at, 2)) << 3);
    findCorners(x, y, z);
    storeRgb(at, interpolated(nodes + <usize>(load<u32>(x) + load<u32>(y) + load<u32>(z))));
  }
}

/**
 * Interpolates the last three channels of CMYK tetrahedrally, the first linearly. Neighbouring nodes of the first
 * channel are `lineBytes` apart.
 */
export function convertByInkClut(count: i32, lineBytes: i32): void {
  const end = pixels + ((<usize>count) << 2);
  const half = i32x4.splat(1 << (WEIGHT_BITS - 1));
  for (let at = pixels; at < end; at += 4) {
    const line = tables + ((<usize>load<u8>(at)) << 3);
    const x = tables + 2048 + ((<usize>load<u8>(at, 1)) << 3);
    const y = tables + 4096 + ((<usize>load<u8>(at, 2)) << 3);
    const z = tables + 6144 + ((<usize>load<u8>(at, 3)) << 3);
    findCorners(x, y, z);
    const base = nodes + <usize>(load<u32>(line) + load<u32>(x) + load<u32>(y) + load<u32>(z));
    let value = interpolated(base);
    const weight = load<i32>(line, 4);
    if (weight !== 0) {
      const other = interpolated(base + <usize>lineBytes);
      const part = i32x4.mul(i32x4.sub(other, value), i32x4.splat(weight));
      value = i32x4.add(value, i32x4.shr_s(i32x4.add(part, half), WEIGHT_BITS));
    }
    storeRgb(at, value);
    store<u8>(at, 255, 3);
  }
}

/* The pixel's tetrahedron: byte offsets of its corners from the first corner, and pairs of 16-bit weights. */
let second: usize = 0;
let third: usize = 0;
let fourth: usize = 0;
let firstWeights: u32 = 0;
let lastWeights: u32 = 0;

/**
 * Finds the corners by steps along one channel each, the channel with the largest weight first. The weight is in the
 * upper half of an entry, so comparing entries compares weights.
 */
function findCorners(x: usize, y: usize, z: usize): void {
  const a = load<u32>(x, 4);
  const b = load<u32>(y, 4);
  const c = load<u32>(z, 4);
  const high = max(a, b);
  const low = min(a, b);
  const one = max(high, c);
  const three = min(low, c);
  const two = max(low, min(high, c));
  second = <usize>(one & 0xffff);
  third = second + <usize>(two & 0xffff);
  fourth = third + <usize>(three & 0xffff);
  const most = one >> 16;
  const middle = two >> 16;
  const least = three >> 16;
  firstWeights = (WEIGHT_ONE - most) | ((most - middle) << 16);
  lastWeights = (middle - least) | (least << 16);
}

/**
 * Interpolated red, green and blue in the tetrahedron whose first corner is at `base`, with the nodes' fraction bits.
 */
function interpolated(base: usize): v128 {
  const low = lowWords(v128.load64_zero(base), v128.load64_zero(base + second));
  const high = lowWords(v128.load64_zero(base + third), v128.load64_zero(base + fourth));
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(low, i32x4.splat(<i32>firstWeights)),
    i32x4.dot_i16x8_s(high, i32x4.splat(<i32>lastWeights)),
  );
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(1 << (WEIGHT_BITS - 1))), WEIGHT_BITS);
}

function storeRgb(at: usize, value: v128): void {
  const bytes = i32x4.shr_s(i32x4.add(value, i32x4.splat(1 << (NODE_BITS - 1))), NODE_BITS);
  store<u8>(at, <u8>i32x4.extract_lane(bytes, 0));
  store<u8>(at, <u8>i32x4.extract_lane(bytes, 1), 1);
  store<u8>(at, <u8>i32x4.extract_lane(bytes, 2), 2);
}
