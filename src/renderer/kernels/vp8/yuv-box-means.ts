import { uLine, vLine, yLine } from "./row-buffers";

/**
 * Box means of an opaque picture, computed in YUV, which has half the samples, and then converted to RGBA. Boxes at the
 * right and bottom edge average the pixels inside the picture.
 */

let width: i32 = 0;
let height: i32 = 0;
let factor: i32 = 0;
let outWidth: i32 = 0;

/** Column sums since they were last added to the boxes: 16 bits, enough for 256 lines. */
let yColumns: usize = 0;
let uColumns: usize = 0;
let vColumns: usize = 0;
const FLUSH_LINES: i32 = 256;

/** Box sums, 32 bits. */
let yBoxes: usize = 0;
let uBoxes: usize = 0;
let vBoxes: usize = 0;

let lumaLines: i32 = 0;
let chromaLines: i32 = 0;
let unfolded: i32 = 0;

const ALIGNED: usize = 15;

function columnsBytes(pictureWidth: i32): usize {
  return ((<usize>pictureWidth * 2 + ALIGNED) & ~ALIGNED) + 64;
}

function boxesBytes(pictureWidth: i32, pictureFactor: i32): usize {
  const boxes = <usize>((pictureWidth + pictureFactor - 1) / pictureFactor);
  return ((boxes * 4 + ALIGNED) & ~ALIGNED) + 64;
}

export function shrinkBytes(pictureWidth: i32, pictureFactor: i32): usize {
  return 3 * (columnsBytes(pictureWidth) + boxesBytes(pictureWidth, pictureFactor));
}

export function startShrink(at: usize, pictureWidth: i32, pictureHeight: i32, pictureFactor: i32): void {
  width = pictureWidth;
  height = pictureHeight;
  factor = pictureFactor;
  outWidth = (width + factor - 1) / factor;
  yColumns = at;
  uColumns = yColumns + columnsBytes(width);
  vColumns = uColumns + columnsBytes(width);
  yBoxes = vColumns + columnsBytes(width);
  uBoxes = yBoxes + boxesBytes(width, factor);
  vBoxes = uBoxes + boxesBytes(width, factor);
  memory.fill(at, 0, shrinkBytes(width, factor));
  lumaLines = 0;
  chromaLines = 0;
  unfolded = 0;
}

/**
 * Adds the next line `y`. True when it completes boxes: a line of RGBA is then at `to`, with up to 12 more bytes
 * written.
 */
export function shrinkLine(y: i32, to: usize): bool {
  addLine(yLine(y), yColumns, width);
  lumaLines += 1;
  unfolded += 1;
  // With an even factor, no chroma sample spans two boxes. With an odd factor, each sample is added once for each of
  // its pixels.
  const isEven = (factor & 1) === 0;
  if (!isEven || (y & 1) === 0) {
    const samples = (width + 1) >> 1;
    addLine(uLine(y >> 1), uColumns, samples);
    addLine(vLine(y >> 1), vColumns, samples);
    chromaLines += 1;
  }
  const isWhole = lumaLines === factor || y === height - 1;
  if (isWhole || unfolded === FLUSH_LINES) fold(isEven);
  if (!isWhole) return false;
  writePixels(isEven ? (factor >> 1) * chromaLines : factor * chromaLines, to);
  lumaLines = 0;
  chromaLines = 0;
  return true;
}

function addLine(line: usize, columns: usize, samples: i32): void {
  for (let x: usize = 0; x < <usize>samples; x += 16, columns += 32) {
    const sixteen = v128.load(line + x);
    v128.store(columns, i16x8.add(v128.load(columns), i16x8.extend_low_i8x16_u(sixteen)));
    v128.store(columns, i16x8.add(v128.load(columns, 16), i16x8.extend_high_i8x16_u(sixteen)), 16);
  }
}

function fold(isEven: bool): void {
  const samples = isEven ? (width + 1) >> 1 : width;
  const across = isEven ? factor >> 1 : factor;
  if (!isEven) {
    doubleSamples(uColumns);
    doubleSamples(vColumns);
  }
  foldBoxes(yColumns, yBoxes, width, factor);
  foldBoxes(uColumns, uBoxes, samples, across);
  foldBoxes(vColumns, vBoxes, samples, across);
  memory.fill(yColumns, 0, columnsBytes(width) * 3);
  unfolded = 0;
}

