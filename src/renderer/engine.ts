import type { Codec, UseCodec } from "./codec.ts";
import { createColourConverter } from "./decode/colour-codec.ts";
import type { Decoders } from "./decode/index.ts";
import { createJpegDecoder } from "./decode/jpeg-codec.ts";
import { createPngDecoder } from "./decode/png-codec.ts";
import { createWebpDecoder } from "./decode/webp-codec.ts";
import type { Encoders } from "./encode/encoders.ts";
import { createH264Codec } from "./encode/h264.ts";
import { createJpegEncoder } from "./encode/jpeg-codec.ts";
import { createWebpEncoder } from "./encode/webp-codec.ts";
import { createFaceDetector, type FaceDetector } from "./faces/face-detector.ts";
import { cacheResamples } from "./raster/resample-cache.ts";
import { createResampler, type Resampler } from "./raster/resampler.ts";
import type { SvgRasterisers } from "./svg/index.ts";
import { createSvgRasteriser } from "./svg/resvg-codec.ts";
import type { CodecModules } from "./types.ts";

/*
 * The files behind `CodecModules`, to be imported as `.wasm` modules by the worker's bundler and read
 * from disk in Node (gzip -9 sizes):
 *   jpegDecoder    src/renderer/kernels/jpeg.wasm                   6 KB
 *   jpegEncoder    src/renderer/kernels/mozjpeg.wasm              59 KB
 *   pngDecoder     src/renderer/kernels/png.wasm                    5 KB
 *   vp8Decoder     src/renderer/kernels/vp8.wasm                   10 KB
 *   vp8lDecoder    src/renderer/kernels/vp8l.wasm                   6 KB
 *   colourConverter src/renderer/kernels/colour.wasm                1 KB
 *   resampler      src/renderer/kernels/resample.wasm               1 KB
 *   webpEncoder    @jsquash/webp/codec/enc/webp_enc_simd.wasm     126 KB
 *   videoEncoder   src/renderer/kernels/h264.wasm                 31 KB
 *   svgRasteriser  <node_modules>/@cf-wasm/resvg/dist/lib/resvg.wasm  949 KB (a relative path: the
 *                  bundler does not follow that package's `exports` to a wasm file)
 *   textShaper     type/shaper.wasm (harfbuzzjs, with a budget)    186 KB
 *   faceDetector   src/renderer/kernels/face-detector.wasm          2 KB
 *   faceWeights    src/renderer/faces/face-detector.weights       523 KB, imported as bytes, like fonts
 */

/** WASM memory never shrinks, so an instance whose memory has grown past this is dropped after use. */
const RETAINED_MEMORY_BYTES_MAX = 32 * 1024 * 1024;

/**
 * The limit for decoders is lower: composing needs their memory, and instantiating a decoder takes only a millisecond.
 */
const RETAINED_DECODER_BYTES_MAX = 4 * 1024 * 1024;

/** The rasteriser is always dropped: a pack has one logo, and composing needs the memory. */
const RETAINED_RASTERISER_BYTES_MAX = 0;

/** The codecs, each instantiated on first use. One engine serves one render at a time. */
export interface Engine extends Decoders, Encoders, SvgRasterisers {
  readonly modules: CodecModules;
  /** Never dropped, because it reads only decoded pixels and uses little memory. */
  readonly resampler: Resampler;
  /** Reads only decoded pixels and never grows past 3 MB. */
  readonly useFaceDetector: UseCodec<FaceDetector>;
}

type ReusedCodec<C extends Codec> = UseCodec<C> & {
  /** Removes the instance; the next task gets a new one. */
  take(): C | null;
};

function reuse<C extends Codec>(
  create: () => Promise<C>,
  retainedBytesMax = RETAINED_MEMORY_BYTES_MAX,
): ReusedCodec<C> {
  let resident: C | null = null;
  const use: UseCodec<C> = async (task) => {
    const codec = resident ?? (await create());
    resident = null;
    try {
      const value = task(codec);
      if (codec.memoryBytes() <= retainedBytesMax) resident = codec;
      return value;
    } catch {
      return null;
    }
  };
  const take = (): C | null => {
    const taken = resident;
    resident = null;
    return taken;
  };
  return Object.assign(use, { take });
}

/** Initial memory of mozjpeg, in pages. */
const ENCODER_PAGES = 259;

/**
 * The encoders of a video and of its backup take turns in one memory. With separate memories, the first could still be
 * allocated when the second starts, because only garbage collection frees it. `modules` is read only when an encoder is
 * created, because the Studio loads some modules late.
 */
function encodersInTurn(modules: CodecModules): Pick<Engine, "useJpegEncoder" | "useVideoEncoder"> {
  let spare: WebAssembly.Memory | null = null;
  const zeros = (): WebAssembly.Memory => {
    if (spare === null) return new WebAssembly.Memory({ initial: ENCODER_PAGES });
    const memory = spare;
    spare = null;
    new Uint8Array(memory.buffer).fill(0);
    return memory;
  };
  const useJpegEncoder = reuse(() => createJpegEncoder(modules.jpegEncoder, zeros()));
  return {
    useJpegEncoder,
    useVideoEncoder: async (task) => {
      spare = useJpegEncoder.take()?.memory ?? spare;
      const memory = zeros();
      try {
        return await task(createH264Codec(modules.videoEncoder, memory));
      } finally {
        spare = memory;
      }
    },
  };
}

/** Makes an engine without instantiating a codec. `keptBytesMax` bounds the cache of resampled pictures. */
export function createEngine(modules: CodecModules, keptBytesMax = 0): Engine {
  const resampler = createResampler(modules.resampler);
  return {
    modules,
    resampler: keptBytesMax === 0 ? resampler : cacheResamples(resampler, keptBytesMax),
    useJpegDecoder: reuse(() => createJpegDecoder(modules.jpegDecoder), RETAINED_DECODER_BYTES_MAX),
    usePngDecoder: reuse(() => createPngDecoder(modules.pngDecoder), RETAINED_DECODER_BYTES_MAX),
    useWebpDecoder: reuse(
      async () => createWebpDecoder(modules.vp8Decoder, modules.vp8lDecoder),
      RETAINED_DECODER_BYTES_MAX,
    ),
    useColourConverter: reuse(
      () => createColourConverter(modules.colourConverter),
      RETAINED_DECODER_BYTES_MAX,
    ),
    ...encodersInTurn(modules),
    useWebpEncoder: reuse(() => createWebpEncoder(modules.webpEncoder)),
    useFaceDetector: reuse(() => createFaceDetector(modules.faceDetector, modules.faceWeights)),
    useSvgRasteriser: reuse(() => createSvgRasteriser(modules.svgRasteriser), RETAINED_RASTERISER_BYTES_MAX),
  };
}
