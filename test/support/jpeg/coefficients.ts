import type { Raster } from "#renderer/types.ts";

/** Sampling factors of a component (ITU-T T.81, A.1.1). */
export interface Sampling {
  readonly h: number;
  readonly v: number;
}

/** Quantised blocks of a component, padded to whole MCUs. */
export interface Plane extends Sampling {
  readonly rowBlocks: number;
  readonly blocksAcross: number;
  readonly blocksDown: number;
  /** 64 coefficients a block, in zig-zag order. */
  readonly coefficients: Int16Array;
}

export type Colours = "grey" | "ycc" | "rgb" | "cmyk";

const ZZ = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
] as const;

/** A quantisation table that grows with the frequency, in zig-zag order. */
export const QUANTISERS: readonly number[] = ZZ.map((place) => 3 + (place & 7) + (place >> 3));

const COSINES = Array.from({ length: 64 }, (_, at) => {
  const frequency = at >> 3;
  const scale = frequency === 0 ? Math.SQRT1_2 : 1;
  return (scale / 2) * Math.cos(((2 * (at & 7) + 1) * frequency * Math.PI) / 16);
});

function samplesOf(colours: Colours, r: number, g: number, b: number): readonly number[] {
  const grey = 0.299 * r + 0.587 * g + 0.114 * b;
  switch (colours) {
    case "grey":
      return [grey];
    case "rgb":
      return [r, g, b];
    case "ycc":
      return [grey, 128 + (b - grey) / 1.772, 128 + (r - grey) / 1.402];
    case "cmyk":
      return [255 - r, 255 - g, 255 - b, 255 - Math.max(r, g, b)];
  }
}

/** Transforms and quantises a raster's components, each averaged down to its sampling. */
export function planesOf(raster: Raster, colours: Colours, samplings: readonly Sampling[]): Plane[] {
  const hMax = Math.max(...samplings.map(({ h }) => h));
  const vMax = Math.max(...samplings.map(({ v }) => v));
  const mcusPerRow = Math.ceil(raster.width / (8 * hMax));
  const mcuRows = Math.ceil(raster.height / (8 * vMax));
  return samplings.map(({ h, v }, component) => {
    const sampleAt = (x: number, y: number): number => {
      let sum = 0;
      let count = 0;
      const endX = Math.ceil(((x + 1) * hMax) / h);
      const endY = Math.ceil(((y + 1) * vMax) / v);
      for (let fromY = Math.floor((y * vMax) / v); fromY < endY; fromY++) {
        for (let fromX = Math.floor((x * hMax) / h); fromX < endX; fromX++) {
          const px = Math.min(raster.width - 1, fromX);
          const at = (Math.min(raster.height - 1, fromY) * raster.width + px) * 4;
          const [r = 0, g = 0, b = 0] = raster.pixels.subarray(at, at + 3);
          sum += samplesOf(colours, r, g, b)[component] ?? 0;
          count += 1;
        }
      }
      return sum / count;
    };
    const rowBlocks = mcusPerRow * h;
    const rows = mcuRows * v;
    const coefficients = new Int16Array(rowBlocks * rows * 64);
    for (let block = 0; block < rowBlocks * rows; block++) {
      const left = (block % rowBlocks) * 8;
      const top = Math.floor(block / rowBlocks) * 8;
      const samples = Array.from({ length: 64 }, (_, at) => sampleAt(left + (at & 7), top + (at >> 3)) - 128);
      coefficients.set(transformed(samples), block * 64);
    }
    return {
      h,
      v,
      rowBlocks,
      blocksAcross: Math.ceil(Math.ceil((raster.width * h) / hMax) / 8),
      blocksDown: Math.ceil(Math.ceil((raster.height * v) / vMax) / 8),
      coefficients,
    };
  });
}

/** The forward DCT by its definition (T.81, A.3.3), quantised, in zig-zag order. */
function transformed(samples: readonly number[]): number[] {
  const rows = new Array<number>(64).fill(0);
  for (let at = 0; at < 64; at++) {
    for (let x = 0; x < 8; x++) {
      rows[at] = (rows[at] ?? 0) + (samples[(at & 56) + x] ?? 0) * (COSINES[(at & 7) * 8 + x] ?? 0);
    }
  }
  return ZZ.map((place, k) => {
    let sum = 0;
    for (let y = 0; y < 8; y++) sum += (rows[y * 8 + (place & 7)] ?? 0) * (COSINES[(place & 56) + y] ?? 0);
    return Math.round(sum / (QUANTISERS[k] ?? 1));
  });
}
