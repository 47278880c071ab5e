/** Undoes the filtering methods of an alpha plane (RFC 9649, 2.7.1.2), in place, row by row. */

const NONE: i32 = 0;
const HORIZONTAL: i32 = 1;
const VERTICAL: i32 = 2;

/** `above` is 0 for the first row, where every method predicts from the left. */
export function unfilterAlpha(filter: i32, row: usize, above: usize, width: i32): void {
  if (filter === NONE) return;
  if (above === 0) {
    undoLeft(row, width, 0);
    return;
  }
  if (filter === HORIZONTAL) undoLeft(row, width, load<u8>(above));
  else if (filter === VERTICAL) addAbove(row, above, width);
  else addGradient(row, above, width);
}

function undoLeft(row: usize, width: i32, first: u8): void {
  let left = first;
  for (let end = row + width; row < end; row++) {
    left += load<u8>(row);
    store<u8>(row, left);
  }
}

function addAbove(row: usize, above: usize, width: i32): void {
  const end = row + width;
  for (; row + 16 <= end; row += 16, above += 16)
    v128.store(row, i8x16.add(v128.load(row), v128.load(above)));
  for (; row < end; row++, above++) store<u8>(row, load<u8>(row) + load<u8>(above));
}

function addGradient(row: usize, above: usize, width: i32): void {
  let left: i32 = load<u8>(above);
  let topLeft = left;
  for (let end = row + width; row < end; row++, above++) {
    const top: i32 = load<u8>(above);
    const predicted = min(255, max(0, left + top - topLeft));
    left = (load<u8>(row) + predicted) & 255;
    store<u8>(row, <u8>left);
    topLeft = top;
  }
}
