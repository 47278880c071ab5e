import type { Box } from "../types.ts";
import { faceAndHead, type KeyPoints } from "./face-and-head.ts";
import { CELL_NUMBERS, GRID_EDGE, SCAN_EDGE_PX } from "./face-detector.ts";

/** A face that the network may see; boxes in pixels of what it looked at. */
export interface Candidate {
  /** The network's own: a square from the brow to the mouth. */
  readonly box: Box;
  readonly face: Box;
  readonly head: Box;
  /** Before the logistic function: 0 is as likely as not. */
  readonly logit: number;
}

const CELL_PX = SCAN_EDGE_PX / GRID_EDGE;
/** Of the numbers of a cell. */
const BOX = { x: 1, y: 2, width: 3, height: 4 } as const;
/** Each is a pair; the ears' is where the lower edge of the ear meets the cheek. */
const KEY_POINTS = { nose: 9, rightEar: 13, leftEar: 15 } as const;

/** The cells with at least that score, row by row, each with what it answers. */
export function candidatesOf(cells: Float32Array, logitMin: number): readonly Candidate[] {
  const found: Candidate[] = [];
  for (let cell = 0; cell < GRID_EDGE * GRID_EDGE; cell += 1) {
    const at = cell * CELL_NUMBERS;
    const logit = cells[at] ?? 0;
    if (!(logit >= logitMin)) continue;
    const width = cells[at + BOX.width] ?? 0;
    const height = cells[at + BOX.height] ?? 0;
    if (!(width > 0 && height > 0)) continue;
    // Every cell has one anchor: its centre.
    const left = ((cell % GRID_EDGE) + 0.5) * CELL_PX;
    const top = (Math.floor(cell / GRID_EDGE) + 0.5) * CELL_PX;
    const pointAt = (number: number) => ({
      x: left + (cells[at + number] ?? 0),
      y: top + (cells[at + number + 1] ?? 0),
    });
    const centre = pointAt(BOX.x);
    const box: Box = { x: centre.x - width / 2, y: centre.y - height / 2, width, height };
    const points: KeyPoints = {
      nose: pointAt(KEY_POINTS.nose),
      rightEar: pointAt(KEY_POINTS.rightEar),
      leftEar: pointAt(KEY_POINTS.leftEar),
    };
    found.push({ box, logit, ...faceAndHead(box, points) });
  }
  return found;
}
