import type { Codec } from "../codec.ts";
import { createRasterBuilder } from "../raster/rgb-pixels.ts";
import type { SourceRaster } from "../types.ts";
import { PNG_STRIP_BYTES_MAX } from "./limits.ts";
import type { PngStructure } from "./png-chunks.ts";

/** `broken`: the bytes are damaged; `short`: they end before the last row. */
export type PngDataFault = "broken" | "short";

export interface PngDecoder extends Codec {
  /**
   * Decodes and averages boxes of `factor` × `factor` pixels: straight RGBA, or RGB for `isRgb`, which needs a picture
   * without alpha.
   */
  decode(png: PngStructure, factor: number, isRgb?: boolean): SourceRaster | PngDataFault;
}

interface PngExports {
  readonly memory: WebAssembly.Memory;
  start(
    width: number,
    height: number,
    bitDepth: number,
    samplesPerPixel: number,
    flags: number,
    factor: number,
    stripTop: number,
    stripRows: number,
  ): number;
  colourTableAt(): number;
  transparentPixelAt(): number;
  inputAt(): number;
  inputRoom(): number;
  feed(bytes: number, isEnd: number): void;
  run(): number;
  rowsAt(): number;
  rowsReady(): number;
  isOpaque(): number;
  passRowY(): number;
  passRowX(): number;
  passRowStep(): number;
  passRowPixels(): number;
}

/** Status codes of `run`. */
const NEEDS_INPUT = 1;
const DAMAGED = 2;
const SHORT = 3;
const WHOLE = 4;

const IS_INTERLACED = 1;
const HAS_COLOURS = 2;
const HAS_TRANSPARENT_PIXEL = 4;

/**
 * Bytes of the sums of one box of an interlaced picture, for factors up to 16. Larger factors need twice as many bytes,
 * for far fewer boxes.
 */
const BOX_BYTES = 8;

/** `stripBytesMax` bounds the sums of an interlaced picture, which is decoded once for each strip. */
export async function createPngDecoder(
  module: WebAssembly.Module,
  stripBytesMax = PNG_STRIP_BYTES_MAX,
): Promise<PngDecoder> {
  const instance = await WebAssembly.instantiate(module);
  const wasm = instance.exports as unknown as PngExports;

  /** Runs once over the file and passes the results of `run` to `take`, which reads the kernel's memory. */
  const runThrough = (
    png: PngStructure,
    factor: number,
    stripTop: number,
    stripRows: number,
    take: (rows: number) => void,
  ): "whole" | PngDataFault => {
    const colours = coloursOf(png);
    const transparentPixel = transparentPixelOf(png);
    const flags =
      (png.isInterlaced ? IS_INTERLACED : 0) |
      (colours === null ? 0 : HAS_COLOURS) |
      (transparentPixel === null ? 0 : HAS_TRANSPARENT_PIXEL);
    const samples = samplesPerPixel(png);
    // A nonzero status means out of memory. The caller's size limits should rule it out.
    if (wasm.start(png.width, png.height, png.bitDepth, samples, flags, factor, stripTop, stripRows) !== 0) {
      return "broken";
    }
    const memory = new Uint8Array(wasm.memory.buffer);
    if (colours !== null) memory.set(colours, wasm.colourTableAt());
    if (transparentPixel !== null) memory.set(transparentPixel, wasm.transparentPixelAt());
    const feed = feeder(wasm, png.compressed);
    for (;;) {
      const status = wasm.run();
      const rows = wasm.rowsReady();
      if (rows > 0) take(rows);
      if (status === WHOLE) return "whole";
      if (status === DAMAGED) return "broken";
      if (status === SHORT || (status === NEEDS_INPUT && !feed())) return "short";
    }
  };

  return {
    memoryBytes: () => wasm.memory.buffer.byteLength,
    decode(png, factor, isRgb = false) {
      const outWidth = Math.ceil(png.width / factor);
      const outHeight = Math.ceil(png.height / factor);
      const kept = createRasterBuilder(outWidth, outHeight, isRgb);
      const isInStrips = png.isInterlaced && factor > 1;
      const stripRows = isInStrips
        ? Math.max(1, Math.floor(stripBytesMax / (outWidth * BOX_BYTES)))
        : outHeight;
      let isOpaque = true;
      const takeRows = (rows: number): void => {
        kept.add(new Uint8Array(wasm.memory.buffer, wasm.rowsAt(), rows * outWidth * 4));
      };
      const takeLine = (): void => {
        const line = new Uint32Array(wasm.memory.buffer, wasm.rowsAt(), wasm.passRowPixels());
        kept.scatter(line, wasm.passRowY() * png.width + wasm.passRowX(), wasm.passRowStep());
      };
      for (let top = 0; top < outHeight; top += stripRows) {
        const rows = Math.min(stripRows, outHeight - top);
        const ended = runThrough(
          png,
          factor,
          top,
          rows,
          png.isInterlaced && factor === 1 ? takeLine : takeRows,
        );
        if (ended !== "whole") return ended;
        isOpaque = isOpaque && wasm.isOpaque() === 1;
      }
      return kept.raster(isOpaque ? "opaque" : "straight");
    },
  };
}

