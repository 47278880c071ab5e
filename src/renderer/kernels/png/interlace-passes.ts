/** Passes of a picture: one, or the seven of Adam7 (PNG specification, third edition, 8.1). Empty passes are not stored. */

/** For each pass: first column, first row, column step, row step. */
const adam7: usize = memory.data<u8>([
  0, 0, 8, 8, 4, 0, 8, 8, 0, 4, 4, 8, 2, 0, 4, 4, 0, 2, 2, 4, 1, 0, 2, 2, 0, 1, 1, 2,
]);

let width: i32 = 0;
let height: i32 = 0;
let isInterlaced: bool = false;
let pass: i32 = 0;

export let passLeft: i32 = 0;
export let passTop: i32 = 0;
export let stepX: i32 = 1;
export let stepY: i32 = 1;
export let passWidth: i32 = 0;
export let passHeight: i32 = 0;

export function startPasses(pictureWidth: i32, pictureHeight: i32, isPassed: bool): void {
  width = pictureWidth;
  height = pictureHeight;
  isInterlaced = isPassed;
  pass = -1;
}

/** Moves to the next pass that has pixels. False after the last. */
export function nextPass(): bool {
  if (!isInterlaced) {
    passWidth = width;
    passHeight = height;
    passLeft = 0;
    passTop = 0;
    stepX = 1;
    stepY = 1;
    return ++pass === 0;
  }
  while (++pass < 7) {
    const at = adam7 + ((<usize>pass) << 2);
    passLeft = load<u8>(at);
    passTop = load<u8>(at, 1);
    stepX = load<u8>(at, 2);
    stepY = load<u8>(at, 3);
    passWidth = (width - passLeft + stepX - 1) / stepX;
    passHeight = (height - passTop + stepY - 1) / stepY;
    if (passWidth > 0 && passHeight > 0) return true;
  }
  return false;
}
