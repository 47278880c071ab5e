import { concatUint8Arrays } from "uint8array-extras";
import type { Palette } from "./colour-quantiser.ts";
import { type IndexedFrame, withTransparentIndex } from "./frame-plan.ts";

/** GIF counts time in hundredths of a second. Viewers replace a delay under two hundredths by ten. */
const CENTISECOND_MS = 10;
const DELAY_CENTISECONDS_MIN = 2;

/** Bits of an index into the global colour table, which has one more entry than the palette, for unchanged pixels. */
function tableBits(palette: Palette): number {
  return Math.max(1, Math.ceil(Math.log2(palette.length / 3 + 1)));
}

/** Header, logical screen, global colour table and the NETSCAPE2.0 extension, which counts repeats after the first time. */
export function gifHeader(width: number, height: number, palette: Palette, loops: number): Uint8Array {
  const bits = tableBits(palette);
  const table = new Uint8Array(3 << bits);
  table.set(palette);
  const screen = Uint8Array.of(width & 255, width >> 8, height & 255, height >> 8, 0xf0 | (bits - 1), 0, 0);
  const repeats = loops - 1;
  const loop =
    repeats === 0
      ? new Uint8Array(0)
      : Uint8Array.of(0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, repeats & 255, repeats >> 8, 0);
  return concatUint8Arrays([Uint8Array.from(ascii("GIF89a")), screen, table, loop]);
}

/**
 * One frame over the previous ones: graphic control extension, image descriptor and LZW data. Unchanged pixels are
 * stored as transparent or in their colours, whichever makes the frame smaller. `clock` carries the rounding error of
 * delays from frame to frame.
 */
export function gifFrame(frame: IndexedFrame, palette: Palette, clock: { remainderMs: number }): Uint8Array {
  const transparent = palette.length / 3;
  const bits = tableBits(palette);
  const whole = lzwEncode(frame.indices, bits);
  const withTransparency =
    frame.unchanged === null ? null : lzwEncode(withTransparentIndex(frame, transparent), bits);
  const hasTransparency = withTransparency !== null && withTransparency.length < whole.length;
  const { x, y, width, height } = frame.box;
  const exactMs = frame.delayMs + clock.remainderMs;
  const delay = Math.max(DELAY_CENTISECONDS_MIN, Math.round(exactMs / CENTISECOND_MS));
  clock.remainderMs = exactMs - delay * CENTISECOND_MS;
  // Disposal method 1, "do not dispose": the frame stays under the next.
  const control = Uint8Array.of(
    0x21,
    0xf9,
    4,
    0x04 | (hasTransparency ? 1 : 0),
    delay & 255,
    delay >> 8,
    transparent,
    0,
  );
  const descriptor = Uint8Array.of(
    0x2c,
    x & 255,
    x >> 8,
    y & 255,
    y >> 8,
    width & 255,
    width >> 8,
    height & 255,
    height >> 8,
    0,
  );
  return concatUint8Arrays([control, descriptor, hasTransparency ? withTransparency : whole]);
}

export const GIF_TRAILER = Uint8Array.of(0x3b);

function ascii(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

const CODE_BITS_MAX = 12;
const CODES_MAX = 1 << CODE_BITS_MAX;
const BLOCK_BYTES_MAX = 255;

/**
 * GIF's variable-length LZW (GIF89a, appendix F): the minimum code size, the codes in sub-blocks of at most
 * 255 bytes, the block terminator.
 */
function lzwEncode(indices: Uint8Array, colourBits: number): Uint8Array {
  const minimumCodeSize = Math.max(2, colourBits);
  const clearCode = 1 << minimumCodeSize;
  const endOfInformation = clearCode + 1;
  // The string table: the code of `prefix` followed by a colour is at `prefix << 8 | colour`. An entry is valid only if
  // its stamp is that of the current table, so a clear code empties the table at no cost.
  const codeAfter = new Uint16Array(CODES_MAX << 8);
  const stampOf = new Uint16Array(CODES_MAX << 8);
  const writer = createBlockWriter(indices.length);
  let stamp = 1;
  let codeSize = minimumCodeSize + 1;
  let freeCode = endOfInformation + 1;
  writer.put(clearCode, codeSize);
  let prefix = indices[0] ?? 0;
  for (let at = 1; at < indices.length; at++) {
    const colour = indices[at] ?? 0;
    const key = (prefix << 8) | colour;
    if (stampOf[key] === stamp) {
      prefix = codeAfter[key] ?? 0;
      continue;
    }
    writer.put(prefix, codeSize);
    if (freeCode < CODES_MAX) {
      codeAfter[key] = freeCode;
      stampOf[key] = stamp;
      if (freeCode === 1 << codeSize) codeSize += 1;
      freeCode += 1;
    } else {
      writer.put(clearCode, codeSize);
      codeSize = minimumCodeSize + 1;
      freeCode = endOfInformation + 1;
      stamp += 1;
    }
    prefix = colour;
  }
  writer.put(prefix, codeSize);
  // The decoder has added a code by now, so this code may take one bit more.
  if (freeCode === 1 << codeSize && codeSize < CODE_BITS_MAX) codeSize += 1;
  writer.put(endOfInformation, codeSize);
  return writer.finish(minimumCodeSize);
}

function createBlockWriter(expected: number): {
  put(code: number, bits: number): void;
  finish(minimum: number): Uint8Array;
} {
  let bytes = new Uint8Array(Math.max(64, expected >> 1));
  let length = 0;
  let pending = 0;
  let pendingBits = 0;
  const push = (byte: number): void => {
    if (length === bytes.length) {
      const larger = new Uint8Array(bytes.length * 2);
      larger.set(bytes);
      bytes = larger;
    }
    bytes[length++] = byte;
  };
  return {
    put(code, bits) {
      pending |= code << pendingBits;
      pendingBits += bits;
      for (; pendingBits >= 8; pendingBits -= 8) {
        push(pending & 255);
        pending >>>= 8;
      }
    },
    finish(minimum) {
      if (pendingBits > 0) push(pending & 255);
      const blocks = Math.ceil(length / BLOCK_BYTES_MAX);
      const out = new Uint8Array(1 + length + blocks + 1);
      out[0] = minimum;
      let to = 1;
      for (let from = 0; from < length; from += BLOCK_BYTES_MAX) {
        const size = Math.min(BLOCK_BYTES_MAX, length - from);
        out[to] = size;
        out.set(bytes.subarray(from, from + size), to + 1);
        to += size + 1;
      }
      return out;
    },
  };
}
