import { deflateSync, type ZlibOptions } from "node:zlib";
import { type PngHeader, pngChunk, pngFile, SAMPLES } from "./png-file.ts";

export interface PngToWrite extends PngHeader {
  /** Which filter row `y` of a pass gets, 0 to 4. */
  readonly filterOf: (y: number) => number;
  /** A sample, below `1 << bitDepth`. */
  readonly sample: (x: number, y: number, channel: number) => number;
  readonly palette?: Uint8Array;
  readonly transparency?: Uint8Array;
  readonly deflate?: ZlibOptions;
  /** Bytes of compressed data in one IDAT chunk; all by default. */
  readonly chunkBytes?: number;
}

const WHOLE = [[0, 0, 1, 1]] as const;
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Writes a PNG of any kind that the specification has. */
export function writePng(png: PngToWrite): Uint8Array {
  const compressed = deflateSync(rowsOf(png), png.deflate);
  const chunkBytes = png.chunkBytes ?? compressed.length;
  const parts: Uint8Array[] = [];
  for (let at = 0; at < compressed.length; at += chunkBytes) {
    parts.push(pngChunk("IDAT", compressed.subarray(at, at + chunkBytes)));
  }
  return pngFile(
    png,
    ...(png.palette === undefined ? [] : [pngChunk("PLTE", png.palette)]),
    ...(png.transparency === undefined ? [] : [pngChunk("tRNS", png.transparency)]),
    ...parts,
  );
}

function rowsOf(png: PngToWrite): Uint8Array {
  const samples = SAMPLES[png.colourType] ?? 1;
  const pixelBytes = Math.max(1, (samples * png.bitDepth) >> 3);
  const rows: Uint8Array[] = [];
  for (const [left, top, stepX, stepY] of png.isInterlaced ? ADAM7 : WHOLE) {
    const width = Math.ceil((png.width - left) / stepX);
    const height = Math.ceil((png.height - top) / stepY);
    if (width <= 0 || height <= 0) continue;
    let above = new Uint8Array(Math.ceil((width * samples * png.bitDepth) / 8));
    for (let y = 0; y < height; y++) {
      const row = new Uint8Array(above.length);
      for (let index = 0; index < width * samples; index++) {
        const x = left + Math.floor(index / samples) * stepX;
        const value = png.sample(x, top + y * stepY, index % samples) & ((1 << png.bitDepth) - 1);
        const bit = index * png.bitDepth;
        if (png.bitDepth === 16) row.set([value >> 8, value], index * 2);
        else row[bit >> 3] = (row[bit >> 3] ?? 0) | (value << (8 - png.bitDepth - (bit & 7)));
      }
      const filter = png.filterOf(y);
      rows.push(Uint8Array.of(filter), filterRow(filter, row, above, pixelBytes));
      above = row;
    }
  }
  return Buffer.concat(rows);
}

function filterRow(filter: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): Uint8Array {
  return row.map((value, at) => {
    const left = at < pixelBytes ? 0 : (row[at - pixelBytes] ?? 0);
    const corner = at < pixelBytes ? 0 : (above[at - pixelBytes] ?? 0);
    const top = above[at] ?? 0;
    return value - predicted(filter, left, top, corner);
  });
}

function predicted(filter: number, left: number, top: number, corner: number): number {
  if (filter < 3) return [0, left, top][filter] ?? 0;
  if (filter === 3) return (left + top) >> 1;
  const [toLeft, toTop] = [Math.abs(top - corner), Math.abs(left - corner)];
  const toCorner = Math.abs(left + top - 2 * corner);
  if (toLeft <= toTop && toLeft <= toCorner) return left;
  return toTop <= toCorner ? top : corner;
}
