/** Undoes a row's filter in place (PNG specification, 9.2). `above` is zeros for the first row. False for an unknown filter. */
export function unfilterRow(filter: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): boolean {
  const length = row.length;
  switch (filter) {
    case 0:
      return true;
    case 1:
      for (let at = pixelBytes; at < length; at++) row[at] = (row[at] ?? 0) + (row[at - pixelBytes] ?? 0);
      return true;
    case 2:
      for (let at = 0; at < length; at++) row[at] = (row[at] ?? 0) + (above[at] ?? 0);
      return true;
    case 3:
      for (let at = 0; at < pixelBytes; at++) row[at] = (row[at] ?? 0) + ((above[at] ?? 0) >> 1);
      for (let at = pixelBytes; at < length; at++) {
        row[at] = (row[at] ?? 0) + (((row[at - pixelBytes] ?? 0) + (above[at] ?? 0)) >> 1);
      }
      return true;
    case 4:
      for (let at = 0; at < pixelBytes; at++) row[at] = (row[at] ?? 0) + (above[at] ?? 0);
      for (let at = pixelBytes; at < length; at++) {
        const left = row[at - pixelBytes] ?? 0;
        const up = above[at] ?? 0;
        const corner = above[at - pixelBytes] ?? 0;
        const toLeft = Math.abs(up - corner);
        const toUp = Math.abs(left - corner);
        const toCorner = Math.abs(left + up - corner - corner);
        const predicted = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
        row[at] = (row[at] ?? 0) + predicted;
      }
      return true;
    default:
      return false;
  }
}

/** One pass over the picture: its pixel (i, j) stands at (left + i * stepX, top + j * stepY). */
export interface Pass {
  readonly left: number;
  readonly top: number;
  readonly stepX: number;
  readonly stepY: number;
  readonly width: number;
  readonly height: number;
}

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The passes in the order they are stored; empty ones are left out, as in the file. */
export function passesOf(width: number, height: number, isInterlaced: boolean): readonly Pass[] {
  if (!isInterlaced) return [{ left: 0, top: 0, stepX: 1, stepY: 1, width, height }];
  return ADAM7.map(([left, top, stepX, stepY]) => ({
    left,
    top,
    stepX,
    stepY,
    width: Math.ceil((width - left) / stepX),
    height: Math.ceil((height - top) / stepY),
  })).filter((pass) => pass.width > 0 && pass.height > 0);
}
