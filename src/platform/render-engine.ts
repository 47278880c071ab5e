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

/** The codecs as the bundler carries them along. */
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
 * The isolate's renderer, made on first use. It is not re-entrant: prepare and render through `withRenderer`.
 * Asking a character index needs no memory to speak of; making one is for `withLargeMemorySoon`.
 */
export function getRenderer(): Renderer {
  const bundled = { regular: new Uint8Array(regular), bold: new Uint8Array(bold) };
  resident ??= createRenderer(codecModules, bundled, fontLibrary);
  return resident;
}

/** Lends the renderer to one task at a time: an isolate has memory for one render. */
export const withRenderer = <T>(task: (renderer: Renderer) => Promise<T>): Promise<T> =>
  withLargeMemory(() => task(getRenderer()));

/** As `withRenderer`, for a caller that waits: 429 SERVICE_BUSY when very many do already. */
export const withRendererSoon = <T>(task: (renderer: Renderer) => Promise<T>): Promise<T | Refusal> =>
  withLargeMemorySoon(() => task(getRenderer()));

/** What checks the words of a pack before anything is drawn: the renderer's looks at fonts, and memory to open one. */
export const copyChecks = () => ({
  characters: getRenderer(),
  words: getRenderer(),
  withMemory: withLargeMemorySoon,
  withSmallMemory: withSmallMemorySoon,
});

/** Files kept in an isolate's memory, so that the messages of one job fetch each of them once. */
const KEPT_BYTES_MAX = 2 * 1024 * 1024;

/** Where the static files hold the library; the host is no part of how the binding finds a file. */
const FOLDER = "https://assets.invalid/fonts";

const kept = new LRUCache<string, Uint8Array<ArrayBuffer>>({
  maxSize: KEPT_BYTES_MAX,
  sizeCalculation: (bytes) => Math.max(1, bytes.byteLength),
});

/** The font library as it was deployed with this worker: among its static files (wrangler.toml, `assets`). */
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
