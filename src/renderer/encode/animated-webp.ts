import { concatUint8Arrays } from "uint8array-extras";
import type { Box } from "../types.ts";

/** An animated WebP from its parts (the WebP container specification): VP8X, ANIM, one ANMF per frame. */
export function webpFile(
  width: number,
  height: number,
  loops: number,
  frames: readonly Uint8Array[],
): Uint8Array {
  const ANIMATION_FLAG = 0x02;
  const extended = chunk(
    "VP8X",
    Uint8Array.of(ANIMATION_FLAG, 0, 0, 0, ...uint24(width - 1), ...uint24(height - 1)),
  );
  // Background (white, which every frame covers) and total number of plays.
  const animation = chunk("ANIM", Uint8Array.of(255, 255, 255, 255, loops & 255, loops >> 8));
  const body = concatUint8Arrays([Uint8Array.from(ascii("WEBP")), extended, animation, ...frames]);
  return chunk("RIFF", body);
}

/**
 * An ANMF frame made from a still WebP of the part of the canvas in `box`. The corner of the box has even coordinates.
 * Null when the still has no lossy picture.
 */
export function webpFrame(still: Uint8Array, box: Box, delayMs: number): Uint8Array | null {
  const picture = pictureChunk(still);
  if (picture === null) return null;
  // Bit 1: no blending; the pixels are opaque.
  const head = Uint8Array.of(
    ...uint24(box.x / 2),
    ...uint24(box.y / 2),
    ...uint24(box.width - 1),
    ...uint24(box.height - 1),
    ...uint24(delayMs),
    0x02,
  );
  return chunk("ANMF", concatUint8Arrays([head, picture]));
}

/** The `VP8 ` chunk of a file, padded. */
function pictureChunk(still: Uint8Array): Uint8Array | null {
  const view = new DataView(still.buffer, still.byteOffset, still.byteLength);
  let at = 12;
  while (at + 8 <= still.length) {
    const length = view.getUint32(at + 4, true);
    const next = at + 8 + length + (length & 1);
    if (String.fromCharCode(...still.subarray(at, at + 4)) === "VP8 ") return still.subarray(at, next);
    at = next;
  }
  return null;
}

function chunk(tag: string, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8 + body.length + (body.length & 1));
  bytes.set(ascii(tag));
  new DataView(bytes.buffer).setUint32(4, body.length, true);
  bytes.set(body, 8);
  return bytes;
}

function uint24(value: number): readonly [number, number, number] {
  return [value & 255, (value >> 8) & 255, value >> 16];
}

function ascii(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}