/** Feeds the parts of the stream, one after another, a window at a time. False when all input was fed. */
function feeder(wasm: PngExports, parts: readonly Uint8Array[]): () => boolean {
  let part = 0;
  let at = 0;
  let isOver = false;
  return () => {
    if (isOver) return false;
    const to = wasm.inputAt();
    const room = wasm.inputRoom();
    let filled = 0;
    while (part < parts.length && filled < room) {
      const bytes = (parts[part] ?? new Uint8Array(0)).subarray(at, at + room - filled);
      new Uint8Array(wasm.memory.buffer).set(bytes, to + filled);
      filled += bytes.length;
      at += bytes.length;
      if (at < (parts[part]?.length ?? 0)) break;
      part += 1;
      at = 0;
    }
    isOver = part === parts.length;
    wasm.feed(filled, isOver ? 1 : 0);
    return true;
  };
}

const SAMPLES = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

function samplesPerPixel(png: PngStructure): number {
  return SAMPLES[png.colourType];
}

/**
 * RGBA of each value of a sample, for pixels that are looked up: palettes, grey of less than 8 bits, and 8-bit grey
 * with tRNS.
 */
function coloursOf(png: PngStructure): Uint8Array | null {
  if (png.colourType === 3) return paletteColours(png);
  const isFew = png.bitDepth < 8 || (png.bitDepth === 8 && png.transparency !== null);
  return png.colourType === 0 && isFew ? greyColours(png) : null;
}

/** The stored bytes of the pixel that tRNS makes transparent; null without tRNS or for looked-up pixels. */
function transparentPixelOf(png: PngStructure): Uint8Array | null {
  const transparency = png.transparency;
  const samples = samplesPerPixel(png);
  if (transparency === null || transparency.length < samples * 2) return null;
  if (png.colourType !== 2 && !(png.colourType === 0 && png.bitDepth === 16)) return null;
  // tRNS has 16 bits a sample at any bit depth.
  return transparency.subarray(0, samples * 2).filter((_, index) => png.bitDepth === 16 || index % 2 === 1);
}

function greyColours(png: PngStructure): Uint8Array {
  const levels = 1 << png.bitDepth;
  const table = new Uint8Array(256 * 4);
  for (let level = 0; level < levels; level++) {
    table.fill((level * 255) / (levels - 1), level * 4, level * 4 + 3);
    table[level * 4 + 3] = 255;
  }
  const transparency = png.transparency;
  if (transparency !== null && transparency.length >= 2) {
    // tRNS has 16 bits at any bit depth; excess high bits are ignored (PNG, third edition, 11.3.1.1).
    const level = (transparency[1] ?? 0) & (levels - 1);
    table[level * 4 + 3] = 0;
  }
  return table;
}

/** RGBA of PLTE and tRNS. An index past the palette is opaque black. */
function paletteColours(png: PngStructure): Uint8Array {
  const palette = png.palette ?? new Uint8Array(0);
  const table = new Uint8Array(256 * 4);
  for (let entry = 0; entry < 256; entry++) {
    for (let channel = 0; channel < 3; channel++)
      table[entry * 4 + channel] = palette[entry * 3 + channel] ?? 0;
    table[entry * 4 + 3] = entry * 3 < palette.length ? (png.transparency?.[entry] ?? 255) : 255;
  }
  return table;
}
