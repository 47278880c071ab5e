/**
 * Interleave the lanes of two vectors, starting with `one`: `low…` from the lower halves, `high…` from the upper
 * halves.
 */

export function lowBytes(one: v128, other: v128): v128 {
  return i8x16.shuffle(one, other, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

export function highBytes(one: v128, other: v128): v128 {
  return i8x16.shuffle(one, other, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

export function lowWords(one: v128, other: v128): v128 {
  return i16x8.shuffle(one, other, 0, 8, 1, 9, 2, 10, 3, 11);
}

export function highWords(one: v128, other: v128): v128 {
  return i16x8.shuffle(one, other, 4, 12, 5, 13, 6, 14, 7, 15);
}
