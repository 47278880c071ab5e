import type { Raster } from "../../../src/renderer/types.ts";
import { ascii, joined, u8, u16 } from "../binary.ts";
import { type Colours, planesOf, type Sampling, STEPS } from "./coefficients.ts";
import { codedBytes, prefixCodes } from "./prefix-codes.ts";
import { type ScanScript, scanCodes } from "./scan-codes.ts";

export interface JpegToWrite {
  readonly raster: Raster;
  readonly colours: Colours;
  /** Of each component. */
  readonly samplings: readonly Sampling[];
  /** Sequential in one scan when it is left out; any band makes it progressive. */
  readonly scans?: readonly ScanScript[];
  readonly restartUnits?: number;
  /** Of an APP14 segment; without it there is a JFIF one for YCbCr. */
  readonly adobeTransform?: number;
  /** Quantisation steps in 16 bits, which extended sequential files may have. */
  readonly hasWideSteps?: boolean;
}

const segment = (marker: number, ...parts: Uint8Array[]): Uint8Array => {
  const body = joined(...parts);
  return joined(u8(0xff, marker), u16(body.length + 2), body);
};

/** A scan of whole blocks of some components, for sequential files. */
export const wholeScan = (...components: number[]): ScanScript => ({
  components,
  first: 0,
  last: 63,
  high: 0,
  low: 0,
});

export const bandScan = (
  components: readonly number[],
  first: number,
  last: number,
  high: number,
  low: number,
): ScanScript => ({ components, first, last, high, low });

export function writeJpeg(jpeg: JpegToWrite): Uint8Array {
  const { raster, samplings, restartUnits = 0 } = jpeg;
  const planes = planesOf(raster, jpeg.colours, samplings);
  const scans = jpeg.scans ?? [wholeScan(...samplings.keys())];
  const isProgressive = scans.some(({ last, high, low }) => last < 63 || high > 0 || low > 0);
  const idOf = (component: number): number =>
    jpeg.colours === "rgb" && jpeg.adobeTransform === undefined ? "RGB".charCodeAt(component) : component + 1;
  const frame = joined(
    u8(8),
    u16(raster.height, raster.width),
    u8(samplings.length),
    ...samplings.map(({ across, down }, component) => u8(idOf(component), (across << 4) | down, 0)),
  );
  const app =
    jpeg.adobeTransform !== undefined
      ? segment(0xee, ascii("Adobe"), u16(100, 0, 0), u8(jpeg.adobeTransform))
      : jpeg.colours === "ycc"
        ? segment(0xe0, ascii("JFIF\0"), u8(1, 1, 0), u16(1, 1), u8(0, 0))
        : u8();
  const steps = jpeg.hasWideSteps ? joined(u8(0x10), u16(...STEPS)) : joined(u8(0), u8(...STEPS));
  return joined(
    u8(0xff, 0xd8),
    app,
    segment(0xdb, steps),
    segment(isProgressive ? 0xc2 : jpeg.hasWideSteps ? 0xc1 : 0xc0, frame),
    restartUnits > 0 ? segment(0xdd, u16(restartUnits)) : u8(),
    ...scans.flatMap((script) => {
      const codes = scanCodes(planes, script, isProgressive, restartUnits);
      const dc = prefixCodes(codes, "dc");
      const ac = prefixCodes(codes, "ac");
      const header = joined(
        u8(script.components.length),
        ...script.components.map((component) => u8(idOf(component), 0)),
        u8(script.first, script.last, (script.high << 4) | script.low),
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
