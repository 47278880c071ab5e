import createModule from "@jsquash/webp/codec/dec/webp_dec.js";
import { type EmscriptenModule, type EmscriptenOptions, emscriptenOptions } from "../emscripten.ts";
import type { Codec } from "../engine.ts";
import { WEBP_MEMORY_BYTES_MAX } from "./limits.ts";

/** RGBA, colours not multiplied by alpha. */
export interface WebpPixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

export interface WebpDecoder extends Codec {
  /** Decodes a whole still picture. Null when it does not decode. */
  decode(bytes: Uint8Array): WebpPixels | null;
}

interface WebpModule extends EmscriptenModule {
  decode(bytes: Uint8Array): WebpPixels | null;
}

export async function createWebpDecoder(module: WebAssembly.Module): Promise<WebpDecoder> {
  const create: (options: EmscriptenOptions) => Promise<WebpModule> = createModule;
  const codec = await create(emscriptenOptions(module, WEBP_MEMORY_BYTES_MAX));
  return {
    memoryBytes: () => codec.HEAPU8.byteLength,
    decode: (bytes) => codec.decode(bytes),
  };
}
