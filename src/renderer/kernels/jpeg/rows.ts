import { writePixels } from "./colour.ts";
import { ceilDivide, components, downMax, edge, outHeight, outWidth, recordOf, unitsDown } from "./frame.ts";
import { reserve } from "./layout.ts";
import { looksDown, upsampledLine } from "./upsample.ts";

/*
 * Lines of the reduced picture become rows of the result: means of boxes of `factor` × `factor` pixels. Boxes at
 * the right and bottom edge average what is inside.
 */
let colours: i32 = 0;
let factor: i32 = 1;
let rowPixels: i32 = 0;
let nextLine: i32 = 0;
let hasLineBelow: bool = false;

/** Address of the rows that were made last, and how many there are. */
export let made: usize = 0;
export let madeRows: i32 = 0;

let line: usize = 0;
let sums: usize = 0;

/** Reserves the rows that one row of units makes at most. False when the platform has no such memory. */
export function layOutRows(newColours: i32, newFactor: i32): bool {
  colours = newColours;
  factor = newFactor;
  rowPixels = ceilDivide(outWidth, factor);
  nextLine = 0;
  madeRows = 0;
  hasLineBelow = false;
  for (let index: i32 = 0; index < components; index++) {
    if (looksDown(recordOf(index))) hasLineBelow = true;
  }
  // Eight pixels are written at a time. A row of units leaves one line for the next.
  const rowsMax = ceilDivide(downMax * edge + 1, factor) + 1;
  made = reserve(usize(rowsMax * rowPixels * 4 + 32));
  line = reserve(usize(outWidth * 4 + 32));
  sums = reserve(usize(rowPixels * 16));
  return made !== 0 && line !== 0 && sums !== 0;
}

/** Makes what the row of units allows; whether there are rows to take. */
export function makeRows(unitRow: i32): bool {
  madeRows = 0;
  const lines = downMax * edge;
  const isLast = unitRow + 1 === unitsDown;
  const ready = isLast ? outHeight : min(outHeight, (unitRow + 1) * lines - (hasLineBelow ? 1 : 0));
  for (; nextLine < ready; nextLine++) {
    const a = upsampledLine(recordOf(0), nextLine);
    const b = components > 1 ? upsampledLine(recordOf(1), nextLine) : 0;
    const c = components > 1 ? upsampledLine(recordOf(2), nextLine) : 0;
    const d = components > 3 ? upsampledLine(recordOf(3), nextLine) : 0;
    if (factor === 1) {
      writePixels(colours, a, b, c, d, outWidth, made + usize(madeRows * rowPixels * 4));
      madeRows++;
      continue;
    }
    writePixels(colours, a, b, c, d, outWidth, line);
    addLine();
    if ((nextLine + 1) % factor === 0 || nextLine + 1 === outHeight) closeBoxes((nextLine % factor) + 1);
  }
  return madeRows > 0;
}

function addLine(): void {
  let from = line;
  let left = outWidth;
  for (let box: i32 = 0; box < rowPixels; box++) {
    const place = sums + (usize(box) << 4);
    let sum = v128.load(place);
    for (let x = min(factor, left); x > 0; x--) {
      const channels = i16x8.extend_low_i8x16_u(v128.load32_zero(from));
      sum = i32x4.add(sum, i32x4.extend_low_i16x8_u(channels));
      from += 4;
    }
    left -= factor;
    v128.store(place, sum);
  }
}

function closeBoxes(lines: i32): void {
  const to = made + usize(madeRows * rowPixels * 4);
  for (let box: i32 = 0; box < rowPixels; box++) {
    const pixels = u32(lines * min(factor, outWidth - box * factor));
    for (let channel: i32 = 0; channel < 4; channel++) {
      const place = sums + usize((box << 4) + (channel << 2));
      store<u8>(to + (box << 2) + channel, u8((load<u32>(place) + (pixels >> 1)) / pixels));
      store<u32>(place, 0);
    }
  }
  madeRows++;
}
