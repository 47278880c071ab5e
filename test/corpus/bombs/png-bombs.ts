import { ascii, joined, u8, u16, u32 } from "../../support/binary.ts";
import {
  PNG_SIGNATURE,
  type PngHeader,
  pngChunk,
  pngFile,
  pngHeaderChunk,
  pngPixels,
} from "../../support/png-file.ts";
import { type Bomb, bombsOf } from "./bomb.ts";
import { deflatedZeros } from "./zeros.ts";

const png = bombsOf("png");

const SMALL: PngHeader = { width: 40, height: 30, bitDepth: 8, colourType: 6 };
const ZEROS_MB = 24;
const pixels = () => pngPixels(SMALL);
const named = (name: string, body: Uint8Array): Uint8Array => joined(ascii(name), u8(0, 0), body);
const sized = (width: number, height: number): Uint8Array =>
  pngFile({ ...SMALL, width, height }, pngChunk("IDAT", u8(0x78, 1, 3, 0, 0, 0, 0, 1)));
const HUGE = ["TOO_LARGE/ASSET_UNREADABLE"];

export const PNG_BOMBS: readonly Bomb[] = [
  png("pixels that inflate to 24 MB behind the last row", ["taken/drawn"], async () =>
    pngFile(SMALL, pngChunk("IDAT", await deflatedZeros(ZEROS_MB))),
  ),
  png("a colour profile that inflates to 24 MB", ["taken/drawn"], async () =>
    pngFile(SMALL, pngChunk("iCCP", named("p", await deflatedZeros(ZEROS_MB))), pixels()),
  ),
  png("a comment that inflates to 24 MB", ["taken/drawn"], async () =>
    pngFile(SMALL, pngChunk("zTXt", named("Comment", await deflatedZeros(ZEROS_MB))), pixels()),
  ),
  png(
    "the largest picture taken, of zeros: 48 megapixels in 200 KB",
    ["taken/drawn"],
    async () =>
      pngFile(
        { width: 8192, height: 5859, bitDepth: 8, colourType: 6 },
        pngChunk("IDAT", await deflatedZeros(184)),
      ),
    { cpuMsMax: 8_000, isHeavy: true },
  ),
  png(
    "the same interlaced, with 16 bits a sample",
    ["taken/ASSET_UNREADABLE"],
    async () =>
      pngFile(
        { width: 8192, height: 5859, bitDepth: 16, colourType: 6, isInterlaced: true },
        pngChunk("IDAT", await deflatedZeros(184)),
      ),
    { cpuMsMax: 8_000, isHeavy: true },
  ),
  png("a header of 10^9 pixels", HUGE, () => sized(31_623, 31_623)),
  png("a header of 2^62 pixels", HUGE, () => sized(0x7fffffff, 0x7fffffff)),
  png("one long line of 2^31 pixels", HUGE, () => sized(0x7fffffff, 1)),
  png("a chunk that says it has 4 GB", ["TRUNCATED/ASSET_UNREADABLE"], () =>
    joined(PNG_SIGNATURE, pngHeaderChunk(SMALL), u32(0xffffffff), ascii("IDAT"), new Uint8Array(64)),
  ),
  png("a million empty chunks", ["NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE"], () => {
    const empty = pngChunk("IDAT", u8());
    const many = new Uint8Array(empty.length * 1_000_000);
    for (let at = 0; at < many.length; at += empty.length) many.set(empty, at);
    return joined(PNG_SIGNATURE, pngHeaderChunk(SMALL), many);
  }),
  png("pixels in 60,000 chunks of one byte", ["taken/drawn"], () => {
    const header: PngHeader = { width: 200, height: 100, bitDepth: 16, colourType: 6 };
    const body = pngPixels(header).subarray(8, -4);
    const stored = joined(...Array.from(body.subarray(0, 60_000), (byte) => pngChunk("IDAT", u8(byte))));
    return pngFile(header, stored);
  }),
  png("an animation of one million frames", ["UNSUPPORTED/drawn"], () =>
    pngFile(SMALL, pngChunk("acTL", u32(1_000_000, 0)), pixels()),
  ),
  png("an animation that says it has no frames, behind its pixels", ["taken/drawn"], () =>
    pngFile(SMALL, pixels(), pngChunk("acTL", u32(0, 0)), pngChunk("fdAT", new Uint8Array(5_000))),
  ),
  png("indices past the end of a palette of one colour", ["taken/drawn", "taken/ASSET_UNREADABLE"], () => {
    const header: PngHeader = { width: 64, height: 64, bitDepth: 8, colourType: 3 };
    return pngFile(header, pngChunk("PLTE", u8(1, 2, 3)), pngPixels(header));
  }),
  png("a transparency chunk longer than its palette", ["taken/drawn", "taken/ASSET_UNREADABLE"], () => {
    const header: PngHeader = { width: 64, height: 64, bitDepth: 8, colourType: 3 };
    return pngFile(
      header,
      pngChunk("PLTE", u8(1, 2, 3)),
      pngChunk("tRNS", new Uint8Array(100_000)),
      pngPixels(header),
    );
  }),
  png("an EXIF directory that points at itself", ["taken/drawn"], () => {
    const directory = joined(ascii("MM"), u16(42), u32(8), u16(0xffff), new Uint8Array(4_000));
    return pngFile(SMALL, pngChunk("eXIf", directory), pixels());
  }),
  png("a ZIP and a web page behind the end", ["taken/drawn"], () =>
    joined(
      pngFile(SMALL, pixels()),
      ascii("<html><script>alert(1)</script></html>PK\u0003\u0004PK\u0005\u0006"),
    ),
  ),
];
