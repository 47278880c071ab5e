import { zlibSync } from "fflate";
import { concatUint8Arrays } from "uint8array-extras";
import { crc32 } from "../crc32.ts";

const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** A chunk with its length, type and CRC. */
export function pngChunk(type: string, body: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(body.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length);
  for (let at = 0; at < 4; at++) chunk[4 + at] = type.charCodeAt(at);
  chunk.set(body, 8);
  view.setUint32(body.length + 8, crc32(chunk.subarray(4, body.length + 8)));
  return chunk;
}

type PngColours = "rgb" | "rgba" | 1 | 2 | 4 | 8;

/** IHDR of an 8-bit RGB or RGBA picture, or of a palette picture of the given depth. */
function pngHeader(width: number, height: number, colours: PngColours): Uint8Array {
  const body = new Uint8Array(13);
  const view = new DataView(body.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  body[8] = typeof colours === "number" ? colours : 8;
  body[9] = colours === "rgb" ? 2 : colours === "rgba" ? 6 : 3;
  return pngChunk("IHDR", body);
}

/** sRGB with the perceptual intent, for viewers that manage colour. */
const PNG_SRGB = pngChunk("sRGB", Uint8Array.of(0));
const PNG_END = pngChunk("IEND", new Uint8Array(0));

/** A file of these chunks. */
export const pngFile = (
  width: number,
  height: number,
  colours: PngColours,
  chunks: readonly Uint8Array[],
): Uint8Array =>
  concatUint8Arrays([PNG_SIGNATURE, pngHeader(width, height, colours), PNG_SRGB, ...chunks, PNG_END]);

/** Smallest bit depth of an index into `colours` colours. */
export function indexDepth(colours: number): 1 | 2 | 4 | 8 {
  if (colours <= 2) return 1;
  if (colours <= 4) return 2;
  return colours <= 16 ? 4 : 8;
}

/** Packs one index a byte into rows of `depth` bits, each after filter 0: filters do not help indices. */
export function packIndices(
  indices: Uint8Array,
  width: number,
  height: number,
  depth: 1 | 2 | 4 | 8,
): Uint8Array {
  const rowBytes = Math.ceil((width * depth) / 8);
  const packed = new Uint8Array((rowBytes + 1) * height);
  const perByte = 8 / depth;
  for (let y = 0; y < height; y++) {
    const row = y * (rowBytes + 1) + 1;
    for (let x = 0; x < width; x++) {
      const at = row + Math.floor(x / perByte);
      packed[at] = (packed[at] ?? 0) | ((indices[y * width + x] ?? 0) << (8 - depth - (x % perByte) * depth));
    }
  }
  return packed;
}

/**
 * A zlib stream. Level 9 saves 1 to 2 % of a palette's bytes and takes three times as long. At `mem` 6, fflate's hash
 * table fits a processor's cache.
 */
export function deflate(bytes: Uint8Array, level: 5 | 6 | 9 = 6): Uint8Array {
  return zlibSync(bytes, { level, mem: 6 });
}
