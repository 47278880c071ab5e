import { highBytes, highWords, lowBytes, lowWords } from "../interleave";
import { uLine, vLine, yLine } from "./row-buffers";

/**
 * Lines of RGBA at full size, the same bytes as libwebp's "fancy upsampling": chroma samples are centred on 2 × 2
 * pixels, and a pixel's chroma is 9/16, 3/16, 3/16 and 1/16 of the four nearest.
 */

let width: i32 = 0;
let height: i32 = 0;
let uSums: usize = 0;
let vSums: usize = 0;

/** Bytes before and after a line of sums. */
const MARGIN: usize = 16;

function sumsBytes(pictureWidth: i32): usize {
  return ((((<usize>pictureWidth + 1) >> 1) * 2 + 15) & ~15) + 2 * MARGIN;
}

export function colourBytes(pictureWidth: i32): usize {
  return 2 * sumsBytes(pictureWidth);
}

export function startColour(at: usize, pictureWidth: i32, pictureHeight: i32): void {
  width = pictureWidth;
  height = pictureHeight;
  uSums = at + MARGIN;
  vSums = uSums + sumsBytes(pictureWidth);
}

/** Writes line `y` at `to`, and up to 60 bytes past it. */
export function writeLine(y: i32, to: usize): void {
  const near = y >> 1;
  const last = ((height + 1) >> 1) - 1;
  const far = min(max((y & 1) !== 0 ? near + 1 : near - 1, 0), last);
  const samples = (width + 1) >> 1;
  sumLines(uLine(near), uLine(far), uSums, samples);
  sumLines(vLine(near), vLine(far), vSums, samples);
  const luma = yLine(y);
  for (let x = 0; x < width; x += 16) {
    const y16 = v128.load(luma + <usize>x);
    const u = uSums + <usize>x;
    const v = vSums + <usize>x;
    const uEven = between(v128.load(u), v128.load(u - 2));
    const uOdd = between(v128.load(u), v128.load(u + 2));
    const vEven = between(v128.load(v), v128.load(v - 2));
    const vOdd = between(v128.load(v), v128.load(v + 2));
    const uLow = lowWords(uEven, uOdd);
    const uHigh = highWords(uEven, uOdd);
    const vLow = lowWords(vEven, vOdd);
    const vHigh = highWords(vEven, vOdd);
    const yLow = lumaTerm(i16x8.extend_low_i8x16_u(y16));
    const yHigh = lumaTerm(i16x8.extend_high_i8x16_u(y16));
    const red = i8x16.narrow_i16x8_u(redOf(yLow, vLow), redOf(yHigh, vHigh));
    const green = i8x16.narrow_i16x8_u(greenOf(yLow, uLow, vLow), greenOf(yHigh, uHigh, vHigh));
    const blue = i8x16.narrow_i16x8_u(blueOf(yLow, uLow), blueOf(yHigh, uHigh));
    storePixels(to + ((<usize>x) << 2), red, green, blue);
  }
}

/** 3 × the near line + the far one. The first and last sample are repeated beyond the ends. */
function sumLines(near: usize, far: usize, to: usize, samples: i32): void {
  const three = i16x8.splat(3);
  for (let x: usize = 0; x < <usize>samples; x += 8) {
    const sum = i16x8.add(i16x8.mul(v128.load8x8_u(near + x), three), v128.load8x8_u(far + x));
    v128.store(to + x * 2, sum);
  }
  store<u16>(to - 2, load<u16>(to));
  const end = to + <usize>samples * 2;
  store<u16>(end, load<u16>(end - 2));
}

function between(near: v128, far: v128): v128 {
  const sum = i16x8.add(i16x8.add(i16x8.mul(near, i16x8.splat(3)), far), i16x8.splat(8));
  return i16x8.shr_u(sum, 4);
}

/** floor(a × constant / 256) for a byte and a constant of `whole` × 256 + `part`, in 16 bits. */
function scaled(a: v128, whole: i16, part: i16): v128 {
  return i16x8.add(i16x8.mul(a, i16x8.splat(whole)), i16x8.shr_u(i16x8.mul(a, i16x8.splat(part)), 8));
}

/**
 * BT.601, limited range, in 64ths of a level as in libwebp's yuv.h: 1.164 Y, 1.596 V, 0.392 U, 0.813 V, 2.017 U, and
 * the constants for the offsets 16 and 128 with rounding. Each term is truncated, so a channel is at most one level
 * from the rounded real-valued conversion.
 */
function lumaTerm(y: v128): v128 {
  return scaled(y, 74, 133);
}

function redOf(y: v128, v: v128): v128 {
  return i16x8.shr_u(i16x8.sub_sat_u(i16x8.add(y, scaled(v, 102, 37)), i16x8.splat(14234)), 6);
}

function greenOf(y: v128, u: v128, v: v128): v128 {
  const colour = i16x8.add(scaled(u, 25, 19), scaled(v, 52, 8));
  return i16x8.shr_s(i16x8.sub(i16x8.add(y, i16x8.splat(8708)), colour), 6);
}

function blueOf(y: v128, u: v128): v128 {
  return i16x8.shr_u(i16x8.sub_sat_u(i16x8.add(y, scaled(u, 129, 26)), i16x8.splat(17685)), 6);
}

function storePixels(to: usize, red: v128, green: v128, blue: v128): void {
  const opaque = i8x16.splat(-1);
  const rgLow = lowBytes(red, green);
  const rgHigh = highBytes(red, green);
  const baLow = lowBytes(blue, opaque);
  const baHigh = highBytes(blue, opaque);
  v128.store(to, lowWords(rgLow, baLow));
  v128.store(to, highWords(rgLow, baLow), 16);
  v128.store(to, lowWords(rgHigh, baHigh), 32);
  v128.store(to, highWords(rgHigh, baHigh), 48);
}
