import createModule from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import { type EmscriptenOptions, emscriptenOptions, WEBP_CONFIG } from "#renderer/encode/webp-codec.ts";
import type { CodecModules, Raster } from "#renderer/types.ts";

/** Fields of libwebp's `WebPConfig` that the reference library does not expose. */
export interface WebpChoices {
  readonly quality?: number;
  readonly method?: number;
  readonly segments?: number;
  readonly sns_strength?: number;
  readonly filter_strength?: number;
  readonly filter_sharpness?: number;
  /** 0 simple, 1 strong. */
  readonly filter_type?: number;
  /** Base-2 logarithm of the number of partitions. */
  readonly partitions?: number;
}

interface Encoder {
  encode(pixels: Uint8ClampedArray, width: number, height: number, config: object): Uint8Array | null;
}

const CONFIG = { ...WEBP_CONFIG, quality: 60, method: 4 };

/** Encodes with libwebp. */
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
