/**
 * Shrinks by averaging boxes of `factor` × `factor` pixels, row by row, with colours weighted by alpha. Boxes at the
 * right and bottom edge average the pixels inside the picture.
 *
 * Rounding: colour × alpha / 255 to the nearest integer, exactly; the mean to the nearest integer, ties to even. A mean
 * of opaque pixels is exact to half a level. With alpha, premultiplied values are off by at most 1/2, so a colour is
 * off by at most 1/2 × 255 / (mean alpha) levels, plus half a level from the last rounding.
 */

/** The sum of this many bytes fits 16 bits. */
const ROWS_IN_16_BITS: i32 = 257;

let width: i32 = 0;
let height: i32 = 0;
let factor: i32 = 1;
let channels: i32 = 4;
let outWidth: i32 = 0;
let y: i32 = 0;
/** Whether every pixel so far was opaque. */
export let isBoxMeansOpaque: bool = true;

/** Column sums of pixels, 16 bits a sample, and the number of rows in them. */
let columns: usize = 0;
let columnRows: i32 = 0;
/** Box sums, four of 32 bits each, and the number of rows in them. */
let boxes: usize = 0;
let boxRows: i32 = 0;
let hasBoxSums: bool = false;
/** A row with premultiplied colours. */
let premultiplied: usize = 0;

function padded(bytes: i32): usize {
  return <usize>((bytes + 31) & ~15);
}

/** Bytes of working memory for a picture of this width; `channels` is 1 (grey), 3 (RGB) or 4 (RGBA). */
export function boxMeansBytes(width: i32, factor: i32, channels: i32): usize {
  if (factor === 1) return 16;
  const boxesAcross = (width + factor - 1) / factor;
  return padded(width * channels) * 2 + padded(boxesAcross * 16) + padded(width * 4);
}

/** Starts a picture in `memory`, which is 16-aligned and `boxMeansBytes` long. */
export function startBoxMeans(
  memory: usize,
  pictureWidth: i32,
  pictureHeight: i32,
  boxEdge: i32,
  samples: i32,
): void {
  width = pictureWidth;
  height = pictureHeight;
  factor = boxEdge;
  channels = samples;
  outWidth = (width + factor - 1) / factor;
  y = 0;
  isBoxMeansOpaque = true;
  columns = memory;
  columnRows = 0;
  boxes = columns + padded(width * channels) * 2;
  boxRows = 0;
  hasBoxSums = false;
  premultiplied = boxes + padded(outWidth * 16);
}

/**
 * Adds the next row of `width * channels` bytes; the 15 bytes after it must be inside memory. Returns 1 when the row
 * completes a row of boxes, else 0. The means are then at `out`: `ceil(width / factor) * 4` bytes of RGBA, with room
 * for 15 more.
 */
export function addBoxMeansRow(row: usize, out: usize): i32 {
  y++;
  let samples = row;
  if (channels === 4 && !isRowOpaque(row)) {
    isBoxMeansOpaque = false;
    if (factor > 1) {
      premultiplyRow(row);
      samples = premultiplied;
    }
  }
  if (factor === 1) {
    expandToRgba(row, out);
    return 1;
  }
  addColumns(samples);
  columnRows++;
  boxRows++;
  const isComplete = boxRows === factor || y === height;
  if (isComplete || columnRows === ROWS_IN_16_BITS) addBoxes();
  if (!isComplete) return 0;
  if (channels === 4) writePremultipliedMeans(out);
  else writeOpaqueMeans(out);
  boxRows = 0;
  hasBoxSums = false;
  return 1;
}

function isRowOpaque(row: usize): bool {
  const end = row + <usize>width * 4;
  const whole = row + (<usize>width & ~3) * 4;
  let all = i32x4.splat(-1);
  let at = row;
  for (; at < whole; at += 16) all = v128.and(all, v128.load(at));
  let alpha: u32 = 0xff000000;
  for (; at < end; at += 4) alpha &= load<u32>(at);
  all = v128.or(all, i32x4.splat(0x00ffffff));
  return alpha === 0xff000000 && i32x4.all_true(i32x4.eq(all, i32x4.splat(-1)));
}

/** Multiplies colours by alpha / 255, rounded: (p + 128 + ((p + 128) >> 8)) >> 8 for p up to 255 * 255. */
function premultiplyRow(row: usize): void {
  const end = row + <usize>width * 4;
  let to = premultiplied;
  const keepAlpha = i32x4.splat(<i32>0xff000000);
  const half = i16x8.splat(128);
  for (let at = row; at < end; at += 16, to += 16) {
    const pixels = v128.load(at);
    const alphas = v128.or(
      v128.shuffle<u8>(pixels, pixels, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15),
      keepAlpha,
    );
    let low = i16x8.add(i16x8.extmul_low_i8x16_u(pixels, alphas), half);
    let high = i16x8.add(i16x8.extmul_high_i8x16_u(pixels, alphas), half);
    low = i16x8.shr_u(i16x8.add(low, i16x8.shr_u(low, 8)), 8);
    high = i16x8.shr_u(i16x8.add(high, i16x8.shr_u(high, 8)), 8);
    v128.store(to, i8x16.narrow_i16x8_u(low, high));
  }
}

