/**
 * Entropy-coded pixels of one image (RFC 9649, 3.7.2.3), in file order, before any transform is undone. Holds as much of
 * what came before as copies can reach.
 */
import { take } from "../arena";
import {
  at as bitsAt,
  end as bitsEnd,
  held,
  heldCount,
  isLast,
  SYMBOL_BYTES_MAX,
  saveBits,
} from "../bit-window";
import { distanceOf } from "./distance-map";
import {
  ALPHA,
  ALPHA_BITS,
  BLUE,
  CACHED,
  DISTANCE,
  GREEN,
  GROUP_BYTES,
  NOT_WHOLE,
  PIXELS,
  PIXELS_MASK,
  RED,
  REST_ALPHA,
} from "./prefix-codes";
import { lookUp } from "./prefix-tables";

export const PIXELS_READY: i32 = 0;
export const PIXELS_NEED_INPUT: i32 = 1;
export const PIXELS_DAMAGED: i32 = 2;

/** Copies reach at most 2^20 - 120 pixels back. */
const HISTORY_PX: i32 = 1 << 20;
const COPY_PX_MAX: i32 = 4096;
/** Copies and vectors write up to four pixels more than they should. */
const SLACK_PX: i32 = 16;
/** A colour table is an image of its own, which may be larger than the picture. */
const COLOURS_MAX: i32 = 256;
const CACHE_BITS_MAX: i32 = 11;
const HASH: u32 = 0x1e35a7bd;

const cache: usize = memory.data(4 << CACHE_BITS_MAX, 16);

let buffer: usize = 0;
let bufferPx: i32 = 0;
let width: i32 = 0;
let pixelsLeft: i32 = 0;
let rowStart: usize = 0;
let position: usize = 0;
let row: i32 = 0;
let groups: usize = 0;
let tileBits: i32 = 0;
let tilesAcross: i32 = 0;
let tiles: usize = 0;
let cacheBits: i32 = 0;
let cached: usize = 0;

/** Takes memory for a picture and the smaller images it comes with. False when there is none. */
export function reservePixels(pictureWidth: i32, pictureHeight: i32): bool {
  const pixels = max(pictureWidth * pictureHeight, COLOURS_MAX);
  bufferPx = min(pixels, HISTORY_PX * 2) + max(pictureWidth, COLOURS_MAX) + COPY_PX_MAX + SLACK_PX;
  buffer = take((<usize>bufferPx) << 2);
  return buffer !== 0;
}

/** Begins an image of one prefix code group, `groupsAt`. A colour cache of 0 bits is none. */
export function startPixels(imageWidth: i32, imageHeight: i32, groupsAt: usize, bits: i32): void {
  width = imageWidth;
  pixelsLeft = imageWidth * imageHeight;
  rowStart = buffer;
  position = buffer;
  cached = buffer;
  row = 0;
  groups = groupsAt;
  tiles = 0;
  cacheBits = bits;
  if (bits > 0) memory.fill(cache, 0, (<usize>4) << bits);
}

/** Has each tile of `1 << bits` pixels use the group that its 16-bit number in `map` says. */
export function useTiles(map: usize, bits: i32, across: i32): void {
  tiles = map;
  tileBits = bits;
  tilesAcross = across;
}

/** Decodes to the end of the row. Ready: it stands at `pixelRow()`, until the next one is asked for. */
export function decodeRow(): i32 {
  const rowEnd = rowStart + ((<usize>width) << 2);
  return rowEnd > position ? decodeUntil(rowEnd) : PIXELS_READY;
}

export function pixelRow(): usize {
  return rowStart;
}

/** Leaves the row behind. */
export function nextRow(): void {
  rowStart += (<usize>width) << 2;
  row++;
  const roomPx = bufferPx - width - COPY_PX_MAX - SLACK_PX;
  if (rowStart <= buffer + ((<usize>roomPx) << 2)) return;
  if (cacheBits > 0) fillCache(position);
  const oldest = rowStart - ((<usize>HISTORY_PX) << 2);
  memory.copy(buffer, oldest, position - oldest);
  position -= oldest - buffer;
  rowStart -= oldest - buffer;
  cached = position;
}

function enter(pixel: u32, shift: u32): void {
  store<u32>(cache + (((pixel * HASH) >> shift) << 2), pixel);
}

/** Enters the pixels that came since it was last looked at. */
function fillCache(until: usize): void {
  const shift = 32 - cacheBits;
  for (let from = cached; from < until; from += 4) enter(load<u32>(from), shift);
  cached = until;
}

