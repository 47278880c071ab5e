/**
 * Decodes the entropy-coded pixels of one image (RFC 9649, 3.7.2.3): literals, LZ77 backward references, color cache
 * codes. Pixels are ARGB words before any inverse transform. Keeps as many decoded pixels as a backward reference can
 * reach.
 */

import { allocate } from "../allocator";
import {
  bitBuffer,
  bitCount,
  at as bitsAt,
  end as bitsEnd,
  isLast,
  SYMBOL_BYTES_MAX,
  saveBits,
} from "../bit-reader";
import { distanceOf } from "./distance-map";
import {
  ALPHA,
  ALPHA_BITS,
  ALPHA_LEFT,
  BLUE,
  CACHE_CODE,
  DISTANCE,
  GREEN,
  GROUP_BYTES,
  NOT_PACKED,
  PACKED,
  PACKED_MASK,
  RED,
} from "./prefix-codes";
import { lookUp } from "./prefix-tables";
import { DAMAGED, NEEDS_INPUT, READY } from "./status";

/** The largest distance is 2^20 - 120 pixels. */
const WINDOW_PX: i32 = 1 << 20;
const COPY_PX_MAX: i32 = 4096;
/** Pixels that vector stores may write past the end. */
const SLACK_PX: i32 = 16;
/** A color table is an image too, and may have more pixels than the picture. */
const COLOURS_MAX: i32 = 256;
const CACHE_BITS_MAX: i32 = 11;
const HASH: u32 = 0x1e35a7bd;

const cache: usize = memory.data(4 << CACHE_BITS_MAX, 16);

let buffer: usize = 0;
let bufferPx: i32 = 0;
let width: i32 = 0;
let pixelsLeft: i32 = 0;
/** Address of the row of `decodeRow`, valid until `nextRow`. */
export let rowStart: usize = 0;
let position: usize = 0;
let row: i32 = 0;
let groups: usize = 0;
let blockBits: i32 = 0;
let blocksPerRow: i32 = 0;
let blockGroups: usize = 0;
let cacheBits: i32 = 0;
let cacheNext: usize = 0;

/** Allocates memory for a picture and its sub-images, which use it first. False when out of memory. */
export function reservePixels(pictureWidth: i32, pictureHeight: i32): bool {
  const pixels = max(pictureWidth * pictureHeight, COLOURS_MAX);
  bufferPx = min(pixels, WINDOW_PX * 2) + max(pictureWidth, COLOURS_MAX) + COPY_PX_MAX + SLACK_PX;
  buffer = allocate((<usize>bufferPx) << 2);
  return buffer !== 0;
}

/** Starts an image with one prefix code group, at `groupsAt`. `bits` is 0 without a color cache. */
export function startPixels(imageWidth: i32, imageHeight: i32, groupsAt: usize, bits: i32): void {
  width = imageWidth;
  pixelsLeft = imageWidth * imageHeight;
  rowStart = buffer;
  position = buffer;
  cacheNext = buffer;
  row = 0;
  groups = groupsAt;
  blockGroups = 0;
  cacheBits = bits;
  if (bits > 0) memory.fill(cache, 0, (<usize>4) << bits);
}

/** Assigns each block of `1 << bits` pixels the group whose 16-bit number is in `map`. */
export function useEntropyImage(map: usize, bits: i32, across: i32): void {
  blockGroups = map;
  blockBits = bits;
  blocksPerRow = across;
}

/** Decodes the rest of the row at `rowStart`. After `NEEDS_INPUT`, the next call continues after the last pixel. */
export function decodeRow(): i32 {
  const rowEnd = rowStart + ((<usize>width) << 2);
  return rowEnd > position ? decodeUntil(rowEnd) : READY;
}

/** Moves to the next row; slides the pixels to the front when the buffer is full. */
export function nextRow(): void {
  rowStart += (<usize>width) << 2;
  row++;
  const roomPx = bufferPx - width - COPY_PX_MAX - SLACK_PX;
  if (rowStart <= buffer + ((<usize>roomPx) << 2)) return;
  if (cacheBits > 0) updateCache(position);
  const oldest = rowStart - ((<usize>WINDOW_PX) << 2);
  memory.copy(buffer, oldest, position - oldest);
  position -= oldest - buffer;
  rowStart -= oldest - buffer;
  cacheNext = position;
}

function insertIntoCache(pixel: u32, shift: u32): void {
  store<u32>(cache + (((pixel * HASH) >> shift) << 2), pixel);
}

/**
 * Inserts the pixels since the last cache lookup, so that pictures that seldom use the cache spend little time on it.
 */
function updateCache(until: usize): void {
  const shift = 32 - cacheBits;
  for (let from = cacheNext; from < until; from += 4) insertIntoCache(load<u32>(from), shift);
  cacheNext = until;
}

