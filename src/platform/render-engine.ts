import mozjpegEncoder from "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm";
import webpEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.wasm";
import resvg from "../../node_modules/@cf-wasm/resvg/dist/lib/resvg.wasm";
import bold from "../renderer/fonts/inter-display-bold.ttf";
import regular from "../renderer/fonts/inter-medium.ttf";
import { type CodecModules, createRenderer, type Renderer } from "../renderer/index.ts";
import jpegDecoder from "../renderer/kernels/jpeg.wasm";
import pngDecoder from "../renderer/kernels/png.wasm";
import resampler from "../renderer/kernels/resample.wasm";
import vp8Decoder from "../renderer/kernels/vp8.wasm";
import vp8lDecoder from "../renderer/kernels/vp8l.wasm";
import outlinePen from "../renderer/type/outline-pen.wasm";
import textShaper from "../renderer/type/shaper.wasm";
import { createTurns } from "./turns.ts";

/** The platform ends a batch after five minutes of CPU: who holds a turn longer was cut off and will not end it. */
const TURN_MS_MAX = 300_000;

/** The codecs as the bundler carries them along. */
export const codecModules: CodecModules = {
  jpegDecoder,
  jpegEncoder: mozjpegEncoder,
  pngDecoder,
  vp8Decoder,
  vp8lDecoder,
  resampler,
  webpEncoder,
  svgRasteriser: resvg,
  textShaper,
  outlinePen,
};

const turns = createTurns(TURN_MS_MAX);
let resident: Renderer | null = null;

/**
 * The isolate's renderer, made on first use. It is not re-entrant: prepare and render through `withRenderer`.
 * Asking for missing characters needs no turn, because each font is opened in a shaper of its own.
 */
export function getRenderer(): Renderer {
  resident ??= createRenderer(codecModules, { regular: new Uint8Array(regular), bold: new Uint8Array(bold) });
  return resident;
}

/** Lends the renderer to one task at a time: an isolate has memory for one render. */
export const withRenderer = <T>(task: (renderer: Renderer) => Promise<T>): Promise<T> =>
  turns.take(() => task(getRenderer()));
