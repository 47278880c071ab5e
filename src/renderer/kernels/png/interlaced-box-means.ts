/**
 * Box means of an interlaced picture, whose pixels arrive in pass order: keeps a sum for each box of a strip of the
 * output. Rounds like `box-means.ts`.
 */

let width: i32 = 0;
let height: i32 = 0;
let factor: i32 = 2;
let outWidth: i32 = 0;
let firstRow: i32 = 0;
let rows: i32 = 0;
let sums: usize = 0;
let is32Bit: bool = false;
export let isInterlacedOpaque: bool = true;

/** Sums of 16 × 16 bytes fit 16 bits. */
const FACTOR_16_BIT_MAX: i32 = 16;

/** Bytes of memory for a strip of `stripRows` rows of boxes. */
export function interlacedMeansBytes(outWidth: i32, stripRows: i32, factor: i32): usize {
  return (<usize>outWidth * <usize>stripRows) << (factor <= FACTOR_16_BIT_MAX ? 3 : 4);
}

export function startInterlacedMeans(
  strip: usize,
  pictureWidth: i32,
  pictureHeight: i32,
  boxEdge: i32,
  stripTop: i32,
  stripRows: i32,
): void {
  width = pictureWidth;
  height = pictureHeight;
  factor = boxEdge;
  outWidth = (width + factor - 1) / factor;
  firstRow = stripTop;
  rows = stripRows;
  sums = strip;
  is32Bit = factor > FACTOR_16_BIT_MAX;
  isInterlacedOpaque = true;
  memory.fill(sums, 0, interlacedMeansBytes(outWidth, rows, factor));
}

/** Whether row `y` of the picture is in the strip. */
export function isInStrip(y: i32): bool {
  const row = y / factor - firstRow;
  return row >= 0 && row < rows;
}

/** Adds pixels of row `y`. Pixel i of `rgba` is at column `left + i * step`. */
export function addPixels(y: i32, rgba: usize, pixels: i32, left: i32, step: i32): void {
  const rowBytes = (<usize>outWidth) << (is32Bit ? 4 : 3);
  const row = sums + <usize>(y / factor - firstRow) * rowBytes;
  const end = rgba + ((<usize>pixels) << 2);
  const half = i16x8.splat(128);
  const keepAlpha = i32x4.splat(<i32>0xff000000);
  let alphas: u32 = 0xff000000;
  let box = left / factor;
  let within = left - box * factor;
  let at = rgba;
  while (at < end) {
    let sum = i32x4.splat(0);
    for (; within < factor && at < end; within += step, at += 4) {
      const pixel = v128.load32_zero(at);
      alphas &= load<u32>(at);
      const alpha = v128.or(
        v128.shuffle<u8>(pixel, pixel, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3),
        keepAlpha,
      );
      const product = i16x8.add(i16x8.extmul_low_i8x16_u(pixel, alpha), half);
      const premultiplied = i16x8.shr_u(i16x8.add(product, i16x8.shr_u(product, 8)), 8);
      sum = i32x4.add(sum, i32x4.extend_low_i16x8_u(premultiplied));
    }
    if (is32Bit) {
      const to = row + ((<usize>box) << 4);
      v128.store(to, i32x4.add(v128.load(to), sum));
    } else {
      const to = row + ((<usize>box) << 3);
      const narrow = i16x8.add(v128.load64_zero(to), i16x8.narrow_i32x4_u(sum, sum));
      v128.store64_lane(to, narrow, 0);
    }
    while (within >= factor) {
      within -= factor;
      box++;
    }
  }
  if (alphas !== 0xff000000) isInterlacedOpaque = false;
}

/** Writes the means of row `index` of the strip. */
export function writeMeans(index: i32, out: usize): void {
  const boxHeight = min(factor, height - (firstRow + index) * factor);
  for (let x = 0; x < outWidth; x++) {
    const count = <f64>(boxHeight * min(factor, width - x * factor));
    const at = <usize>(index * outWidth + x);
    const box = is32Bit
      ? v128.load(sums + (at << 4))
      : i32x4.extend_low_i16x8_u(v128.load64_zero(sums + (at << 3)));
    const alphaSum = <f64>(<u32>i32x4.extract_lane(box, 3));
    let pixel: u32 = 0;
    if (alphaSum !== 0) {
      const scale = alphaSum === count * 255.0 ? 1.0 / count : 255.0 / alphaSum;
      pixel =
        mean(i32x4.extract_lane(box, 0), scale) |
        (mean(i32x4.extract_lane(box, 1), scale) << 8) |
        (mean(i32x4.extract_lane(box, 2), scale) << 16) |
        ((<u32>nearest(alphaSum / count)) << 24);
    }
    store<u32>(out + ((<usize>x) << 2), pixel);
  }
}

function mean(sum: u32, scale: f64): u32 {
  return min(255, <u32>nearest(<f64>sum * scale));
}
