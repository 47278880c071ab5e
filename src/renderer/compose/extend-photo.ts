import { type CanvasMemory, freeRaster } from "../buffers.ts";
import { drawOver } from "../raster/blend.ts";
import { BLACK, filledCanvas } from "../raster/canvas.ts";
import { ditherAt } from "../raster/gradient.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import type { Box, Raster } from "../types.ts";

/**
 * Thickness of the strip along an edge, as a fraction of the photo. The strip's mean colour is continued past the edge.
 */
const STRIP_SHARE = 0.03;
/** At its left and right edges, the photo's mirror image fades into the mean colour over this fraction of the photo. */
const FADE_SHARE = 0.1;
/**
 * Means are smoothed along this fraction of an edge, but hardly across a step of this many levels (of 255), so that a
 * table's edge continues.
 */
const SMOOTH_SHARE = 0.025;
const STEP_BYTES = 9;
/** Distance in pixels between samples of a photo's grain. */
const GRAIN_PX = 2;
const GRAIN_BYTES_MAX = 9;
/** A pixel whose green value differs from the edge's mean by this many levels is not background. */
const FOREGROUND_DIFFERENCE_MIN = 30;
/**
 * The grain of a pixel is not repeated if its green value differs from the edge's mean by at least
 * `FOREGROUND_DIFFERENCE_MIN / GRAIN_STRANGE_TIMES`.
 */
const GRAIN_STRANGE_TIMES = 3;

/**
 * A photo extended past its edges in its own colours and grain, like a studio's backdrop. `part` is in pixels of the
 * pyramid's base and reaches past the base; `photo` is the photo's own box on the drawn raster. The pixels come from
 * `memory`.
 */
export function drawExtended(
  pyramid: Pyramid,
  part: Box,
  { width, height }: Pick<Box, "width" | "height">,
  photo: Box,
  memory?: CanvasMemory,
): Raster {
  const canvas = filledCanvas(width, height, BLACK, memory);
  const drawn = drawInner(pyramid, part, photo);
  drawOver(canvas, drawn, photo.x, photo.y);
  freeRaster(drawn);
  const [left, top] = [photo.x, photo.y];
  const [right, bottom] = [left + photo.width, top + photo.height];
  const across = { step: 1, stride: width, from: top, to: bottom, inner: right - left };
  extendSide(canvas, { ...across, edge: left, outward: -1, length: left });
  extendSide(canvas, { ...across, edge: right - 1, outward: 1, length: width - right });
  // Corners are filled from the rows that were already extended sideways.
  const down = { step: width, stride: 1, from: 0, to: width, inner: bottom - top };
  extendSide(canvas, { ...down, edge: top, outward: -1, length: top });
  extendSide(canvas, { ...down, edge: bottom - 1, outward: 1, length: height - bottom });
  return canvas;
}

/** The photo's own pixels in a part. */
function drawInner(pyramid: Pyramid, part: Box, { width, height }: Box): Raster {
  const { base } = pyramid;
  const [left, top] = [Math.max(0, part.x), Math.max(0, part.y)];
  const right = Math.min(base.width, part.x + part.width);
  const bottom = Math.min(base.height, part.y + part.height);
  return pyramid.draw({ x: left, y: top, width: right - left, height: bottom - top }, width, height);
}

/** One side to extend: lines (rows or columns) from `from` to `to`, each from its pixel `edge` outwards. */
interface Side {
  /** Pixel steps along a line, and between lines. */
  readonly step: number;
  readonly stride: number;
  readonly from: number;
  readonly to: number;
  readonly edge: number;
  readonly outward: 1 | -1;
  readonly length: number;
  /** Pixels of the photo along a line. */
  readonly inner: number;
}

/** Radius of the blur above and below a photo, in pixels along the edge per pixel of distance from the edge. */
const MIXED_PER_PIXEL = 1.3;
/** Number of rows that share their colours. */
const ROWS_ALIKE = 4;

function extendSide(canvas: Raster, side: Side): void {
  const { step, from, to, length } = side;
  if (length <= 0) return;
  const means = smoothed(withoutThinParts(edgeMeans(canvas, side)));
  if (step === 1) {
    // To the left and right, each line is extended separately, so that for example the edge of a table continues.
    for (let line = from; line < to; line += 1) {
      for (let away = 1; away <= length; away += 1) extendPixel(canvas, side, means, line, away);
    }
    return;
  }
  // Above and below the photo, the colours are blurred along the edge, so that no stripes appear.
  const sums = runningSums(means);
  const row = means.slice();
  for (let away = 1; away <= length; away += 1) {
    if (away % ROWS_ALIKE === 0)
      row.forEach((_, at) => {
        row[at] = mixedAt(sums, at, away * MIXED_PER_PIXEL);
      });
    for (let line = from; line < to; line += 1) extendPixel(canvas, side, row, line, away);
  }
}

/**
 * Draws the pixel of a line that is `away` pixels from its edge, in the colours of `row` and with the photo's grain.
 */
