import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FontSources } from "#renderer/type/index.ts";
import type { BundledFonts, CodecModules } from "#renderer/types.ts";
import { packagedLibrary } from "../../scripts/make/fonts/make-library.ts";

function read(path: string): Promise<Uint8Array> {
  return readFile(join(import.meta.dirname, "../..", path));
}

async function compile(path: string): Promise<WebAssembly.Module> {
  // The worker's types forbid creating modules at run time, which Node allows.
  return Reflect.construct(WebAssembly.Module, [await read(path)]);
}

/** Compiles the codecs from disk, from the worker's own files. */
export const loadCodecModules = async (): Promise<CodecModules> => ({
  jpegDecoder: await compile("src/renderer/kernels/jpeg.wasm"),
  jpegEncoder: await compile("src/renderer/kernels/mozjpeg.wasm"),
  pngDecoder: await compile("src/renderer/kernels/png.wasm"),
  vp8Decoder: await compile("src/renderer/kernels/vp8.wasm"),
  vp8lDecoder: await compile("src/renderer/kernels/vp8l.wasm"),
  colourConverter: await compile("src/renderer/kernels/colour.wasm"),
  resampler: await compile("src/renderer/kernels/resample.wasm"),
  webpEncoder: await compile("node_modules/@jsquash/webp/codec/enc/webp_enc_simd.wasm"),
  videoEncoder: await compile("src/renderer/kernels/h264.wasm"),
  svgRasteriser: await compile("node_modules/@cf-wasm/resvg/dist/lib/resvg.wasm"),
  textShaper: await compile("src/renderer/type/shaper.wasm"),
  outlinePen: await compile("src/renderer/type/outline-pen.wasm"),
  faceDetector: await compile("src/renderer/kernels/face-detector.wasm"),
  faceWeights: await read("src/renderer/faces/face-detector.weights"),
});

/** Reads the fonts bundled with the renderer. */
export async function loadBundledFonts(): Promise<BundledFonts> {
  const [regular, bold] = await Promise.all([
    read("src/renderer/fonts/inter-medium.ttf"),
    read("src/renderer/fonts/inter-display-bold.ttf"),
  ]);
  return { regular, bold };
}

/** The font library, built from its packages on demand. */
export const fontLibrary = packagedLibrary();

/** The bundled fonts and the library. */
export const loadFontSources = async (): Promise<FontSources> => ({
  ...(await loadBundledFonts()),
  library: fontLibrary,
});
