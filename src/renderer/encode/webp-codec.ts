import type { Codec } from "../codec.ts";
import type { Raster } from "../types.ts";

export interface WebpOptions {
  /** 0–100. */
  readonly quality: number;
  /** From 0 (fastest) to 6 (smallest file). */
  readonly effort: number;
  /** Whether to keep coloured edges crisp. Takes about 3 % more bytes, in texture 6 %. */
  readonly isEdged: boolean;
}

export interface WebpEncoder extends Codec {
  /** Lossy WebP; alpha, when not opaque, is kept lossless. Null when the codec fails. */
  encode(raster: Raster, options: WebpOptions): Uint8Array | null;
}

interface WebpModule {
  readonly HEAPU8: Uint8Array;
  encode(
    pixels: Uint8ClampedArray,
    width: number,
    height: number,
    options: Record<string, number>,
  ): Uint8Array | null;
}

/** libwebp's `WebPConfig`, its names and defaults. */
export const WEBP_CONFIG = {
  target_size: 0,
  target_PSNR: 0,
  sns_strength: 50,
  filter_strength: 60,
  filter_sharpness: 0,
  filter_type: 1,
  partitions: 0,
  segments: 4,
  pass: 1,
  show_compressed: 0,
  preprocessing: 0,
  autofilter: 0,
  partition_limit: 0,
  alpha_compression: 1,
  alpha_filtering: 1,
  alpha_quality: 100,
  lossless: 0,
  exact: 0,
  image_hint: 0,
  emulate_jpeg_size: 0,
  thread_level: 0,
  low_memory: 0,
  near_lossless: 100,
  use_delta_palette: 0,
  use_sharp_yuv: 0,
};

export interface EmscriptenOptions {
  readonly noInitialRun: boolean;
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    ready: (instance: WebAssembly.Instance) => void,
  ) => Record<string, unknown>;
}

/** Options that make Emscripten's loader instantiate a precompiled module without output. */
export function emscriptenOptions(module: WebAssembly.Module): EmscriptenOptions {
  return {
    noInitialRun: true,
    print: () => {},
    printErr: () => {},
    instantiateWasm: (imports, ready) => {
      const instance = new WebAssembly.Instance(module, imports);
      ready(instance);
      return instance.exports;
    },
  };
}

export async function createWebpEncoder(module: WebAssembly.Module): Promise<WebpEncoder> {
  const { default: createModule } = await import("@jsquash/webp/codec/enc/webp_enc_simd.js");
  const create: (options: EmscriptenOptions) => Promise<WebpModule> = createModule;
  const codec = await create(emscriptenOptions(module));
  return {
    memoryBytes: () => codec.HEAPU8.byteLength,
    encode: (raster, options) =>
      codec.encode(raster.pixels, raster.width, raster.height, {
        ...WEBP_CONFIG,
        quality: options.quality,
        method: options.effort,
        use_sharp_yuv: options.isEdged ? 1 : 0,
      }),
  };
}
