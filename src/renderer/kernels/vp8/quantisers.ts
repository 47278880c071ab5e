import { boolDecoder, readLiteral, readOptionalSigned } from "./boolean-decoder";

/** dc_qlookup and ac_qlookup: dequantisation factors by index (RFC 6386, 14.1). */
const DC_QLOOKUP: usize = memory.data<u8>([
  4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 17, 18, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 25,
  25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 46, 47, 48, 49,
  50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76,
  76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 91, 93, 95, 96, 98, 100, 101, 102, 104, 106, 108,
  110, 112, 114, 116, 118, 122, 124, 126, 128, 130, 132, 134, 136, 138, 140, 143, 145, 148, 151, 154, 157,
]);
const AC_QLOOKUP: usize = memory.data<u16>([
  4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
  32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58,
  60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108,
  110, 112, 114, 116, 119, 122, 125, 128, 131, 134, 137, 140, 143, 146, 149, 152, 155, 158, 161, 164, 167,
  170, 173, 177, 181, 185, 189, 193, 197, 201, 205, 209, 213, 217, 221, 225, 229, 234, 239, 245, 249, 254,
  259, 264, 269, 274, 279, 284,
]);

const INDEX_MAX: i32 = 127;
/** The DC factor of chroma is at most 132. */
const CHROMA_DC_INDEX_MAX: i32 = 117;
/** The AC factor of Y2 is at least 8. */
const Y2_AC_FACTOR_MIN: i32 = 8;

/** Dequantisation factors of a segment: DC and AC of Y, of Y2, of U and V; 16 bits each. */
export const DEQUANT_FACTORS_BYTES: usize = 16;
const DEQUANT_FACTORS: usize = memory.data(64, 16);

export function dequantFactors(segmentId: i32): usize {
  return DEQUANT_FACTORS + <usize>segmentId * DEQUANT_FACTORS_BYTES;
}

function dcFactor(index: i32, indexMax: i32): i32 {
  return load<u8>(DC_QLOOKUP + <usize>min(max(index, 0), indexMax));
}

function acFactor(index: i32): i32 {
  return load<u16>(AC_QLOOKUP + ((<usize>min(max(index, 0), INDEX_MAX)) << 1));
}

/** Reads quant_indices (RFC 6386, 9.6). `segmentQuantisers` are four bytes, absolute or added to y_ac_qi. */
export function readQuantisers(hasSegments: bool, isAbsolute: bool, segmentQuantisers: usize): void {
  const decoder = boolDecoder(0);
  const base = readLiteral(decoder, 7);
  const yDc = readOptionalSigned(decoder, 4);
  const y2Dc = readOptionalSigned(decoder, 4);
  const y2Ac = readOptionalSigned(decoder, 4);
  const uvDc = readOptionalSigned(decoder, 4);
  const uvAc = readOptionalSigned(decoder, 4);
  for (let segmentId = 0; segmentId < 4; segmentId++) {
    let index = base;
    if (hasSegments) {
      const own = <i32>load<i8>(segmentQuantisers + <usize>segmentId);
      index = isAbsolute ? own : base + own;
    }
    const factors = dequantFactors(segmentId);
    store<u16>(factors, dcFactor(index + yDc, INDEX_MAX));
    store<u16>(factors, acFactor(index), 2);
    store<u16>(factors, dcFactor(index + y2Dc, INDEX_MAX) * 2, 4);
    store<u16>(factors, max((acFactor(index + y2Ac) * 155) / 100, Y2_AC_FACTOR_MIN), 6);
    store<u16>(factors, dcFactor(index + uvDc, CHROMA_DC_INDEX_MAX), 8);
    store<u16>(factors, acFactor(index + uvAc), 10);
  }
}
