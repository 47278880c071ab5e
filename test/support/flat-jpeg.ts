import { joined, u8, u16 } from "./binary.ts";

/** Sampling factors of a component (ITU-T T.81, A.1.1). */
export interface Sampling {
  readonly h: number;
  readonly v: number;
}

/** A marker segment (T.81, B.1.1.4). */
export const segment = (marker: number, ...parts: Uint8Array[]): Uint8Array => {
  const body = joined(...parts);
  return joined(u8(0xff, marker), u16(body.length + 2), body);
};

/** An 8-bit frame header (T.81, B.2.2); component ids are 1, 2, …, quantiser table 0. */
const frameHeader = (
  marker: number,
  width: number,
  height: number,
  samplings: readonly Sampling[],
): Uint8Array =>
  segment(
    marker,
    u8(8),
    u16(height, width),
    u8(samplings.length),
    ...samplings.map(({ h, v }, index) => u8(index + 1, (h << 4) | v, 0)),
  );

/** A scan header (T.81, B.2.3) of components by id, all with table 0. */
const scanHeader = (ids: readonly number[], ss: number, se: number, ahAl: number): Uint8Array =>
  segment(0xda, u8(ids.length), ...ids.map((id) => u8(id, 0)), u8(ss, se, ahAl));

/** DHT of a table with one code, the bit 0. */
const oneCode = (tableClass: number, symbol: number): Uint8Array =>
  segment(0xc4, u8(tableClass << 4, 1, ...new Array<number>(15).fill(0), symbol));

/** EOB14, an end-of-band run of 2^14 blocks: a one-bit code and 14 zero bits. */
const EOBN_SYMBOL = 0xe0;
const EOBN_BITS = 15;

/**
 * A progressive JPEG of one grey, with two DC and two AC scans per component: any size in a few kilobytes, for which a
 * decoder must buffer all coefficients.
 */
export function flatProgressiveJpeg(
  width: number,
  height: number,
  samplings: readonly Sampling[],
): Uint8Array {
  const hMax = Math.max(...samplings.map(({ h }) => h));
  const vMax = Math.max(...samplings.map(({ v }) => v));
  const mcus = Math.ceil(width / (8 * hMax)) * Math.ceil(height / (8 * vMax));
  const components = samplings.map((_, component) => component + 1);
  const scan = (components: readonly number[], ss: number, se: number, bits: number, approximation: number) =>
    joined(scanHeader(components, ss, se, approximation), new Uint8Array(Math.ceil(bits / 8)));
  const blocksOf = ({ h, v }: Sampling): number =>
    Math.ceil((width * h) / hMax / 8) * Math.ceil((height * v) / vMax / 8);
  const allBlocks = mcus * samplings.reduce((sum, { h, v }) => sum + h * v, 0);
  const acScans = (approximation: number): Uint8Array[] =>
    samplings.map((sampling, component) =>
      scan([component + 1], 1, 63, Math.ceil(blocksOf(sampling) / 2 ** 14) * EOBN_BITS, approximation),
    );
  return joined(
    u8(0xff, 0xd8),
    segment(0xdb, u8(0), new Uint8Array(64).fill(1)),
    frameHeader(0xc2, width, height, samplings),
    oneCode(0, 0),
    oneCode(1, EOBN_SYMBOL),
    scan(components, 0, 0, allBlocks, 0x01),
    ...acScans(0x01),
    ...acScans(0x10),
    scan(components, 0, 0, allBlocks, 0x10),
    u8(0xff, 0xd9),
  );
}
