import {
  address,
  DCT_SIZE,
  dctSize,
  field,
  H,
  HEIGHT,
  hMax,
  LINE_BYTES,
  LINES,
  MCU_LINES,
  outWidth,
  UPSAMPLED,
  V,
  vMax,
  WIDTH,
} from "./frame.ts";

/*
 * Upsamples a component to the size of the picture. Components at half the width, half the height or both are
 * interpolated with weights 3/4 and 1/4 ("fancy upsampling" of the JPEG Group's library, with the same rounding);
 * at other ratios samples are repeated.
 */

/** 16-bit sums of two lines, with one more sample at either end. */
const SUMS: usize = memory.data(16 + 8192 * 2 + 64, 16);

/** Minimum component width for interpolation; narrower components repeat samples, as in the JPEG Group's library. */
const TRIANGLE_WIDTH_MIN: i32 = 3;

/** Whether upsampling a line needs samples of the line below it. */
export function needsLineBelow(record: usize): bool {
  return field(record, V) * field(record, DCT_SIZE) < vMax * dctSize;
}

function lineAt(record: usize, line: i32): usize {
  const within = min(max(line, 0), field(record, HEIGHT) - 1);
  const turn = within % (2 * field(record, MCU_LINES));
  return address(record, LINES) + usize(turn * field(record, LINE_BYTES));
}

/** The address of line `y` of a component, at the picture's width. */
export function upsampledLine(record: usize, y: i32): usize {
  const samplesPerMcuLine = field(record, H) * field(record, DCT_SIZE);
  const linesPerMcu = field(record, V) * field(record, DCT_SIZE);
  const fullSamples = hMax * dctSize;
  const fullLines = vMax * dctSize;
  const line = (y * linesPerMcu) / fullLines;
  const from = lineAt(record, line);
  const to = address(record, UPSAMPLED);
  const isWide = field(record, WIDTH) >= TRIANGLE_WIDTH_MIN;
  const isH2 = samplesPerMcuLine * 2 === fullSamples;
  const isV2 = linesPerMcu * 2 === fullLines;
  const neighbour = lineAt(record, y & 1 ? line + 1 : line - 1);
  if (samplesPerMcuLine === fullSamples) {
    if (!isV2) return from;
    upsampleV2(from, neighbour, field(record, WIDTH), 1 + (y & 1), to);
    return to;
  }
  const samples = field(record, WIDTH);
  if (isH2 && isWide && linesPerMcu === fullLines) {
    copyToSums(from, samples);
    upsampleH2(samples, 2, 1, 2, to);
  } else if (isH2 && isWide && isV2) {
    sumLines(from, neighbour, samples);
    upsampleH2(samples, 4, 8, 7, to);
  } else {
    replicate(from, samplesPerMcuLine, fullSamples, to);
  }
  return to;
}

/** Half height (h1v2): (3 × near + far + bias) / 4. */
function upsampleV2(near: usize, far: usize, samples: i32, bias: i32, to: usize): void {
  const biases = i16x8.splat(i16(bias));
  for (let x: usize = 0; x < usize(samples); x += 8) {
    const sum = i16x8.add(threefold(near + x), v128.load_ext<u8>(far + x));
    const blended = i16x8.shr_u(i16x8.add(sum, biases), 2);
    v128.store_lane<i64>(to + x, i8x16.narrow_i16x8_u(blended, blended), 0);
  }
}

function threefold(from: usize): v128 {
  const samples = v128.load_ext<u8>(from);
  return i16x8.add(samples, i16x8.add(samples, samples));
}

function copyToSums(from: usize, samples: i32): void {
  for (let x: usize = 0; x < usize(samples); x += 8) {
    v128.store(SUMS + 16 + (x << 1), v128.load_ext<u8>(from + x));
  }
  repeatEnds(samples);
}

function sumLines(near: usize, far: usize, samples: i32): void {
  for (let x: usize = 0; x < usize(samples); x += 8) {
    v128.store(SUMS + 16 + (x << 1), i16x8.add(threefold(near + x), v128.load_ext<u8>(far + x)));
  }
  repeatEnds(samples);
}

function repeatEnds(samples: i32): void {
  store<u16>(SUMS + 14, load<u16>(SUMS + 16));
  const behind = SUMS + 16 + (usize(samples) << 1);
  store<u16>(behind, load<u16>(behind - 2));
}

/**
 * Half width (h2v1, h2v2): each sum gives two samples, 3 × sum + its left neighbour and 3 × sum + its right neighbour.
 */
function upsampleH2(samples: i32, shift: i32, biasBefore: i32, biasBehind: i32, to: usize): void {
  const before = i16x8.splat(i16(biasBefore));
  const behind = i16x8.splat(i16(biasBehind));
  for (let x: usize = 0; x < usize(samples); x += 8) {
    const at = SUMS + 16 + (x << 1);
    const sums = v128.load(at);
    const tripled = i16x8.add(sums, i16x8.add(sums, sums));
    const left = i16x8.shr_u(i16x8.add(i16x8.add(tripled, v128.load(at - 2)), before), shift);
    const right = i16x8.shr_u(i16x8.add(i16x8.add(tripled, v128.load(at + 2)), behind), shift);
    v128.store(to + (x << 1), v128.or(left, i16x8.shl(right, 8)));
  }
}

/** Repeats samples, at any ratio. */
function replicate(from: usize, samplesPerMcuLine: i32, fullSamples: i32, to: usize): void {
  let sample: usize = 0;
  let rest: i32 = 0;
  for (let x: i32 = 0; x < outWidth; x++) {
    store<u8>(to + x, load<u8>(from + sample));
    rest += samplesPerMcuLine;
    while (rest >= fullSamples) {
      rest -= fullSamples;
      sample++;
    }
  }
}
