import type { Raster } from "../types.ts";

/** Maps whole numbers, from 0 on, to pseudo-random numbers between 0 and 1, which place and shade the mark. */
export type MarkValues = (index: number) => number;

/** The picture is described by this many squares across and down. */
const GRID = 8;
const TRAITS = 2 * GRID * (GRID - 1);

/**
 * Influence of a picture's traits on the values. At a larger value, an attacker gains more by averaging crops of one
 * photo (0.9 dB at 0.7, 0.5 dB at 0.2). At 0, a black and a white picture reveal the mark (5 dB).
 */
const TURNS = 0.2;

/**
 * Values that depend on a picture and a seed. Near-identical pictures have near-identical values, so that their marks
 * coincide. A proper hash would give a fresh mark to anyone who finds the pixel that flips one of its bits. Pictures
 * that look different have unrelated values. Brightness, contrast and size do not matter.
 */
export function markValues(picture: Raster, seed: number): MarkValues {
  // Each trait and its negation, selected by index: a branch on random bits is mispredicted half of the time.
  const signed = Float64Array.from([...traitsOf(picture)].flatMap((trait) => [trait, -trait]));
  const scale = TURNS / Math.sqrt(TRAITS);
  return (index) => {
    const key = Math.imul(index + 1, 0x9e3779b1);
    let sum = 0;
    let signs = 0;
    for (let trait = 0; trait < TRAITS; trait += 1) {
      if ((trait & 31) === 0) signs = hash(key + trait, seed);
      sum += signed[2 * trait + ((signs >>> (trait & 31)) & 1)] ?? 0;
    }
    const turned = hash(key, seed ^ 0x5eed) / 2 ** 32 + sum * scale;
    // A triangle wave, so that no value jumps.
    return Math.abs(2 * (turned - Math.floor(turned)) - 1);
  };
}

/** The traits of a picture, -127 to 127 each; near-identical pictures have similar traits. */
export const likenessOf = (picture: Raster): Int8Array<ArrayBuffer> =>
  Int8Array.from(traitsOf(picture), (trait) => Math.round(trait * 127));

/**
 * Differences in brightness between neighbours of a coarse grid, each of -1 to 1: a perceptual hash before it is
 * rounded to bits.
 */
function traitsOf(picture: Raster): Float64Array {
  const grid = brightnessGrid(picture);
  const differences = new Float64Array(TRAITS);
  let trait = 0;
  let sum = 0;
  for (let row = 0; row < GRID; row += 1) {
    for (let column = 0; column < GRID; column += 1) {
      const here = grid[row * GRID + column] ?? 0;
      if (column + 1 < GRID) differences[trait++] = (grid[row * GRID + column + 1] ?? 0) - here;
      if (row + 1 < GRID) differences[trait++] = (grid[(row + 1) * GRID + column] ?? 0) - here;
    }
  }
  for (const difference of differences) sum += Math.abs(difference);
  const even = sum / TRAITS;
  return differences.map((difference) => difference / (Math.abs(difference) + even + 0.5));
}

/** Mean brightness of each square, of 0 to 255. */
function brightnessGrid({ width, height, pixels }: Raster): Float64Array {
  const sums = new Float64Array(GRID * GRID);
  const counts = new Float64Array(GRID * GRID);
  for (let y = 0, at = 0; y < height; y += 1) {
    const row = Math.floor((y * GRID) / height) * GRID;
    for (let column = 0, x = 0; column < GRID; column += 1) {
      const end = Math.ceil(((column + 1) * width) / GRID);
      counts[row + column] = (counts[row + column] ?? 0) + (end - x) * 1000;
      let sum = 0;
      for (; x < end; x += 1, at += 4)
        sum += (pixels[at] ?? 0) * 299 + (pixels[at + 1] ?? 0) * 587 + (pixels[at + 2] ?? 0) * 114;
      sums[row + column] = (sums[row + column] ?? 0) + sum;
    }
  }
  return sums.map((sum, square) => sum / Math.max(1, counts[square] ?? 0));
}

/** Mixes a counter and a seed into 32 bits (the finaliser of MurmurHash3). */
export function hash(value: number, seed: number): number {
  let mixed = (value ^ seed) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
