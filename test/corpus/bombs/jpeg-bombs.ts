import { ascii, joined, u8, u16, u32 } from "../../support/binary.ts";
import { fixtureFile } from "../../support/fixture-file.ts";
import { frameHeader, oneCode, scanHeader, segment } from "../../support/flat-jpeg.ts";
import { type Bomb, bombsOf } from "./bomb.ts";

const jpeg = bombsOf("jpeg");

const START = u8(0xff, 0xd8);
const END = u8(0xff, 0xd9);

const frame = (marker: number, width: number, height: number, components: number): Uint8Array =>
  frameHeader(marker, width, height, new Array(components).fill({ h: 1, v: 1 }));

const blocksOf = (width: number, height: number): number => Math.ceil(width / 8) * Math.ceil(height / 8);

/** Zero bits, each of which is a Huffman code. */
const zeroBits = (bits: number): Uint8Array => new Uint8Array(Math.ceil(bits / 8));

/** A whole file of these scans, whose one code of either table is the bit 0. */
const file = (header: Uint8Array, acSymbol: number, ...scans: readonly Uint8Array[]): Uint8Array =>
  joined(
    START,
    segment(0xdb, u8(0), new Uint8Array(64).fill(1)),
    header,
    oneCode(0, 0),
    oneCode(1, acSymbol),
    ...scans,
    END,
  );

const baseline = (width: number, height: number): Uint8Array =>
  file(frame(0xc0, width, height, 1), 0, scanHeader([1], 0, 63, 0), zeroBits(blocksOf(width, height) * 2));

/** A scan of zeros for each coefficient. The AC code is EOB14: a run of at least 16,384 blocks (T.81, G.1.2.2). */
function progressive(width: number, height: number, acScans: number): Uint8Array {
  const blocks = blocksOf(width, height);
  const runs = Math.ceil(blocks / 16_384);
  const acScan = (index: number): Uint8Array => {
    const coefficient = 1 + (index % 63);
    return joined(scanHeader([1], coefficient, coefficient, 0), zeroBits(runs * 15));
  };
  return file(
    frame(0xc2, width, height, 1),
    0xe0,
    scanHeader([1], 0, 0, 0),
    zeroBits(blocks),
    ...Array.from({ length: acScans }, (_, index) => acScan(index)),
  );
}

/**
 * 48 megapixels of three components in 60 AC scans, first and refinement, in which every block has an EOB of its own:
 * no EOBRUN spares the decoder a block.
 */
function refined(width: number, height: number): Uint8Array {
  const blocks = blocksOf(width, height);
  const scans: Uint8Array[] = [scanHeader([1, 2, 3], 0, 0, 0x0d), zeroBits(blocks * 3)];
  for (let round = 0; round < 20; round += 1) {
    for (let component = 1; component <= 3; component += 1) {
      const ah = Math.max(0, 13 - round);
      const ahAl = round === 0 || ah === 0 ? 13 : (ah << 4) | (ah - 1);
      scans.push(scanHeader([component], 1, 63, ahAl), zeroBits(blocks));
    }
  }
  return file(frame(0xc2, width, height, 3), 0, ...scans);
}

/** A CMYK profile with a CLUT of so many grid points. */
function cmykProfile(gridPoints: number): Uint8Array {
  const nodes = gridPoints ** 4;
  const table = joined(
    ascii("mft1"),
    u32(0),
    u8(4, 3, gridPoints, 0),
    new Uint8Array(36),
    new Uint8Array(256 * 4 + nodes * 3 + 256 * 3).fill(90),
  );
  const header = new Uint8Array(128);
  header.set(ascii("CMYKLab "), 16);
  header.set(ascii("acsp"), 36);
  return joined(header, u32(1), ascii("A2B0"), u32(144, table.length), table);
}

