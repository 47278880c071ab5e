import { joined, u8, u16 } from "../../support/binary.ts";

/**
 * A grey baseline JPEG of flat 8×8 blocks with a restart marker behind each (ITU-T T.81, B.2.4.4 and F.1.2).
 * The reference library cannot write restart markers, so this one is made by hand: one DC code of every
 * length from 2 to 9 bits, one AC code, which ends the block.
 */
export function restartJpeg(blocksAcross: number, blocksDown: number): Uint8Array {
  const segment = (marker: number, body: Uint8Array): Uint8Array =>
    joined(u8(0xff, marker), u16(body.length + 2), body);
  const quantisation = joined(u8(0), new Uint8Array(64).fill(8));
  const frame = joined(u8(8), u16(blocksDown * 8, blocksAcross * 8), u8(1, 1, 0x11, 0));
  // Categories 0–7 with codes 00, 010, 0110 …: one of each length from 2 bits on.
  const dcLengths = u8(0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0);
  const dc = joined(u8(0x00), dcLengths, u8(0, 1, 2, 3, 4, 5, 6, 7));
  const ac = joined(u8(0x10), u8(1, ...new Array<number>(15).fill(0)), u8(0));
  const scans: Uint8Array[] = [];
  const blocks = blocksAcross * blocksDown;
  for (let block = 0; block < blocks; block += 1) {
    scans.push(flatBlock((block * 29) % 127));
    if (block + 1 < blocks) scans.push(u8(0xff, 0xd0 + (block % 8)));
  }
  return joined(
    u8(0xff, 0xd8),
    segment(0xdb, quantisation),
    segment(0xc0, frame),
    segment(0xc4, dc),
    segment(0xc4, ac),
    segment(0xdd, u16(1)),
    segment(0xda, u8(1, 1, 0x00, 0, 63, 0)),
    ...scans,
    u8(0xff, 0xd9),
  );
}

/** The bits of one block of a positive DC value, filled up with ones. */
function flatBlock(dc: number): Uint8Array {
  const category = dc === 0 ? 0 : Math.floor(Math.log2(dc)) + 1;
  // Canonical codes over lengths 2, 3, 4 …: 00, 010, 0110, 01110 …
  const code = category === 0 ? "00" : `0${"1".repeat(category)}0`;
  const value = category === 0 ? "" : dc.toString(2).padStart(category, "0");
  const bits = `${code}${value}0`;
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, "1");
  const bytes = (padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return Uint8Array.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])));
}
