import type { Raster } from "../types.ts";
import { type MarkValues, markValues } from "./mark-values.ts";
import { capitalsPx, watermarkCoverage } from "./watermark-tiles.ts";

/** Unpaid outputs are shown at no more than this fraction of their width and height. */
export const UNPAID_SHARE_MAX = 0.7;

/** Opacities out of 256, indexed by a noise of 0..255 that changes smoothly over the picture. */
const opacitiesBetween = (least: number, most: number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, value) => least + (((most - least) * value) >> 8));
const LIGHT_OPACITIES = opacitiesBetween(60, 104);
const DARK_OPACITIES = opacitiesBetween(40, 72);
const LINE_OPACITIES = opacitiesBetween(36, 64);
const BAND_OPACITIES = opacitiesBetween(10, 24);

/**
 * Lines cross the picture along the words' slope, 8 : 15; distances along their normal are in seventeenths of a pixel.
 */
const ALONG_X = 8;
const ALONG_Y = 15;
const NORMAL = 17;

/** Number of values reserved for each part of the mark, which is more than any part uses. */
const VALUES_OF_KIND = 1 << 20;

/**
 * Distance between lines, as a multiple of the capitals' height, and the fraction of that distance by which a line may
 * be shifted.
 */
const LINE_PITCH = 2.2;
const LINE_STRAY = 0.25;

/**
 * Blends the mark into an opaque picture, in place. The place and strength of its words, lines and bands follow from
 * the picture and `seed`, or from the `values` of another picture.
 */
export function drawWatermark(
  picture: Raster,
  seed: number,
  values: MarkValues = markValues(picture, seed),
): void {
  const { width, height } = picture;
  const capitals = capitalsPx(width, height);
  const ofKind =
    (kind: number): MarkValues =>
    (index) =>
      values(kind * VALUES_OF_KIND + index);
  const { light, dark } = watermarkCoverage(width, height, ofKind(0));
  const quickNoise = valueNoise(width, height, Math.ceil(capitals / 2), ofKind(1));
  const slowNoise = valueNoise(width, height, capitals * 2, ofKind(2));
  const starts = lineStarts(width, height, capitals * LINE_PITCH * NORMAL, ofKind(3));
  const noise = new Uint8Array(width);
  const edge = Math.max(1, Math.round(capitals / 15));
  const tints = new Int32Array(width);
  for (let y = 0; y < height; y += 1) {
    slowNoise.fillRow(y, noise);
    layBands(tints, y, noise, starts, Math.max(1, Math.round(capitals / 14)) * NORMAL);
    quickNoise.fillRow(y, noise);
    layStrokes(tints, rowAndCast(light, y, width, edge), 255, noise, LIGHT_OPACITIES);
    layStrokes(tints, rowAndCast(dark, y, width, edge), 0, noise, DARK_OPACITIES);
    tintRow(picture, y, tints);
  }
}

/** Positions of the lines along their normal, from before the picture's first corner to after its last. */
function lineStarts(width: number, height: number, pitch: number, values: MarkValues): Int32Array {
  const reach = width * ALONG_X + height * ALONG_Y;
  const phase = (values(0) * 2 - 3) * pitch;
  return Int32Array.from(
    { length: Math.ceil(reach / pitch) + 5 },
    (_, line) => phase + (line + values(line + 1) * LINE_STRAY) * pitch,
  );
}

/** Begins a row of tints: bands between the lines are alternately tinted black and white. */
function layBands(
  tints: Int32Array,
  y: number,
  noise: Uint8Array,
  starts: Int32Array,
  lineWidth: number,
): void {
  let along = y * ALONG_Y;
  let band = starts.findLastIndex((start) => start <= along);
  for (let x = 0; x < tints.length; x += 1, along += ALONG_X) {
    if (along >= (starts[band + 1] ?? 0)) band += 1;
    const intoBand = along - (starts[band] ?? 0);
    const value = noise[x] ?? 0;
    let tint = lay(UNTINTED, (band & 1) * 255, BAND_OPACITIES[value] ?? 0);
    if (intoBand < lineWidth * 2 + NORMAL) {
      const opacity = LINE_OPACITIES[value] ?? 0;
      tint = lay(tint, 0, (opacity * shareInside(intoBand, lineWidth, lineWidth * 2)) >> 8);
      tint = lay(tint, 255, (opacity * shareInside(intoBand, 0, lineWidth)) >> 8);
    }
    tints[x] = tint;
  }
}