const ICC_PART_BYTES = 65_000;
function cmykPicture(profile: Uint8Array): Uint8Array {
  const count = Math.ceil(profile.length / ICC_PART_BYTES);
  const parts = Array.from({ length: count }, (_, index) =>
    segment(
      0xe2,
      joined(
        ascii("ICC_PROFILE\0"),
        u8(index + 1, count),
        profile.subarray(index * ICC_PART_BYTES, (index + 1) * ICC_PART_BYTES),
      ),
    ),
  );
  const whole = file(frame(0xc0, 64, 64, 4), 0, scanHeader([1, 2, 3, 4], 0, 63, 0), zeroBits(64 * 4 * 2));
  const adobe = segment(0xee, ascii("Adobe"), u16(100, 0, 0), u8(0));
  return joined(START, adobe, ...parts, whole.subarray(START.length));
}

export const JPEG_BOMBS: readonly Bomb[] = [
  jpeg("a header of 4 × 10^9 pixels", ["TRUNCATED/ASSET_UNREADABLE", "TOO_LARGE/ASSET_UNREADABLE"], () =>
    baseline(65_500, 65_500).subarray(0, 5_000),
  ),
  jpeg("10^9 pixels to the end", ["TOO_LARGE/ASSET_UNREADABLE"], () => baseline(31_623, 31_623)),
  jpeg(
    "the largest picture taken, of zeros: 48 megapixels in 190 KB",
    ["taken/drawn"],
    () => baseline(8192, 5859),
    { cpuMsMax: 4_000, isHeavy: true },
  ),
  jpeg(
    "48 megapixels of which the file holds a hundred bytes",
    ["taken/drawn", "taken/ASSET_UNREADABLE"],
    () => joined(baseline(8192, 5859).subarray(0, 300), END),
    { cpuMsMax: 4_000, isHeavy: true },
  ),
  jpeg("64 scans over 48 megapixels", ["taken/drawn"], () => progressive(8192, 5859, 63), {
    cpuMsMax: 4_000,
    isHeavy: true,
  }),
  jpeg("48 megapixels of which every scan takes every block", ["taken/drawn"], () => refined(8192, 5859), {
    cpuMsMax: 4_000,
    isHeavy: true,
  }),
  jpeg("1,000 scans", ["TOO_LARGE/ASSET_UNREADABLE"], () => progressive(800, 600, 1_000)),
  jpeg(
    "two frame headers, the second a hundred times larger",
    ["NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE"],
    () => {
      const whole = baseline(80, 60);
      return joined(whole.subarray(0, -2), frame(0xc0, 8000, 6000, 1), END);
    },
  ),
  jpeg(
    "a frame of no lines, with the number in a DNL segment",
    ["UNSUPPORTED/ASSET_UNREADABLE", "NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE"],
    () => joined(baseline(80, 0).subarray(0, -2), segment(0xdc, u16(60)), END),
  ),
  jpeg("RST behind every block, all with the same number", ["taken/drawn", "taken/ASSET_UNREADABLE"], () => {
    const whole = fixtureFile("jpeg/420-rst-1-152x104.jpg");
    return whole.map((byte, at) => (byte >= 0xd0 && byte <= 0xd7 && whole[at - 1] === 0xff ? 0xd0 : byte));
  }),
  jpeg(
    "a million fill bytes before each marker",
    ["taken/drawn", "taken/ASSET_UNREADABLE", "NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE"],
    () => {
      const fill = new Uint8Array(1_000_000).fill(0xff);
      const whole = baseline(80, 60);
      return joined(START, fill, whole.subarray(2, -2), fill, END);
    },
  ),
  jpeg(
    "100,000 comments",
    ["taken/drawn", "TRUNCATED/ASSET_UNREADABLE", "NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE"],
    () =>
      joined(
        START,
        ...new Array<Uint8Array>(100_000).fill(segment(0xfe, u8())),
        baseline(80, 60).subarray(2),
      ),
  ),
  jpeg("a press profile of 923,521 nodes for 64 pixels", ["taken/drawn"], () => cmykPicture(cmykProfile(31))),
  jpeg("a ZIP behind the end", ["taken/drawn"], () => joined(baseline(80, 60), ascii("PK\u0003\u0004"))),
];
