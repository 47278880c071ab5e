import { chroma, distance, type Oklab, toOklab } from "../colour/oklab.ts";
import type { Box, Face, Raster } from "../types.ts";

/** Importance of each pixel of a thumbnail, 0..1. */
export interface SaliencyMap {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

/** Weights of the cues, tuned by eye on photographs of objects, people and landscapes. */
const WEIGHT = { distinctness: 1, edges: 0.9, saturation: 0.25 } as const;
/** The weight of a head: more than that of all other cues together. */
const HEAD_WEIGHT = 3.2;
/** The fraction by which a pixel in a corner counts less than one in the centre: photographers centre their subject. */
const CORNER_LOSS = 0.45;

/**
 * Scores a thumbnail (about 128 px) by the distance of each colour from the picture's mean (R. Achanta et al.,
 * "Frequency-tuned salient region detection", 2009), by edge energy and saturation; heads, in fractions of the picture,
 * score above everything else. Transparent pixels score 0.
 */
export function saliencyMapOf(thumbnail: Raster, faces: readonly Pick<Face, "head">[] = []): SaliencyMap {
  const { width, height, pixels } = thumbnail;
  const count = Math.max(1, width * height);
  // Planes rather than an object per pixel, which would enlarge the heap permanently.
  const [ls, as, bs] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  let l = 0;
  let a = 0;
  let b = 0;
  for (let at = 0, index = 0; at < pixels.length; at += 4, index += 1) {
    const lab = toOklab({ r: pixels[at] ?? 0, g: pixels[at + 1] ?? 0, b: pixels[at + 2] ?? 0 });
    ls[index] = lab.l;
    as[index] = lab.a;
    bs[index] = lab.b;
    l += lab.l;
    a += lab.a;
    b += lab.b;
  }
  const mean: Oklab = { l: l / count, a: a / count, b: b / count };
  const lightness = (x: number, y: number) =>
    ls[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))] ?? 0;
  const raw = new Float64Array(count);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const lab: Oklab = { l: ls[at] ?? 0, a: as[at] ?? 0, b: bs[at] ?? 0 };
      const across = lightness(x + 1, y) - lightness(x - 1, y);
      const down = lightness(x, y + 1) - lightness(x, y - 1);
      const edge = Math.min(0.4, Math.sqrt(across * across + down * down)) / 0.4;
      const score =
        WEIGHT.distinctness * Math.min(1, distance(lab, mean) / 0.4) +
        WEIGHT.edges * edge +
        WEIGHT.saturation * Math.min(1, chroma(lab) / 0.25);
      const dx = (x + 0.5) / width - 0.5;
      const dy = (y + 0.5) / height - 0.5;
      const centred = 1 - CORNER_LOSS * 2 * (dx * dx + dy * dy);
      raw[at] = (score * centred * (pixels[at * 4 + 3] ?? 0)) / 255;
    }
  }
  for (const { head } of faces) raise(raw, width, height, head);
  return normalised(
    smoothed(raw, width, height, Math.max(1, Math.round(Math.max(width, height) / 24))),
    width,
    height,
  );
}

/** Raises a head, with its hair, above everything else, so that crops avoid cutting it. */
function raise(raw: Float64Array, width: number, height: number, head: Box): void {
  const right = Math.min(width, Math.ceil((head.x + head.width) * width));
  const bottom = Math.min(height, Math.ceil((head.y + head.height) * height));
  for (let y = Math.floor(head.y * height); y < bottom; y += 1) {
    for (let x = Math.floor(head.x * width); x < right; x += 1) {
      raw[y * width + x] = (raw[y * width + x] ?? 0) + HEAD_WEIGHT;
    }
  }
}

function smoothed(values: Float64Array, width: number, height: number, radius: number): Float64Array {
  let plane = values;
  for (let pass = 0; pass < 2; pass += 1) {
    plane = averaged(averaged(plane, width, height, 1, width, radius), height, width, width, 1, radius);
  }
  return plane;
}

function averaged(
  from: Float64Array,
  length: number,
  lines: number,
  step: number,
  stride: number,
  radius: number,
): Float64Array {
  const to = new Float64Array(from.length);
  for (let line = 0; line < lines; line += 1) {
    for (let i = 0; i < length; i += 1) {
      const low = Math.max(0, i - radius);
      const high = Math.min(length - 1, i + radius);
      let sum = 0;
      for (let k = low; k <= high; k += 1) sum += from[line * stride + k * step] ?? 0;
      to[line * stride + i * step] = sum / (high - low + 1);
    }
  }
  return to;
}

function normalised(values: Float64Array, width: number, height: number): SaliencyMap {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return { width, height, values: most === 0 ? values : values.map((value) => value / most) };
}
