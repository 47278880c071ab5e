import { concatUint8Arrays } from "uint8array-extras";
import type { Palette } from "./colour-quantiser.ts";
import { type IndexedFrame, withTransparentIndex } from "./indexed-frames.ts";
import { lzwEncode } from "./lzw.ts";

/** GIF counts time in hundredths of a second; viewers slow anything under two of them down to ten. */
const CENTISECOND_MS = 10;
const DELAY_CENTISECONDS_MIN = 2;

/** Bits of an index into the global colour table: its colours, and one index for transparent (unchanged) pixels. */
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
 * One frame over what is shown before: graphic control extension, image descriptor and LZW data. Pixels that stay are
 * stored as transparent or as they are, whichever is smaller. `clock` carries the rounding of delays from frame to frame.
 */
export function gifFrame(frame: IndexedFrame, palette: Palette, clock: { remainderMs: number }): Uint8Array {
  const transparent = palette.length / 3;
  const bits = tableBits(palette);
  const whole = lzwEncode(frame.indices, bits);
  const holed = frame.unchanged === null ? null : lzwEncode(withTransparentIndex(frame, transparent), bits);
  const hasTransparency = holed !== null && holed.length < whole.length;
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
  return concatUint8Arrays([control, descriptor, hasTransparency ? holed : whole]);
}

export const GIF_TRAILER = Uint8Array.of(0x3b);

function ascii(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}
