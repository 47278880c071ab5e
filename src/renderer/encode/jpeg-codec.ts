import type { Codec } from "../codec.ts";
import { createMozjpeg, type MozjpegOptions } from "./mozjpeg.ts";

export interface JpegOptions {
  /** 0–100. */
  readonly quality: number;
  /** `4:4:4` keeps coloured edges sharp; `4:2:0` halves colour resolution in both directions. */
  readonly chroma: "4:4:4" | "4:2:0";
  /**
   * `progressive` takes about 2 % fewer bytes and more than twice the time, because the encoder tries many scan
   * scripts.
   */
  readonly order: "sequential" | "progressive";
}

export interface JpegEncoder extends Codec {
  readonly memory: WebAssembly.Memory;
  /**
   * Allocates a picture in the codec's memory. `use` fills it with opaque RGBA pixels, and may then encode it
   * repeatedly, as trellis-quantised 8-bit JPEG. After the first encoding the pixels cannot be read.
   */
  withPicture<T>(
    width: number,
    height: number,
    use: (pixels: Uint8ClampedArray, encode: (options: JpegOptions) => Uint8Array) => T,
  ): T;
}

const YCBCR = 3;
/** Tables tuned on PSNR-HVS, mozjpeg's default. */
const QUANT_TABLE = 3;

/** Creates an encoder in zeroed memory. */
export async function createJpegEncoder(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): Promise<JpegEncoder> {
  const codec = createMozjpeg(module, memory);
  return {
    memory,
    memoryBytes: codec.memoryBytes,
    withPicture(width, height, use) {
      const picture = codec.open(width, height);
      const used = use(picture.pixels, (options) => picture.encode(inFull(options)));
      picture.close();
      return used;
    },
  };
}

const inFull = ({ quality, chroma, order }: JpegOptions): MozjpegOptions => ({
  quality,
  baseline: false,
  arithmetic: false,
  progressive: order === "progressive",
  optimize_coding: true,
  smoothing: 0,
  color_space: YCBCR,
  quant_table: QUANT_TABLE,
  trellis_multipass: false,
  trellis_opt_zero: false,
  trellis_opt_table: false,
  trellis_loops: 1,
  auto_subsample: false,
  chroma_subsample: chroma === "4:4:4" ? 1 : 2,
  separate_chroma_quality: false,
  chroma_quality: quality,
});
