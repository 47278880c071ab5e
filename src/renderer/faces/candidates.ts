import type { Box } from "../types.ts";
import { CELL_NUMBERS, GRID_EDGE, LOOK_EDGE_PX } from "./face-detector.ts";

/** A face that the network may see; `box` in pixels of what it looked at. */
export interface Candidate {
  readonly box: Box;
  /** Before the logistic function: 0 is as likely as not. */
  readonly logit: number;
}

const CELL_PX = LOOK_EDGE_PX / GRID_EDGE;

/** The cells with at least that score, row by row, each with the box that it answers. */
export function candidatesOf(cells: Float32Array, logitMin: number): readonly Candidate[] {
  const found: Candidate[] = [];
  for (let cell = 0; cell < GRID_EDGE * GRID_EDGE; cell += 1) {
    const at = cell * CELL_NUMBERS;
    const logit = cells[at] ?? 0;
    if (!(logit >= logitMin)) continue;
    const width = cells[at + 3] ?? 0;
    const height = cells[at + 4] ?? 0;
    if (!(width > 0 && height > 0)) continue;
    // Every cell has one anchor, its centre, with the size of the look.
    const x = ((cell % GRID_EDGE) + 0.5) * CELL_PX + (cells[at + 1] ?? 0);
    const y = (Math.floor(cell / GRID_EDGE) + 0.5) * CELL_PX + (cells[at + 2] ?? 0);
    found.push({ box: { x: x - width / 2, y: y - height / 2, width, height }, logit });
  }
  return found;
}
