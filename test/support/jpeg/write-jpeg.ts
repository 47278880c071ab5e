import type { Raster } from "#renderer/types.ts";
import { ascii, joined, u8, u16 } from "../binary.ts";
import { type Colours, planesOf, QUANTISERS, type Sampling } from "./coefficients.ts";
import { codedBytes, huffmanCodes } from "./huffman-codes.ts";
import { type ScanScript, scanCodes } from "./scan-codes.ts";

export interface JpegToWrite {
  readonly raster: Raster;
  readonly colours: Colours;
  /** Of each component. */
  readonly samplings: readonly Sampling[];
  /** Left out: one sequential scan. A scan with spectral selection or approximation makes the file progressive. */
  readonly scans?: readonly ScanScript[];
  readonly restartInterval?: number;
  /** Of an APP14 segment. Without it YCbCr gets a JFIF APP0. */
  readonly adobeTransform?: number;
  /** A quantisation table of 16 bits, which extended sequential files (SOF1) may have. */
  readonly has16BitQuantisers?: boolean;
}

/** A marker segment (T.81, B.1.1.4). */
export const segment = (marker: number, ...parts: Uint8Array[]): Uint8Array => {
  const body = joined(...parts);
  return joined(u8(0xff, marker), u16(body.length + 2), body);
};

/** A frame header of 8 bits a sample (T.81, B.2.2); components have the ids 1, 2, …, and the quantisers 0. */
export const frameHeader = (
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

/** A scan header (T.81, B.2.3) of components by their ids, which all have the codes 0. */
export const scanHeader = (ids: readonly number[], ss: number, se: number, ahAl: number): Uint8Array =>
  segment(0xda, u8(ids.length), ...ids.map((id) => u8(id, 0)), u8(ss, se, ahAl));

/** A scan of a sequential file. */
export const sequentialScan = (...components: number[]): ScanScript => ({
  components,
  ss: 0,
  se: 63,
  ah: 0,
  al: 0,
});

export const progressiveScan = (
  components: readonly number[],
  ss: number,
  se: number,
  ah: number,
  al: number,
): ScanScript => ({ components, ss, se, ah, al });

/** Scans in the order of no encoder: some coefficients are refined before the first scan of others. */
export const REFINED_SCANS = [
  progressiveScan([0, 1, 2], 0, 0, 0, 2),
  progressiveScan([0], 1, 8, 0, 2),
  progressiveScan([0], 1, 8, 2, 1),
  progressiveScan([1], 1, 63, 0, 3),
  progressiveScan([2], 1, 63, 0, 0),
  progressiveScan([0, 1, 2], 0, 0, 2, 1),
  progressiveScan([0], 9, 63, 0, 1),
  progressiveScan([1], 1, 63, 3, 2),
  progressiveScan([0], 1, 63, 1, 0),
  progressiveScan([1], 1, 63, 2, 1),
  progressiveScan([1], 1, 63, 1, 0),
  progressiveScan([0, 1, 2], 0, 0, 1, 0),
];
export function writeJpeg(jpeg: JpegToWrite): Uint8Array {
  const { raster, samplings, restartInterval = 0 } = jpeg;
  const planes = planesOf(raster, jpeg.colours, samplings);
  const scans = jpeg.scans ?? [sequentialScan(...samplings.keys())];
  const isProgressive = scans.some(({ se, ah, al }) => se < 63 || ah > 0 || al > 0);
  const idOf = (component: number): number =>
    jpeg.colours === "rgb" && jpeg.adobeTransform === undefined ? "RGB".charCodeAt(component) : component + 1;
  const frame = joined(
    u8(8),
    u16(raster.height, raster.width),
    u8(samplings.length),
    ...samplings.map(({ h, v }, component) => u8(idOf(component), (h << 4) | v, 0)),
  );
  const app =
    jpeg.adobeTransform !== undefined
      ? segment(0xee, ascii("Adobe"), u16(100, 0, 0), u8(jpeg.adobeTransform))
      : jpeg.colours === "ycc"
        ? segment(0xe0, ascii("JFIF\0"), u8(1, 1, 0), u16(1, 1), u8(0, 0))
        : u8();
  const quantisers = jpeg.has16BitQuantisers
    ? joined(u8(0x10), u16(...QUANTISERS))
    : joined(u8(0), u8(...QUANTISERS));
  return joined(
    u8(0xff, 0xd8),
    app,
    segment(0xdb, quantisers),
    segment(isProgressive ? 0xc2 : jpeg.has16BitQuantisers ? 0xc1 : 0xc0, frame),
    restartInterval > 0 ? segment(0xdd, u16(restartInterval)) : u8(),
    ...scans.flatMap((script) => {
      const codes = scanCodes(planes, script, isProgressive, restartInterval);
      const dc = huffmanCodes(codes, "dc");
      const ac = huffmanCodes(codes, "ac");
      const header = joined(
        u8(script.components.length),
        ...script.components.map((component) => u8(idOf(component), 0)),
        u8(script.ss, script.se, (script.ah << 4) | script.al),
      );
      return [
        dc.bitsOf.size > 0 ? segment(0xc4, u8(0x00), dc.definition) : u8(),
        ac.bitsOf.size > 0 ? segment(0xc4, u8(0x10), ac.definition) : u8(),
        segment(0xda, header),
        codedBytes(codes, dc, ac),
      ];
    }),
    u8(0xff, 0xd9),
  );
}
