import {
  ACROSS,
  acrossMax,
  address,
  DOWN,
  downMax,
  EDGE,
  edge,
  field,
  HEIGHT,
  LINE_BYTES,
  LINES,
  outWidth,
  UNIT_LINES,
  UPSAMPLED,
  WIDTH,
} from "./frame.ts";

/*
 * Brings a component's samples to the picture's width and height. Halved ones are weighed 3 : 1 with their
 * neighbours, as the JPEG Group's library does, to the same roundings; others are repeated.
 */

/** Sums of two lines, one sample before the first and one behind the last. */
const SUMS: usize = memory.data(16 + 8192 * 2 + 64, 16);

/** Narrower components are repeated: there is no neighbour on both sides. */
const TRIANGLE_WIDTH_MIN: i32 = 3;

/** Whether a line needs the one below it. */
export function looksDown(record: usize): bool {
  return field(record, DOWN) * field(record, EDGE) < downMax * edge;
}

function lineAt(record: usize, line: i32): usize {
  const within = min(max(line, 0), field(record, HEIGHT) - 1);
  const turn = within % (2 * field(record, UNIT_LINES));
  return address(record, LINES) + usize(turn * field(record, LINE_BYTES));
}

/** Address of a component's samples of line `y` of the reduced picture. */
export function upsampledLine(record: usize, y: i32): usize {
  const samplesAcross = field(record, ACROSS) * field(record, EDGE);
  const samplesDown = field(record, DOWN) * field(record, EDGE);
  const fullAcross = acrossMax * edge;
  const fullDown = downMax * edge;
  const line = (y * samplesDown) / fullDown;
  const from = lineAt(record, line);
  const to = address(record, UPSAMPLED);
  const isWide = field(record, WIDTH) >= TRIANGLE_WIDTH_MIN;
  const isHalvedAcross = samplesAcross * 2 === fullAcross;
  const isHalvedDown = samplesDown * 2 === fullDown;
  const beside = lineAt(record, y & 1 ? line + 1 : line - 1);
  if (samplesAcross === fullAcross) {
    if (!isHalvedDown) return from;
    blendLines(from, beside, field(record, WIDTH), 1 + (y & 1), to);
    return to;
  }
  const samples = field(record, WIDTH);
  if (isHalvedAcross && isWide && samplesDown === fullDown) {
    widenLine(from, samples);
    spread(samples, 2, 1, 2, to);
  } else if (isHalvedAcross && isWide && isHalvedDown) {
    sumLines(from, beside, samples);
    spread(samples, 4, 8, 7, to);
  } else {
    repeat(from, samplesAcross, fullAcross, to);
  }
  return to;
}

/** (3 × near + far + bias) / 4. */
function blendLines(near: usize, far: usize, samples: i32, bias: i32, to: usize): void {
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

function widenLine(from: usize, samples: i32): void {
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

/** Makes two samples of each sum: (3 × it + the one before) and (3 × it + the one behind), rounded and shifted. */
function spread(samples: i32, shift: i32, biasBefore: i32, biasBehind: i32, to: usize): void {
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

/** The nearest sample before, whatever the factors. */
function repeat(from: usize, samplesAcross: i32, fullAcross: i32, to: usize): void {
  let sample: usize = 0;
  let rest: i32 = 0;
  for (let x: i32 = 0; x < outWidth; x++) {
    store<u8>(to + x, load<u8>(from + sample));
    rest += samplesAcross;
    while (rest >= fullAcross) {
      rest -= fullAcross;
      sample++;
    }
  }
}