function decodeUntil(target: usize): i32 {
  let to = position;
  let at = bitsAt;
  let bits = held;
  let count = heldCount;
  const left = pixelsLeft;
  const safe = isLast ? bitsEnd + 8 : bitsEnd - SYMBOL_BYTES_MAX;
  const shift = 32 - cacheBits;
  let entered = cached;
  let status = PIXELS_READY;
  while (to < target) {
    if (at > safe) {
      status = isLast ? PIXELS_DAMAGED : PIXELS_NEED_INPUT;
      break;
    }
    let group = groups;
    let segmentEnd = target;
    if (tiles !== 0) {
      const x = <i32>((to - rowStart) >> 2) >> tileBits;
      const index = (row >> tileBits) * tilesAcross + x;
      group += <usize>load<u16>(tiles + ((<usize>index) << 1)) * GROUP_BYTES;
      segmentEnd = min(target, rowStart + ((<usize>((x + 1) << tileBits)) << 2));
    }
    const pixels = load<usize>(group, PIXELS);
    const pixelsMask = load<u32>(group, PIXELS_MASK);
    const alphaBits = load<u32>(group, ALPHA_BITS);
    const green = load<usize>(group, GREEN);
    const greenMask = load<u32>(group, GREEN + 4);
    const red = load<usize>(group, RED);
    const redMask = load<u32>(group, RED + 4);
    const blue = load<usize>(group, BLUE);
    const blueMask = load<u32>(group, BLUE + 4);
    const alpha = load<usize>(group, ALPHA);
    const alphaMask = load<u32>(group, ALPHA + 4);
    while (to < segmentEnd && at <= safe) {
      bits |= load<u64>(at) << count;
      at += <usize>((63 - count) >> 3);
      count |= 56;
      let whole = load<u32>(pixels + ((<u32>bits & pixelsMask) << 2));
      bits >>= <u64>(whole & 15);
      count -= <u64>(whole & 15);
      let pixel = (whole >> 8) | alphaBits;
      if ((whole & 0xf0) === 0) {
        store<u32>(to, pixel);
        to += 4;
        // Of what is held, four pixels of up to 10 bits can be read.
        for (let more = 3; more > 0 && to < segmentEnd; more--, to += 4) {
          whole = load<u32>(pixels + ((<u32>bits & pixelsMask) << 2));
          if (whole & 0xf0) break;
          bits >>= <u64>(whole & 15);
          count -= <u64>(whole & 15);
          store<u32>(to, (whole >> 8) | alphaBits);
        }
        continue;
      }
      if (whole & CACHED) {
        for (; entered < to; entered += 4) enter(load<u32>(entered), shift);
        store<u32>(to, load<u32>(cache + ((whole >> 8) << 2)));
        to += 4;
        continue;
      }
      if (whole & NOT_WHOLE) {
        const entry = lookUp(green, greenMask, bits);
        bits >>= <u64>(entry & 15);
        count -= <u64>(entry & 15);
        const symbol = entry >> 4;
        if (symbol >= 280) {
          for (; entered < to; entered += 4) enter(load<u32>(entered), shift);
          store<u32>(to, load<u32>(cache + ((symbol - 280) << 2)));
          to += 4;
          continue;
        }
        if (symbol >= 256) {
          // A length prefix, its bits, a distance prefix, its bits: at most 15 + 10, then 15 + 18.
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
          const far = lookUp(load<usize>(group, DISTANCE), load<u32>(group, DISTANCE + 4), bits);
          bits >>= <u64>(far & 15);
          count -= <u64>(far & 15);
          let code = (far >> 4) + 1;
          if (code > 4) {
            const extra = (code - 3) >> 1;
            code = ((2 + ((code - 1) & 1)) << extra) + (<u32>bits & ((1 << extra) - 1)) + 1;
            bits >>= <u64>extra;
            count -= <u64>extra;
          }
          const back = (<usize>distanceOf(code, width)) << 2;
          const bytes = (<usize>length) << 2;
          if (to - buffer < back || <i32>length > left - <i32>((to - position) >> 2)) {
            status = PIXELS_DAMAGED;
            break;
          }
          copyBack(to, back, bytes);
          to += bytes;
          continue;
        }
        pixel = (symbol << 8) | alphaBits;
      }
      if ((whole & REST_ALPHA) === 0) {
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
    if (status !== PIXELS_READY) break;
  }
  pixelsLeft = left - <i32>((to - position) >> 2);
  position = to;
  cached = entered;
  saveBits(at, bits, count);
  return status;
}

/** Copies from `back` bytes before; overlapping copies repeat. May write up to 12 bytes more. */
function copyBack(to: usize, back: usize, bytes: usize): void {
  const end = to + bytes;
  if (back >= 16) {
    for (; to < end; to += 16) v128.store(to, v128.load(to - back));
    return;
  }
  if (back === 4) {
    const pixel = i32x4.splat(load<i32>(to - 4));
    for (; to < end; to += 16) v128.store(to, pixel);
    return;
  }
  for (; to < end; to += 4) store<u32>(to, load<u32>(to - back));
}
