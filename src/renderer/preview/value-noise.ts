import type { MarkValues } from "./mark-values.ts";

/** Noise that changes smoothly from pixel to pixel. */
export interface ValueNoise {
  /** Fills `row` with the values (0..255) of one row of pixels. */
  fillRow(y: number, row: Uint8Array): void;
}

/** Noise for a picture: a value every `cellPx` pixels, straight lines between. */
export function valueNoise(width: number, height: number, cellPx: number, values: MarkValues): ValueNoise {
  const columns = Math.floor(width / cellPx) + 2;
  const rows = Math.floor(height / cellPx) + 2;
  const lattice = new Uint8Array(columns * rows);
  for (let index = 0; index < lattice.length; index += 1) lattice[index] = values(index) * 255;
  const line = new Int32Array(columns);
  const area = cellPx * cellPx;
  return {
    fillRow(y, row) {
      const upper = Math.floor(y / cellPx) * columns;
      const down = y % cellPx;
      for (let column = 0; column < columns; column += 1) {
        const above = lattice[upper + column] ?? 0;
        line[column] = above * (cellPx - down) + (lattice[upper + columns + column] ?? 0) * down;
      }
      let x = 0;
      for (let column = 0; x < width; column += 1) {
        let sum = (line[column] ?? 0) * cellPx;
        const step = (line[column + 1] ?? 0) - (line[column] ?? 0);
        const end = Math.min(width, x + cellPx);
        for (; x < end; x += 1, sum += step) row[x] = sum / area;
      }
    },
  };
}