function foldBoxes(columns: usize, boxes: usize, samples: i32, across: i32): void {
  if (across === 1) {
    for (let x = 0; x < samples; x += 8, columns += 16, boxes += 32) {
      const eight = v128.load(columns);
      v128.store(boxes, i32x4.add(v128.load(boxes), i32x4.extend_low_i16x8_u(eight)));
      v128.store(boxes, i32x4.add(v128.load(boxes, 16), i32x4.extend_high_i16x8_u(eight)), 16);
    }
    return;
  }
  // Samples past the last are outside the picture.
  store<u64>(columns + ((<usize>samples) << 1), 0);
  if (across === 2) {
    for (let x = 0; x < samples; x += 8, columns += 16, boxes += 16) {
      const pairs = i32x4.extadd_pairwise_i16x8_u(v128.load(columns));
      v128.store(boxes, i32x4.add(v128.load(boxes), pairs));
    }
    return;
  }
  if (across === 3) {
    for (let x = 0; x < samples; x += 12, columns += 24, boxes += 16) {
      const a = v128.load(columns);
      const b = v128.load(columns, 16);
      const first = i32x4.extend_low_i16x8_u(i16x8.shuffle(a, b, 0, 3, 6, 9, 0, 0, 0, 0));
      const second = i32x4.extend_low_i16x8_u(i16x8.shuffle(a, b, 1, 4, 7, 10, 0, 0, 0, 0));
      const third = i32x4.extend_low_i16x8_u(i16x8.shuffle(a, b, 2, 5, 8, 11, 0, 0, 0, 0));
      v128.store(boxes, i32x4.add(i32x4.add(v128.load(boxes), first), i32x4.add(second, third)));
    }
    return;
  }
  if (across === 4) {
    for (let x = 0; x < samples; x += 16, columns += 32, boxes += 16) {
      const a = i32x4.extadd_pairwise_i16x8_u(v128.load(columns));
      const b = i32x4.extadd_pairwise_i16x8_u(v128.load(columns, 16));
      const fours = i32x4.add(i32x4.shuffle(a, b, 0, 2, 4, 6), i32x4.shuffle(a, b, 1, 3, 5, 7));
      v128.store(boxes, i32x4.add(v128.load(boxes), fours));
    }
    return;
  }
  let x = 0;
  while (x < samples) {
    const end = min(x + across, samples);
    let sum = load<u32>(boxes);
    for (; x < end; x++, columns += 2) sum += load<u16>(columns);
    store<u32>(boxes, sum);
    boxes += 4;
  }
}

/**
 * With an odd factor, boxes share chroma samples: expands each sample to its two pixels, in place, from the last on.
 */
function doubleSamples(columns: usize): void {
  for (let x = (((width + 15) >> 4) << 3) - 8; x >= 0; x -= 8) {
    const eight = v128.load(columns + ((<usize>x) << 1));
    const to = columns + ((<usize>x) << 2);
    v128.store(to, i16x8.shuffle(eight, eight, 0, 0, 1, 1, 2, 2, 3, 3));
    v128.store(to, i16x8.shuffle(eight, eight, 4, 4, 5, 5, 6, 6, 7, 7), 16);
  }
}

function writePixels(chromaCount: i32, to: usize): void {
  const isEven = (factor & 1) === 0;
  fillLast(yBoxes, width, factor);
  fillLast(uBoxes, isEven ? (width + 1) >> 1 : width, isEven ? factor >> 1 : factor);
  fillLast(vBoxes, isEven ? (width + 1) >> 1 : width, isEven ? factor >> 1 : factor);
  const lumaScale = f32x4.splat(<f32>1 / <f32>(factor * lumaLines));
  const chromaScale = f32x4.splat(<f32>1 / <f32>chromaCount);
  for (let x: usize = 0; x < (<usize>outWidth) << 2; x += 16) {
    const y = f32x4.mul(f32x4.convert_i32x4_u(v128.load(yBoxes + x)), lumaScale);
    const u = f32x4.mul(f32x4.convert_i32x4_u(v128.load(uBoxes + x)), chromaScale);
    const v = f32x4.mul(f32x4.convert_i32x4_u(v128.load(vBoxes + x)), chromaScale);
    v128.store(to + x, pixelsOf(y, u, v));
  }
  memory.fill(yBoxes, 0, boxesBytes(width, factor) * 3);
}

/** Scales the last sum of a line, whose box may lie partly outside, to a whole box. */
function fillLast(boxes: usize, samples: i32, across: i32): void {
  const inside = samples - (outWidth - 1) * across;
  if (inside === across) return;
  const at = boxes + ((<usize>(outWidth - 1)) << 2);
  store<u32>(at, <u32>((<u64>load<u32>(at) * <u64>across + (<u64>inside >> 1)) / <u64>inside));
}

/** Converts YUV to RGBA with the constants of yuv-to-rgb.ts, in levels. */
function pixelsOf(y: v128, u: v128, v: v128): v128 {
  const lumaTerm = f32x4.mul(y, f32x4.splat(19077.0 / 16384.0));
  const red = f32x4.sub(
    f32x4.add(lumaTerm, f32x4.mul(v, f32x4.splat(26149.0 / 16384.0))),
    f32x4.splat(14234.0 / 64.0),
  );
  const green = f32x4.sub(
    f32x4.add(lumaTerm, f32x4.splat(8708.0 / 64.0)),
    f32x4.add(f32x4.mul(u, f32x4.splat(6419.0 / 16384.0)), f32x4.mul(v, f32x4.splat(13320.0 / 16384.0))),
  );
  const blue = f32x4.sub(
    f32x4.add(lumaTerm, f32x4.mul(u, f32x4.splat(33050.0 / 16384.0))),
    f32x4.splat(17685.0 / 64.0),
  );
  const redGreen = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(red), i32x4.trunc_sat_f32x4_s(green));
  const blueAlpha = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(blue), i32x4.splat(255));
  const planar = i8x16.narrow_i16x8_u(redGreen, blueAlpha);
  return i8x16.shuffle(planar, planar, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
}