function addColumns(row: usize): void {
  const end = row + <usize>(width * channels);
  let to = columns;
  if (columnRows === 0) {
    for (let at = row; at < end; at += 16, to += 32) {
      const bytes = v128.load(at);
      v128.store(to, i16x8.extend_low_i8x16_u(bytes));
      v128.store(to, i16x8.extend_high_i8x16_u(bytes), 16);
    }
    return;
  }
  for (let at = row; at < end; at += 16, to += 32) {
    const bytes = v128.load(at);
    v128.store(to, i16x8.add(v128.load(to), i16x8.extend_low_i8x16_u(bytes)));
    v128.store(to, i16x8.add(v128.load(to, 16), i16x8.extend_high_i8x16_u(bytes)), 16);
  }
}

/** Adds the column sums to their boxes. With three channels the fourth sum is unused. */
function addBoxes(): void {
  const pixelBytes = <usize>(channels * 2);
  let at = columns;
  let box = boxes;
  const lastColumn = columns + <usize>width * pixelBytes;
  for (let x = 0; x < outWidth; x++, box += 16) {
    let end = at + <usize>factor * pixelBytes;
    if (end > lastColumn) end = lastColumn;
    let sum = hasBoxSums ? v128.load(box) : i32x4.splat(0);
    if (channels === 1) {
      let grey: u32 = i32x4.extract_lane(sum, 0);
      for (; at < end; at += 2) grey += load<u16>(at);
      sum = i32x4.splat(grey);
    } else {
      for (; at < end; at += pixelBytes) sum = i32x4.add(sum, i32x4.extend_low_i16x8_u(v128.load64_zero(at)));
    }
    v128.store(box, sum);
  }
  columnRows = 0;
  hasBoxSums = true;
}

/** Four sums multiplied by a scale, as bytes; ties round to even. */
function scaled(sums: v128, scale: f64): u32 {
  const scales = f64x2.splat(scale);
  const low = f64x2.nearest(f64x2.mul(f64x2.convert_low_i32x4_u(sums), scales));
  const upper = i64x2.shuffle(sums, sums, 1, 1);
  const high = f64x2.nearest(f64x2.mul(f64x2.convert_low_i32x4_u(upper), scales));
  const words = i64x2.shuffle(i32x4.trunc_sat_f64x2_u_zero(low), i32x4.trunc_sat_f64x2_u_zero(high), 0, 2);
  const halves = i16x8.narrow_i32x4_u(words, words);
  return i32x4.extract_lane(i8x16.narrow_i16x8_u(halves, halves), 0);
}

function writeOpaqueMeans(out: usize): void {
  const lastColumns = width - (outWidth - 1) * factor;
  const scale = 1.0 / <f64>(boxRows * factor);
  const lastScale = 1.0 / <f64>(boxRows * lastColumns);
  for (let x = 0; x < outWidth; x++) {
    const sums = v128.load(boxes + <usize>x * 16);
    store<u32>(out + <usize>x * 4, scaled(sums, x === outWidth - 1 ? lastScale : scale) | 0xff000000);
  }
}

function writePremultipliedMeans(out: usize): void {
  for (let x = 0; x < outWidth; x++) {
    const box = boxes + <usize>x * 16;
    const across = x === outWidth - 1 ? width - x * factor : factor;
    const count = <f64>(boxRows * across);
    const alphaSum = load<u32>(box, 12);
    let pixel: u32 = 0;
    if (alphaSum !== 0) {
      const alpha = <f64>alphaSum;
      const isFull = alpha === count * 255.0;
      pixel = scaled(v128.load(box), isFull ? 1.0 / count : 255.0 / alpha) & 0x00ffffff;
      pixel |= (<u32>nearest(alpha / count)) << 24;
    }
    store<u32>(out + <usize>x * 4, pixel);
  }
}

function expandToRgba(row: usize, out: usize): void {
  if (channels === 4) {
    memory.copy(out, row, <usize>width * 4);
    return;
  }
  const opaque = i32x4.splat(<i32>0xff000000);
  const end = out + <usize>width * 4;
  let from = row;
  if (channels === 3) {
    for (let to = out; to < end; to += 16, from += 12) {
      const rgb = v128.load(from);
      const rgba = v128.shuffle<u8>(rgb, rgb, 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11);
      v128.store(to, v128.or(rgba, opaque));
    }
    return;
  }
  for (let to = out; to < end; to += 16, from += 4) {
    const grey = v128.load32_zero(from);
    const rgba = v128.shuffle<u8>(grey, grey, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    v128.store(to, v128.or(rgba, opaque));
  }
}
