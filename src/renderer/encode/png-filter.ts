import type { Raster } from "../types.ts";

const PIXEL_BYTES = 3;
const FILTERS = 5;

/**
 * Rows of RGB, each filtered by the one of PNG's five filters whose bytes, read as signed, sum least:
 * the specification's own heuristic (12.7).
 */
export function filterRows({ width, height, pixels }: Raster): Uint8Array {
  const rowBytes = width * PIXEL_BYTES;
  const filtered = new Uint8Array((rowBytes + 1) * height);
  const candidates = Array.from({ length: FILTERS }, () => new Uint8Array(rowBytes));
  let above = new Uint8Array(rowBytes);
  let row = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    for (let x = 0, from = y * width * 4; x < rowBytes; x += 3, from += 4) {
      row[x] = pixels[from] ?? 0;
      row[x + 1] = pixels[from + 1] ?? 0;
      row[x + 2] = pixels[from + 2] ?? 0;
    }
    const chosen = chooseFilter(row, above, candidates);
    const at = y * (rowBytes + 1);
    filtered[at] = chosen;
    filtered.set(candidates[chosen] ?? row, at + 1);
    [row, above] = [above, row];
  }
  return filtered;
}

function chooseFilter(row: Uint8Array, above: Uint8Array, candidates: readonly Uint8Array[]): number {
  const sums = [0, 0, 0, 0, 0];
  const put = (filter: number, at: number, value: number): void => {
    const byte = value & 255;
    const target = candidates[filter];
    if (target !== undefined) target[at] = byte;
    sums[filter] = (sums[filter] ?? 0) + (byte < 128 ? byte : 256 - byte);
  };
  for (let at = 0; at < row.length; at++) {
    const value = row[at] ?? 0;
    const left = at >= PIXEL_BYTES ? (row[at - PIXEL_BYTES] ?? 0) : 0;
    const up = above[at] ?? 0;
    const corner = at >= PIXEL_BYTES ? (above[at - PIXEL_BYTES] ?? 0) : 0;
    put(0, at, value);
    put(1, at, value - left);
    put(2, at, value - up);
    put(3, at, value - ((left + up) >> 1));
    put(4, at, value - paeth(left, up, corner));
  }
  let best = 0;
  for (let filter = 1; filter < FILTERS; filter++) {
    if ((sums[filter] ?? 0) < (sums[best] ?? 0)) best = filter;
  }
  return best;
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - corner - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
