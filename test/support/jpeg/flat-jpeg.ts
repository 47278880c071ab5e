import { joined, u8, u16 } from "../binary.ts";
import type { Sampling } from "./coefficients.ts";

const segment = (marker: number, ...parts: Uint8Array[]): Uint8Array => {
  const body = joined(...parts);
  return joined(u8(0xff, marker), u16(body.length + 2), body);
};

/** One code of one bit, 0. */
const oneCode = (tableClass: number, symbol: number): Uint8Array =>
  segment(0xc4, u8(tableClass << 4, 1, ...new Array<number>(15).fill(0), symbol));

/** A run of 2^14 ended blocks: a code and 14 bits of zero. */
const END_RUN_SYMBOL = 0xe0;
const END_RUN_BITS = 15;

/**
 * A progressive picture of one grey, in two scans of DC and two of each component's AC: as large as one likes in a few
 * kilobytes. A decoder cannot know that nothing more will come, and so must hold what it would of any such picture.
 */
export function flatProgressiveJpeg(
  width: number,
  height: number,
  samplings: readonly Sampling[],
): Uint8Array {
  const acrossMax = Math.max(...samplings.map(({ across }) => across));
  const downMax = Math.max(...samplings.map(({ down }) => down));
  const units = Math.ceil(width / (8 * acrossMax)) * Math.ceil(height / (8 * downMax));
  const components = [...samplings.keys()];
  const scan = (
    members: readonly number[],
    first: number,
    last: number,
    bits: number,
    approximation: number,
  ) =>
    joined(
      segment(
        0xda,
        u8(members.length),
        ...members.map((component) => u8(component + 1, 0)),
        u8(first, last, approximation),
      ),
      new Uint8Array(Math.ceil(bits / 8)),
    );
  const blocksOf = ({ across, down }: Sampling): number =>
    Math.ceil((width * across) / acrossMax / 8) * Math.ceil((height * down) / downMax / 8);
  const allBlocks = units * samplings.reduce((sum, { across, down }) => sum + across * down, 0);
  const bandScans = (approximation: number): Uint8Array[] =>
    samplings.map((sampling, component) =>
      scan([component], 1, 63, Math.ceil(blocksOf(sampling) / 2 ** 14) * END_RUN_BITS, approximation),
    );
  return joined(
    u8(0xff, 0xd8),
    segment(0xdb, u8(0), new Uint8Array(64).fill(1)),
    segment(
      0xc2,
      u8(8),
      u16(height, width),
      u8(samplings.length),
      ...samplings.map(({ across, down }, component) => u8(component + 1, (across << 4) | down, 0)),
    ),
    oneCode(0, 0),
    oneCode(1, END_RUN_SYMBOL),
    scan(components, 0, 0, allBlocks, 0x01),
    ...bandScans(0x01),
    ...bandScans(0x10),
    scan(components, 0, 0, allBlocks, 0x10),
    u8(0xff, 0xd9),
  );
}
