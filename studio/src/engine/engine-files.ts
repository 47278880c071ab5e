import svgRasteriser from "@cf-wasm/resvg/resvg.wasm?url";
import webpEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.wasm?url";
import type { BundledFonts } from "creative-packs-service/renderer";
import faceWeights from "creative-packs-service/renderer/faces/face-detector.weights?url";
import boldFont from "creative-packs-service/renderer/fonts/inter-display-bold.ttf?url";
import regularFont from "creative-packs-service/renderer/fonts/inter-medium.ttf?url";
import colourConverter from "creative-packs-service/renderer/kernels/colour.wasm?url";
import faceDetector from "creative-packs-service/renderer/kernels/face-detector.wasm?url";
import videoEncoder from "creative-packs-service/renderer/kernels/h264.wasm?url";
import jpegDecoder from "creative-packs-service/renderer/kernels/jpeg.wasm?url";
import jpegEncoder from "creative-packs-service/renderer/kernels/mozjpeg.wasm?url";
import pngDecoder from "creative-packs-service/renderer/kernels/png.wasm?url";
import resampler from "creative-packs-service/renderer/kernels/resample.wasm?url";
import vp8Decoder from "creative-packs-service/renderer/kernels/vp8.wasm?url";
import vp8lDecoder from "creative-packs-service/renderer/kernels/vp8l.wasm?url";
import outlinePen from "creative-packs-service/renderer/type/outline-pen.wasm?url";
import textShaper from "creative-packs-service/renderer/type/shaper.wasm?url";
import type { CoreModules, LateModule, LateModules } from "./protocol.ts";

/** Files that a worker starts with, compiled once in the page for all workers. */
export interface EngineParts {
  readonly core: CoreModules;
  readonly fonts: BundledFonts;
}

const LATE_URLS: Readonly<Record<LateModule, string>> = {
  svgRasteriser,
  jpegEncoder,
  webpEncoder,
  videoEncoder,
};

/** Loads the engine's files, each once. Rejects if a file cannot be loaded; the next call retries it. */
export interface EngineFiles {
  readonly parts: () => Promise<EngineParts>;
  readonly late: (names: readonly LateModule[]) => Promise<LateModules>;
  /** Drops all loaded files; they are loaded and compiled again when next needed. */
  readonly forget: () => void;
}

export function createEngineFiles(): EngineFiles {
  let parts: Promise<EngineParts> | null = null;
  const late = new Map<LateModule, Promise<WebAssembly.Module>>();
  const lateModule = (name: LateModule): Promise<WebAssembly.Module> => {
    const known = late.get(name);
    if (known !== undefined) return known;
    const loading = compile(LATE_URLS[name]);
    late.set(name, loading);
    loading.catch(() => {
      if (late.get(name) === loading) late.delete(name);
    });
    return loading;
  };
  return {
    parts: () => {
      if (parts !== null) return parts;
      const loading = loadParts();
      parts = loading;
      loading.catch(() => {
        if (parts === loading) parts = null;
      });
      return loading;
    },
    late: async (names) =>
      Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await lateModule(name)] as const)),
      ),
    forget: () => {
      parts = null;
      late.clear();
    },
  };
}

async function loadParts(): Promise<EngineParts> {
  const loading = {
    resampler: compile(resampler),
    colourConverter: compile(colourConverter),
    textShaper: compile(textShaper),
    outlinePen: compile(outlinePen),
    faceDetector: compile(faceDetector),
    jpegDecoder: compile(jpegDecoder),
    pngDecoder: compile(pngDecoder),
    vp8Decoder: compile(vp8Decoder),
    vp8lDecoder: compile(vp8lDecoder),
    faceWeights: bytesOf(faceWeights),
    regular: bytesOf(regularFont),
    bold: bytesOf(boldFont),
  };
  // Await all promises together, since one that is not awaited could become an unhandled rejection.
  await Promise.all(Object.values(loading));
  return {
    core: {
      resampler: await loading.resampler,
      colourConverter: await loading.colourConverter,
      textShaper: await loading.textShaper,
      outlinePen: await loading.outlinePen,
      faceDetector: await loading.faceDetector,
      jpegDecoder: await loading.jpegDecoder,
      pngDecoder: await loading.pngDecoder,
      vp8Decoder: await loading.vp8Decoder,
      vp8lDecoder: await loading.vp8lDecoder,
      faceWeights: await loading.faceWeights,
    },
    fonts: { regular: await loading.regular, bold: await loading.bold },
  };
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}

const compile = (url: string): Promise<WebAssembly.Module> => WebAssembly.compileStreaming(fetched(url));

const bytesOf = async (url: string): Promise<Uint8Array> =>
  new Uint8Array(await (await fetched(url)).arrayBuffer());
