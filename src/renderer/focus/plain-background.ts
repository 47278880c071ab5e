import { distance, type Oklab, toOklab } from "../colour/oklab.ts";
import type { Box, Raster } from "../types.ts";
import type { SaliencyMap } from "./saliency.ts";

/** Width of the strip at either side that represents the background, as a fraction of the picture's width. */
const RIM_SHARE = 0.05;
/** If the two rims of a row differ by more than this in OKLab, they do not belong to one background. */
const RIMS_APART_MAX = 0.07;
/** Within a rim, colours further than this (OKLab) from the rim's mean are a pattern or the product. */
const RIM_SPREAD_MAX = 0.05;
/** Fraction of the rows that must be plain at both rims. */
const PLAIN_ROWS_MIN = 0.92;
/**
 * A pixel whose colour is this far, in OKLab, from the background of its row belongs to the product; soft shadows are
 * closer.
 */
const SUBJECT_DISTANCE_MIN = 0.13;
/** Rows and columns in which the product covers less than this fraction of the length are specks. */
const SPECK_SHARE = 0.015;

/**
 * The box, in fractions 0..1, of a product photographed on a plain background: the pixels that differ from the colours
 * at both ends of their row, so that a wall meeting a table is still one background. Null if the background is not
 * plain, or if nothing is on it. Takes an opaque thumbnail of about 128 px.
 */
export function findSubjectOnPlainBackground(thumbnail: Raster): Box | null {
  const { width, height } = thumbnail;
  const labs = labsOf(thumbnail);
  const reach = Math.max(1, Math.round(width * RIM_SHARE));
  const columns = new Uint16Array(width);
  const rows = new Uint16Array(height);
  let plain = 0;
  for (let y = 0; y < height; y += 1) {
    const row = labs.slice(y * width, (y + 1) * width);
    const left = rimOf(row.slice(0, reach));
    const right = rimOf(row.slice(width - reach));
    const isPlain =
      left.spread <= RIM_SPREAD_MAX &&
      right.spread <= RIM_SPREAD_MAX &&
      distance(left.mean, right.mean) <= RIMS_APART_MAX;
    if (!isPlain) continue;
    plain += 1;
    row.forEach((lab, x) => {
      const background = between(left.mean, right.mean, (x + 0.5) / width);
      if (distance(lab, background) < SUBJECT_DISTANCE_MIN) return;
      columns[x] = (columns[x] ?? 0) + 1;
      rows[y] = (rows[y] ?? 0) + 1;
    });
  }
  if (plain < height * PLAIN_ROWS_MIN) return null;
  const across = extentOf(columns, height * SPECK_SHARE);
  const down = extentOf(rows, width * SPECK_SHARE);
  if (across === null || down === null) return null;
  return {
    x: across.first / width,
    y: down.first / height,
    width: (across.last + 1 - across.first) / width,
    height: (down.last + 1 - down.first) / height,
  };
}

/** The factor of the background's saliency, and the minimum of the product's. */
const BACKGROUND_SALIENCY = 0.12;
const SUBJECT_SALIENCY_MIN = 0.6;

/** Raises the saliency of the product and lowers that of its background. */
export function emphasiseSubject({ width, height, values }: SaliencyMap, subjectBox: Box): SaliencyMap {
  const isInside = (at: number, from: number, span: number) => at >= from && at <= from + span;
  return {
    width,
    height,
    values: values.map((value, at) =>
      isInside(((at % width) + 0.5) / width, subjectBox.x, subjectBox.width) &&
      isInside((Math.floor(at / width) + 0.5) / height, subjectBox.y, subjectBox.height)
        ? SUBJECT_SALIENCY_MIN + (1 - SUBJECT_SALIENCY_MIN) * value
        : value * BACKGROUND_SALIENCY,
    ),
  };
}

function labsOf({ pixels }: Raster): readonly Oklab[] {
  const labs: Oklab[] = [];
  for (let at = 0; at < pixels.length; at += 4) {
    labs.push(toOklab({ r: pixels[at] ?? 0, g: pixels[at + 1] ?? 0, b: pixels[at + 2] ?? 0 }));
  }
  return labs;
}

/** Mean colour of a strip, and the distance of the furthest pixel from that mean. */
function rimOf(labs: readonly Oklab[]): { readonly mean: Oklab; readonly spread: number } {
  const sum = labs.reduce((all, { l, a, b }) => ({ l: all.l + l, a: all.a + a, b: all.b + b }));
  const mean = { l: sum.l / labs.length, a: sum.a / labs.length, b: sum.b / labs.length };
  return { mean, spread: Math.max(...labs.map((lab) => distance(lab, mean))) };
}

const between = (from: Oklab, to: Oklab, share: number): Oklab => ({
  l: from.l + (to.l - from.l) * share,
  a: from.a + (to.a - from.a) * share,
  b: from.b + (to.b - from.b) * share,
});

function extentOf(
  counts: Uint16Array,
  least: number,
): { readonly first: number; readonly last: number } | null {
  const first = counts.findIndex((count) => count > least);
  return first < 0 ? null : { first, last: counts.findLastIndex((count) => count > least) };
}