function extendPixel({ pixels }: Raster, side: Side, row: Float64Array, line: number, away: number): void {
  const { step, stride, from, edge, outward, inner } = side;
  const fade = Math.max(1, Math.round(inner * FADE_SHARE));
  // Reads the fading strip back and forth, so that its grain continues.
  const turn = (away - 1) % (fade * 2);
  const mirrored = edge - outward * Math.min(inner - 1, turn < fade ? turn : fade * 2 - 1 - turn);
  const source = (line * stride + mirrored * step) * 4;
  const to4 = (line * stride + (edge + outward * away) * step) * 4;
  const mean = (line - from) * 3;
  const share = away >= fade || step !== 1 ? 0 : 1 - away / fade;
  // Objects near the edge are not mirrored.
  const strange = Math.abs((pixels[source + 1] ?? 0) - (row[mean + 1] ?? 0)) / FOREGROUND_DIFFERENCE_MIN;
  const seen = Math.max(0, 1 - strange) * share * share * (3 - 2 * share);
  // The grain beside an object, such as a sleeve, would be repeated like the teeth of a comb.
  const even = Math.max(0, 1 - strange * GRAIN_STRANGE_TIMES);
  const grain = (1 - seen) * even * grainAt(pixels, source + 1, step * 4 * GRAIN_PX, side, mirrored);
  const noise = ditherAt(step === 1 ? edge + outward * away : line, step === 1 ? line : away);
  for (let channel = 0; channel < 3; channel += 1) {
    const plain = row[mean + channel] ?? 0;
    pixels[to4 + channel] = Math.floor(
      plain + ((pixels[source + channel] ?? 0) - plain) * seen + grain + noise,
    );
  }
}

/** Sums of running sums of means, three values a line, mirrored at both ends of the edge. */
function runningSums(means: Float64Array): Float64Array {
  const count = means.length / 3;
  const sums = new Float64Array((count * 3 + 1) * 3);
  const run = [0, 0, 0];
  for (let line = 0; line < count * 3; line += 1) {
    const turned = line < count ? count - 1 - line : line < count * 2 ? line - count : count * 3 - 1 - line;
    for (let channel = 0; channel < 3; channel += 1) {
      run[channel] = (run[channel] ?? 0) + (means[turned * 3 + channel] ?? 0);
      sums[(line + 1) * 3 + channel] = (sums[line * 3 + channel] ?? 0) + (run[channel] ?? 0);
    }
  }
  return sums;
}

/** Triangular filter: the mean around a line up to `reach` lines away, with linearly falling weights. */
function mixedAt(sums: Float64Array, at: number, reach: number): number {
  const count = sums.length / 9;
  const lines = Math.max(1, Math.min(Math.floor(count) - 1, Math.round(reach)));
  const middle = at + Math.floor(count) * 3;
  const sum = (line: number): number => sums[middle + line * 3] ?? 0;
  return (sum(lines) - 2 * sum(0) + sum(-lines)) / (lines * lines);
}

/** Difference between a pixel's green and the mean of two neighbours along its line. */
function grainAt(
  pixels: Uint8ClampedArray,
  at: number,
  apart: number,
  { edge, outward, inner }: Side,
  position: number,
): number {
  const depth = (edge - position) * outward;
  if (depth < GRAIN_PX || depth >= inner - GRAIN_PX) return 0;
  const grain = (pixels[at] ?? 0) - ((pixels[at - apart] ?? 0) + (pixels[at + apart] ?? 0)) / 2;
  return Math.abs(grain) > GRAIN_BYTES_MAX ? 0 : grain * 0.8;
}

/** The mean colour of each line's strip along an edge, three values a line. */
function edgeMeans({ pixels }: Raster, { step, stride, from, to, edge, outward, inner }: Side): Float64Array {
  const means = new Float64Array((to - from) * 3);
  const strip = Math.max(1, Math.round(inner * STRIP_SHARE));
  for (let line = from; line < to; line += 1) {
    for (let deep = 0; deep < strip; deep += 1) {
      const at = (line * stride + (edge - outward * deep) * step) * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        const index = (line - from) * 3 + channel;
        means[index] = (means[index] ?? 0) + (pixels[at + channel] ?? 0) / strip;
      }
    }
  }
  return means;
}

/** An object that covers less than this fraction of an edge, such as an elbow, is not extended. */
const THIN_SHARE = 0.03;

/** The median of each mean and the means at `THIN_SHARE` before and after it. */
function withoutThinParts(means: Float64Array): Float64Array {
  const last = means.length - 3;
  const apart = Math.round((means.length / 3) * THIN_SHARE) * 3;
  return means.map((value, at) => {
    const before = means[Math.max(at % 3, at - apart)] ?? value;
    const after = means[Math.min(last + (at % 3), at + apart)] ?? value;
    return Math.max(Math.min(before, after), Math.min(Math.max(before, after), value));
  });
}

/** Means smoothed along an edge by a one-dimensional bilateral filter. */
function smoothed(means: Float64Array): Float64Array {
  const count = means.length / 3;
  const radius = Math.max(1, Math.round(count * SMOOTH_SHARE));
  const result = new Float64Array(means.length);
  for (let line = 0; line < count; line += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const own = means[line * 3 + channel] ?? 0;
      let [sum, weights] = [0, 0];
      for (let other = Math.max(0, line - radius); other <= Math.min(count - 1, line + radius); other += 1) {
        const value = means[other * 3 + channel] ?? 0;
        const apart = (value - own) / STEP_BYTES;
        const weight = 1 / (1 + apart * apart * apart * apart);
        sum += value * weight;
        weights += weight;
      }
      result[line * 3 + channel] = sum / weights;
    }
  }
  return result;
}
