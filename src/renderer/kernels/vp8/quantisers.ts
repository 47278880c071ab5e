import { readerOf, readLiteral, readOptional } from "./bits";

/** Quantiser steps by index, of DC and of AC coefficients (RFC 6386, 14.1). */
const DC_STEPS: usize = memory.data<u8>([
  4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 17, 18, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 25,
  25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 46, 47, 48, 49,
  50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76,
  76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 91, 93, 95, 96, 98, 100, 101, 102, 104, 106, 108,
  110, 112, 114, 116, 118, 122, 124, 126, 128, 130, 132, 134, 136, 138, 140, 143, 145, 148, 151, 154, 157,
]);
const AC_STEPS: usize = memory.data<u16>([
  4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
  32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58,
  60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108,
  110, 112, 114, 116, 119, 122, 125, 128, 131, 134, 137, 140, 143, 146, 149, 152, 155, 158, 161, 164, 167,
  170, 173, 177, 181, 185, 189, 193, 197, 201, 205, 209, 213, 217, 221, 225, 229, 234, 239, 245, 249, 254,
  259, 264, 269, 274, 279, 284,
]);

const INDEX_MAX: i32 = 127;
/** Chroma's DC step is at most 132. */
const CHROMA_DC_INDEX_MAX: i32 = 117;
/** The second-order AC step is at least 8. */
const Y2_AC_STEP_MIN: i32 = 8;

/** Steps of a segment: DC and AC of luma, of second-order luma, of chroma; 16 bits each. */
export const STEPS_BYTES: usize = 16;
const STEPS: usize = memory.data(64, 16);

export function stepsOf(segment: i32): usize {
  return STEPS + <usize>segment * STEPS_BYTES;
}

function dcStep(index: i32, indexMax: i32): i32 {
  return load<u8>(DC_STEPS + <usize>min(max(index, 0), indexMax));
}

function acStep(index: i32): i32 {
  return load<u16>(AC_STEPS + ((<usize>min(max(index, 0), INDEX_MAX)) << 1));
}

/** Reads the indices (RFC 6386, 9.6). `segmentQuantisers` are four bytes, absolute or to be added. */
export function readQuantisers(hasSegments: bool, isAbsolute: bool, segmentQuantisers: usize): void {
  const reader = readerOf(0);
  const base = readLiteral(reader, 7);
  const yDc = readOptional(reader, 4);
  const y2Dc = readOptional(reader, 4);
  const y2Ac = readOptional(reader, 4);
  const uvDc = readOptional(reader, 4);
  const uvAc = readOptional(reader, 4);
  for (let segment = 0; segment < 4; segment++) {
    let index = base;
    if (hasSegments) {
      const own = <i32>load<i8>(segmentQuantisers + <usize>segment);
      index = isAbsolute ? own : base + own;
    }
    const steps = stepsOf(segment);
    store<u16>(steps, dcStep(index + yDc, INDEX_MAX));
    store<u16>(steps, acStep(index), 2);
    store<u16>(steps, dcStep(index + y2Dc, INDEX_MAX) * 2, 4);
    store<u16>(steps, max((acStep(index + y2Ac) * 155) / 100, Y2_AC_STEP_MIN), 6);
    store<u16>(steps, dcStep(index + uvDc, CHROMA_DC_INDEX_MAX), 8);
    store<u16>(steps, acStep(index + uvAc), 10);
  }
}
