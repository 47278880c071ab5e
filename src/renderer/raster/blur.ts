import type { CanvasMemory } from "../buffers.ts";
import type { Box, Raster } from "../types.ts";
import type { Mask } from "../vector/index.ts";
import { RASTER_LIMITS } from "./canvas.ts";
import type { Resampler } from "./resampler.ts";

const PASSES = 3;

/**
 * Softens coverage with three box blurs, which together are within 3 % of a Gaussian of the given standard deviation
 * (P. Kovesi, "Fast almost-Gaussian filtering", 2010). The result is larger by the blur's reach on every side, but
 * clipped to `bounds`.
 */
export function blurred(mask: Mask, sigmaPx: number, bounds: Box): Mask {
  const sigma = Math.min(sigmaPx, RASTER_LIMITS.blurSigmaPxMax);
  const radius = Math.max(1, Math.round((Math.sqrt((12 * sigma * sigma) / PASSES + 1) - 1) / 2));
  const reach = radius * PASSES;
  const left = Math.max(bounds.x, mask.x - reach);
  const top = Math.max(bounds.y, mask.y - reach);
  const right = Math.min(bounds.x + bounds.width, mask.x + mask.width + reach);
  const bottom = Math.min(bounds.y + bounds.height, mask.y + mask.height + reach);
  const width = Math.max(0, right - left);
  const height = Math.max(0, bottom - top);
  // Blurred at full reach first: cutting earlier would darken the cut edge.
  const wide = mask.width + reach * 2;
  const tall = mask.height + reach * 2;
  const plane = new Uint16Array(wide * tall);
  for (let row = 0; row < mask.height; row += 1) {
    const to = (row + reach) * wide + reach;
    for (let column = 0; column < mask.width; column += 1) {
      plane[to + column] = (mask.coverage[row * mask.width + column] ?? 0) << 8;
    }
  }
  const spare = new Uint16Array(plane.length);
  for (let pass = 0; pass < PASSES; pass += 1) {
    averageAlong(plane, spare, wide, tall, 1, wide, radius);
    averageAlong(spare, plane, tall, wide, wide, 1, radius);
  }
  const coverage = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const from = (row + top - (mask.y - reach)) * wide + (left - (mask.x - reach));
    for (let column = 0; column < width; column += 1) {
      coverage[row * width + column] = ((plane[from + column] ?? 0) + 128) >> 8;
    }
  }
  return { x: left, y: top, width, height, coverage };
}

/** Short edge, in pixels, of the shrunk picture in `defocus`. */
const UNFOCUSED_EDGE_PX = 72;

/** Puts an opaque picture out of focus by shrinking and enlarging it, in pixels from `memory`. */
export function defocus(picture: Raster, resampler: Resampler, memory?: CanvasMemory): Raster {
  const { width, height } = picture;
  const scale = UNFOCUSED_EDGE_PX / Math.min(width, height);
  if (scale >= 0.7) return picture;
  const whole = { x: 0, y: 0, width, height };
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const small = resampler.resample(picture, whole, w, h);
  return resampler.resample(small, { x: 0, y: 0, width: w, height: h }, width, height, memory);
}

/** One box blur along `lines` lines, `stride` apart, each of `length` samples, `step` apart. */
function averageAlong(
  from: Uint16Array,
  to: Uint16Array,
  length: number,
  lines: number,
  step: number,
  stride: number,
  radius: number,
): void {
  const size = radius * 2 + 1;
  const half = size >> 1;
  for (let line = 0; line < lines; line += 1) {
    const start = line * stride;
    let sum = 0;
    for (let i = 0; i < Math.min(radius, length); i += 1) sum += from[start + i * step] ?? 0;
    for (let i = 0; i < length; i += 1) {
      if (i + radius < length) sum += from[start + (i + radius) * step] ?? 0;
      if (i - radius - 1 >= 0) sum -= from[start + (i - radius - 1) * step] ?? 0;
      to[start + i * step] = ((sum + half) / size) | 0;
    }
  }
}
