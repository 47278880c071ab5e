import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BundledFonts, CodecModules } from "../../src/renderer/types.ts";

function read(path: string): Promise<Uint8Array> {
  return readFile(join(import.meta.dirname, "../..", path));
}

async function compile(path: string): Promise<WebAssembly.Module> {
  // The worker's types say that modules cannot be made at run time, which holds there and not in Node.
  return Reflect.construct(WebAssembly.Module, [await read(path)]);
}

/** Compiles the codecs from disk; the same files that the worker imports. */
export async function loadCodecModules(): Promise<CodecModules> {
  const [
    jpegDecoder,
    jpegEncoder,
    pngDecoder,
    vp8Decoder,
    vp8lDecoder,
    resampler,
    webpEncoder,
    svgRasteriser,
    textShaper,
    outlinePen,
  ] = await Promise.all([
    compile("src/renderer/kernels/jpeg.wasm"),
    compile("node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm"),
    compile("src/renderer/kernels/png.wasm"),
    compile("src/renderer/kernels/vp8.wasm"),
    compile("src/renderer/kernels/vp8l.wasm"),
    compile("src/renderer/kernels/resample.wasm"),
    compile("node_modules/@jsquash/webp/codec/enc/webp_enc_simd.wasm"),
    compile("node_modules/@cf-wasm/resvg/dist/lib/resvg.wasm"),
    compile("src/renderer/type/shaper.wasm"),
    compile("src/renderer/type/outline-pen.wasm"),
  ]);
  return {
    jpegDecoder,
    jpegEncoder,
    pngDecoder,
    vp8Decoder,
    vp8lDecoder,
    resampler,
    webpEncoder,
    svgRasteriser,
    textShaper,
    outlinePen,
  };
}

/** Reads the fonts that ship with the renderer. */
export async function loadBundledFonts(): Promise<BundledFonts> {
  const [regular, bold] = await Promise.all([
    read("src/renderer/fonts/inter-medium.ttf"),
    read("src/renderer/fonts/inter-display-bold.ttf"),
  ]);
  return { regular, bold };
}
