import { ascii, joined, u8, u32le } from "../../support/binary.ts";
import { riffChunk, webpCanvas, webpFile } from "../../support/riff.ts";
import { BitWriter } from "./bit-writer.ts";
import { type Bomb, bombsOf } from "./bomb.ts";

const webp = bombsOf("webp");

/** Signature, size, no alpha, version 0 (WebP Lossless Bitstream, 3). */
const lossless = (width: number, height: number): BitWriter =>
  new BitWriter()
    .write(0x2f, 8)
    .write(width - 1, 14)
    .write(height - 1, 14)
    .write(0, 4);

/** A prefix code of one symbol below 2, which then takes no bits at all. */
const oneSymbol = (bits: BitWriter, symbol: number): BitWriter =>
  bits.write(1, 1).write(0, 1).write(0, 1).write(symbol, 1);

/** A prefix code of the symbols 0–255, eight bits each. */
function everyByte(bits: BitWriter): BitWriter {
  // Not simple; twelve code length codes, of which only that of length 8 (the twelfth in the format's order) is used.
  bits.write(0, 1).write(8, 4);
  for (let position = 0; position < 12; position += 1) bits.write(position === 11 ? 1 : 0, 3);
  // 256 lengths follow, which take no bits.
  return bits.write(1, 1).write(3, 3).write(254, 8);
}

/** A byte in such a code: prefix codes are packed from their first bit on. */
function writeByte(bits: BitWriter, value: number): void {
  for (let bit = 7; bit >= 0; bit -= 1) bits.write((value >> bit) & 1, 1);
}

/** A picture of one colour: its pixels take no bits. */
function oneColour(width: number, height: number): Uint8Array {
  const bits = lossless(width, height).write(0, 1).write(0, 1).write(0, 1);
  for (let code = 0; code < 5; code += 1) oneSymbol(bits, 0);
  return webpFile(riffChunk("VP8L", bits.finish()));
}

/**
 * The entropy image names a group of prefix codes for each block of 4 × 4 pixels by the red and green of its pixels
 * (WebP Lossless Bitstream, 6.2.2). Every group takes 20 bits here and about 12–20 KB of tables in libwebp, which
 * reserved 1.4 GB of WASM memory for them.
 */
function manyGroups(): Uint8Array {
  const bits = lossless(1024, 1024).write(0, 1);
  bits.write(1, 1).write(11, 4);
  bits.write(1, 1).write(0, 3);
  bits.write(0, 1);
  everyByte(everyByte(bits));
  oneSymbol(oneSymbol(oneSymbol(bits, 0), 0), 0);
  for (let group = 0; group < 65_536; group += 1) {
    writeByte(bits, group & 255);
    writeByte(bits, group >> 8);
  }
  for (let code = 0; code < 65_536 * 5; code += 1) oneSymbol(bits, 0);
  return webpFile(riffChunk("VP8L", bits.finish()));
}

export const WEBP_BOMBS: readonly Bomb[] = [
  webp("the largest picture taken, of one colour: 48 megapixels in 40 bytes", ["taken/drawn"], () =>
    oneColour(8192, 5859),
  ),
  // Its tables fit in no cache: over a second of CPU time beside others that use the same memory.
  webp(
    "65,536 groups of prefix codes, whose tables take 1.3 GB in libwebp, in 300 KB",
    ["taken/drawn"],
    manyGroups,
    { cpuMsMax: 3_000 },
  ),
  webp("a header of 2.6 × 10^8 pixels", ["TOO_LARGE/ASSET_UNREADABLE"], () => oneColour(16_384, 16_384)),
  webp(
    "a canvas of 2.8 × 10^14 pixels around a small picture",
    ["NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE"],
    () => {
      const small = oneColour(16, 16).subarray(12);
      return webpFile(webpCanvas(0, 2 ** 24, 2 ** 24), small);
    },
  ),
  webp("an animation of 60,000 frames", ["UNSUPPORTED/ASSET_UNREADABLE"], () => {
    const frames = new Array<Uint8Array>(60_000).fill(riffChunk("ANMF", new Uint8Array(24)));
    return webpFile(webpCanvas(2, 16, 16), ...frames);
  }),
  webp("a chunk that says it has 4 GB", ["TRUNCATED/ASSET_UNREADABLE"], () =>
    webpFile(joined(ascii("VP8L"), u32le(0xffffffff), new Uint8Array(64))),
  ),
  webp("a file that says it has 4 GB", ["TRUNCATED/ASSET_UNREADABLE"], () =>
    joined(ascii("RIFF"), u32le(0xfffffff0), oneColour(16, 16).subarray(8)),
  ),
  webp("a million empty chunks before the picture", ["TRUNCATED/ASSET_UNREADABLE"], () => {
    const empty = new Uint8Array(8_000_000);
    for (let at = 0; at < empty.length; at += 8) empty.set(ascii("junk"), at);
    return webpFile(empty, oneColour(16, 16).subarray(12));
  }),
  webp(
    "a lossy picture of 48 megapixels of which the file holds two hundred bytes",
    ["taken/ASSET_UNREADABLE"],
    () => {
      // A first partition of 100 bytes; 8192 × 5856 pixels.
      const header = u8(0x90, 0x0c, 0x00, 0x9d, 0x01, 0x2a, 0x00, 0x20, 0xe0, 0x16);
      return webpFile(riffChunk("VP8 ", joined(header, new Uint8Array(200).fill(0x55))));
    },
  ),
  webp("a lossy picture that says its partitions lie past its end", ["taken/ASSET_UNREADABLE"], () => {
    const header = u8(0x10, 0xff, 0xff, 0x9d, 0x01, 0x2a, 0x00, 0x04, 0x00, 0x04);
    return webpFile(riffChunk("VP8 ", joined(header, new Uint8Array(200).fill(0xaa))));
  }),
];
