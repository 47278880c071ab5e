import createModule from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import { type EmscriptenOptions, emscriptenOptions } from "../../../src/renderer/emscripten.ts";
import type { CodecModules, Raster } from "../../../src/renderer/types.ts";

/** libwebp's `WebPConfig`, its names; what the reference library does not let one choose. */
export interface WebpChoices {
  readonly quality?: number;
  readonly method?: number;
  readonly segments?: number;
  readonly sns_strength?: number;
  readonly filter_strength?: number;
  readonly filter_sharpness?: number;
  /** 0 simple, 1 strong. */
  readonly filter_type?: number;
  /** Logarithm of the number of partitions. */
  readonly partitions?: number;
}

interface Encoder {
  encode(pixels: Uint8ClampedArray, width: number, height: number, config: object): Uint8Array | null;
}

const CONFIG = {
  quality: 60,
  target_size: 0,
  target_PSNR: 0,
  method: 4,
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
} as const;

/** Encodes with libwebp itself. */
export async function webpEncoder(
  modules: CodecModules,
): Promise<(picture: Raster, choices: WebpChoices) => Uint8Array> {
  const create: (options: EmscriptenOptions) => Promise<Encoder> = createModule;
  const encoder = await create(emscriptenOptions(modules.webpEncoder));
  return ({ pixels, width, height }, choices) => {
    const bytes = encoder.encode(pixels, width, height, { ...CONFIG, ...choices });
    if (bytes === null) throw new Error("libwebp did not encode");
    return Uint8Array.from(bytes);
  };
}