function decodeUntil(target: usize): i32 {
  let to = position;
  let at = bitsAt;
  let bits = bitBuffer;
  let count = bitCount;
  const left = pixelsLeft;
  const atMax = isLast ? bitsEnd + 8 : bitsEnd - SYMBOL_BYTES_MAX;
  const shift = 32 - cacheBits;
  let cacheEnd = cacheNext;
  let status = READY;
  while (to < target) {
    if (at > atMax) {
      status = isLast ? DAMAGED : NEEDS_INPUT;
      break;
    }
    let group = groups;
    let segmentEnd = target;
    if (blockGroups !== 0) {
      const x = <i32>((to - rowStart) >> 2) >> blockBits;
      const index = (row >> blockBits) * blocksPerRow + x;
      group += <usize>load<u16>(blockGroups + ((<usize>index) << 1)) * GROUP_BYTES;
      segmentEnd = min(target, rowStart + ((<usize>((x + 1) << blockBits)) << 2));
    }
    const pixels = load<usize>(group, PACKED);
    const pixelsMask = load<u32>(group, PACKED_MASK);
    const alphaBits = load<u32>(group, ALPHA_BITS);
    const green = load<usize>(group, GREEN);
    const greenMask = load<u32>(group, GREEN + 4);
    const red = load<usize>(group, RED);
    const redMask = load<u32>(group, RED + 4);
    const blue = load<usize>(group, BLUE);
    const blueMask = load<u32>(group, BLUE + 4);
    const alpha = load<usize>(group, ALPHA);
    const alphaMask = load<u32>(group, ALPHA + 4);
    while (to < segmentEnd && at <= atMax) {
      bits |= load<u64>(at) << count;
      at += <usize>((63 - count) >> 3);
      count |= 56;
      let packed = load<u32>(pixels + ((<u32>bits & pixelsMask) << 2));
      bits >>= <u64>(packed & 15);
      count -= <u64>(packed & 15);
      let pixel = (packed >> 8) | alphaBits;
      if ((packed & 0xf0) === 0) {
        store<u32>(to, pixel);
        to += 4;
        // The bit buffer holds at least 46 more bits: three more pixels of up to 10 bits and a lookup.
        for (let more = 3; more > 0 && to < segmentEnd; more--, to += 4) {
          packed = load<u32>(pixels + ((<u32>bits & pixelsMask) << 2));
          if (packed & 0xf0) break;
          bits >>= <u64>(packed & 15);
          count -= <u64>(packed & 15);
          store<u32>(to, (packed >> 8) | alphaBits);
        }
        continue;
      }
      if (packed & CACHE_CODE) {
        for (; cacheEnd < to; cacheEnd += 4) insertIntoCache(load<u32>(cacheEnd), shift);
        store<u32>(to, load<u32>(cache + ((packed >> 8) << 2)));
        to += 4;
        continue;
      }
      if (packed & NOT_PACKED) {
        const entry = lookUp(green, greenMask, bits);
        bits >>= <u64>(entry & 15);
        count -= <u64>(entry & 15);
        const symbol = entry >> 4;
        if (symbol >= 280) {
          for (; cacheEnd < to; cacheEnd += 4) insertIntoCache(load<u32>(cacheEnd), shift);
          store<u32>(to, load<u32>(cache + ((symbol - 280) << 2)));
          to += 4;
          continue;
        }
        if (symbol >= 256) {
          // The prefix code and extra bits of a length have at most 15 + 10 bits; after the refill, those of the
          // distance at most 15 + 18.
          let length = symbol - 255;
          if (length > 4) {
            const extra = (length - 3) >> 1;
            length = ((2 + ((length - 1) & 1)) << extra) + (<u32>bits & ((1 << extra) - 1)) + 1;
            bits >>= <u64>extra;
            count -= <u64>extra;
          }
          bits |= load<u64>(at) << count;
          at += <usize>((63 - count) >> 3);
          count |= 56;
          const distanceEntry = lookUp(load<usize>(group, DISTANCE), load<u32>(group, DISTANCE + 4), bits);
          bits >>= <u64>(distanceEntry & 15);
          count -= <u64>(distanceEntry & 15);
          let code = (distanceEntry >> 4) + 1;
          if (code > 4) {
            const extra = (code - 3) >> 1;
            code = ((2 + ((code - 1) & 1)) << extra) + (<u32>bits & ((1 << extra) - 1)) + 1;
            bits >>= <u64>extra;
            count -= <u64>extra;
          }
          const distance = (<usize>distanceOf(code, width)) << 2;
          const bytes = (<usize>length) << 2;
          if (to - buffer < distance || <i32>length > left - <i32>((to - position) >> 2)) {
            status = DAMAGED;
            break;
          }
          copyMatch(to, distance, bytes);
          to += bytes;
          continue;
        }
        pixel = (symbol << 8) | alphaBits;
      }
      if ((packed & ALPHA_LEFT) === 0) {
        const redEntry = lookUp(red, redMask, bits);
        bits >>= <u64>(redEntry & 15);
        count -= <u64>(redEntry & 15);
        const blueEntry = lookUp(blue, blueMask, bits);
        bits >>= <u64>(blueEntry & 15);
        count -= <u64>(blueEntry & 15);
        pixel |= ((redEntry >> 4) << 16) | (blueEntry >> 4);
        bits |= load<u64>(at) << count;
        at += <usize>((63 - count) >> 3);
        count |= 56;
      }
      const alphaEntry = lookUp(alpha, alphaMask, bits);
      bits >>= <u64>(alphaEntry & 15);
      count -= <u64>(alphaEntry & 15);
      store<u32>(to, pixel | ((alphaEntry >> 4) << 24));
      to += 4;
    }
    if (status !== READY) break;
  }
  pixelsLeft = left - <i32>((to - position) >> 2);
  position = to;
  cacheNext = cacheEnd;
  saveBits(at, bits, count);
  return status;
}

/** Copies from `distance` bytes earlier; overlapping pixels repeat. May write up to 12 bytes past the end. */
function copyMatch(to: usize, distance: usize, bytes: usize): void {
  const end = to + bytes;
  if (distance >= 16) {
    for (; to < end; to += 16) v128.store(to, v128.load(to - distance));
    return;
  }
  if (distance === 4) {
    const pixel = i32x4.splat(load<i32>(to - 4));
    for (; to < end; to += 16) v128.store(to, pixel);
    return;
  }
  for (; to < end; to += 4) store<u32>(to, load<u32>(to - distance));
}