/** A pixel row of the words, and the row above it whose words cast an edge on it, shifted right by `shift` pixels. */
interface Strokes {
  readonly words: Uint8Array;
  readonly casting: Uint8Array;
  readonly shift: number;
}

const rowAndCast = (coverage: Uint8Array, y: number, width: number, edge: number): Strokes => ({
  words: coverage.subarray(y * width, (y + 1) * width),
  casting: y < edge ? NOTHING : coverage.subarray((y - edge) * width, (y - edge + 1) * width - edge),
  shift: edge,
});

const NOTHING = new Uint8Array(0);

/** Adds words to a row, and their edge in the opposite tone: one of the two is visible on any background. */
function layStrokes(
  tints: Int32Array,
  { words, casting, shift }: Strokes,
  level: number,
  noise: Uint8Array,
  opacities: Uint8Array,
): void {
  const castEnd = shift + casting.length;
  for (let x = 0; x < words.length; x += 1) {
    const word = words[x] ?? 0;
    const cast = x >= shift && x < castEnd ? (casting[x - shift] ?? 0) : 0;
    if ((word | cast) === 0) continue;
    const opacity = opacities[noise[x] ?? 0] ?? 0;
    let tint = tints[x] ?? 0;
    if (cast > word) tint = lay(tint, 255 - level, (opacity * (cast - word)) >> 8);
    if (word > 0) tint = lay(tint, level, (opacity * word) >> 8);
    tints[x] = tint;
  }
}

function tintRow({ width, pixels }: Raster, y: number, tints: Int32Array): void {
  for (let x = 0, at = y * width * 4; x < width; x += 1, at += 4) {
    const tint = tints[x] ?? 0;
    const kept = tint >> ADDED_BITS;
    const added = tint & ADDED_MASK;
    pixels[at] = ((pixels[at] ?? 0) * kept + added) >> 8;
    pixels[at + 1] = ((pixels[at + 1] ?? 0) * kept + added) >> 8;
    pixels[at + 2] = ((pixels[at + 2] ?? 0) * kept + added) >> 8;
  }
}

/**
 * How a pixel's colour changes: `(value * kept + added) / 256`. Packed into one number for speed: `kept`, up to 256,
 * above the 17 bits of `added`.
 */
type Tint = number;
const ADDED_BITS = 17;
const ADDED_MASK = (1 << ADDED_BITS) - 1;
const UNTINTED: Tint = 256 << ADDED_BITS;

/** Blends a grey level over a tint, at `opacity` out of 256. */
function lay(tint: Tint, level: number, opacity: number): Tint {
  const rest = 256 - opacity;
  const kept = ((tint >> ADDED_BITS) * rest) >> 8;
  const added = (((tint & ADDED_MASK) * rest) >> 8) + level * opacity;
  return (kept << ADDED_BITS) | added;
}

/** The part of a pixel's width (17 units from `from`) that lies between `start` and `end`, as 0 to 256. */
function shareInside(from: number, start: number, end: number): number {
  const inside = Math.min(from + NORMAL, end) - Math.max(from, start);
  return inside <= 0 ? 0 : Math.floor((inside * 256) / NORMAL);
}

/** Noise that changes smoothly from pixel to pixel. */
interface ValueNoise {
  /** Fills `row` with the values (0..255) of one row of pixels. */
  fillRow(y: number, row: Uint8Array): void;
}

/** Noise for a picture: a value every `cellPx` pixels, interpolated linearly. */
function valueNoise(width: number, height: number, cellPx: number, values: MarkValues): ValueNoise {
  const columns = Math.floor(width / cellPx) + 2;
  const rows = Math.floor(height / cellPx) + 2;
  const lattice = new Uint8Array(columns * rows);
  for (let index = 0; index < lattice.length; index += 1) lattice[index] = values(index) * 255;
  const line = new Int32Array(columns);
  const area = cellPx * cellPx;
  return {
    fillRow(y, row) {
      const upper = Math.floor(y / cellPx) * columns;
      const down = y % cellPx;
      for (let column = 0; column < columns; column += 1) {
        const above = lattice[upper + column] ?? 0;
        line[column] = above * (cellPx - down) + (lattice[upper + columns + column] ?? 0) * down;
      }
      let x = 0;
      for (let column = 0; x < width; column += 1) {
        let sum = (line[column] ?? 0) * cellPx;
        const step = (line[column + 1] ?? 0) - (line[column] ?? 0);
        const end = Math.min(width, x + cellPx);
        for (; x < end; x += 1, sum += step) row[x] = sum / area;
      }
    },
  };
}
