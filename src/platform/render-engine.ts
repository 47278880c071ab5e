import { env } from "cloudflare:workers";
import webpEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.wasm";
import { LRUCache } from "lru-cache";
import resvg from "../../node_modules/@cf-wasm/resvg/dist/lib/resvg.wasm";
import type { Refusal } from "../api/errors.ts";
import faceWeights from "../renderer/faces/face-detector.weights";
import bold from "../renderer/fonts/inter-display-bold.ttf";
import regular from "../renderer/fonts/inter-medium.ttf";
import { type CodecModules, createRenderer, type FontLibrary, type Renderer } from "../renderer/index.ts";
import colourConverter from "../renderer/kernels/colour.wasm";
import faceDetector from "../renderer/kernels/face-detector.wasm";
import videoEncoder from "../renderer/kernels/h264.wasm";
import jpegDecoder from "../renderer/kernels/jpeg.wasm";
import jpegEncoder from "../renderer/kernels/mozjpeg.wasm";
import pngDecoder from "../renderer/kernels/png.wasm";
import resampler from "../renderer/kernels/resample.wasm";
import vp8Decoder from "../renderer/kernels/vp8.wasm";
import vp8lDecoder from "../renderer/kernels/vp8l.wasm";
import outlinePen from "../renderer/type/outline-pen.wasm";
import textShaper from "../renderer/type/shaper.wasm";
import { withLargeMemory, withLargeMemorySoon, withSmallMemorySoon } from "./concurrency/memory.ts";

export const codecModules: CodecModules = {
  jpegDecoder,
  jpegEncoder,
  pngDecoder,
  vp8Decoder,
  vp8lDecoder,
  colourConverter,
  resampler,
  webpEncoder,
  videoEncoder,
  svgRasteriser: resvg,
  textShaper,
  outlinePen,
  faceDetector,
  faceWeights: new Uint8Array(faceWeights),
};

let resident: Renderer | null = null;

/**
 * The isolate's renderer, created at first use. Not re-entrant: prepare and render through `withRenderer`. To create
 * a character index, use `withLargeMemorySoon`.
 */
export function getRenderer(): Renderer {
  const bundled = { regular: new Uint8Array(regular), bold: new Uint8Array(bold) };
  resident ??= createRenderer(codecModules, bundled, fontLibrary);
  return resident;
}

/** Gives the renderer to one task at a time: an isolate has memory for one render. */
export const withRenderer = <T>(task: (renderer: Renderer) => Promise<T>): Promise<T> =>
  withLargeMemory(() => task(getRenderer()));

/** Like `withRenderer` for HTTP requests: 429 SERVICE_BUSY if too many wait. */
export const withRendererSoon = <T>(task: (renderer: Renderer) => Promise<T>): Promise<T | Refusal> =>
  withLargeMemorySoon(() => task(getRenderer()));

/** Dependencies for validating a pack's text before it is drawn: the renderer's font checks, and memory for fonts. */
export const copyChecks = () => ({
  characters: getRenderer(),
  words: getRenderer(),
  withMemory: withLargeMemorySoon,
  withSmallMemory: withSmallMemorySoon,
});

/** Maximum total bytes of cached font files. The cache lets the messages of one job fetch each file once. */
const KEPT_BYTES_MAX = 2 * 1024 * 1024;

/** Folder of the library in the static files; the binding ignores the host. */
const FOLDER = "https://assets.invalid/fonts";

const kept = new LRUCache<string, Uint8Array<ArrayBuffer>>({
  maxSize: KEPT_BYTES_MAX,
  sizeCalculation: (bytes) => Math.max(1, bytes.byteLength),
});

/** The font library among the worker's static files (wrangler.toml, `assets`). */
export const fontLibrary: FontLibrary = {
  load: async (name) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    if (env.ASSETS === undefined) throw new Error("the worker has no binding ASSETS to read fonts with");
    const response = await env.ASSETS.fetch(`${FOLDER}/${name}`);
    if (!response.ok) throw new Error(`the font library answered ${response.status} for ${name}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    kept.set(name, bytes);
    return bytes;
  },
};
