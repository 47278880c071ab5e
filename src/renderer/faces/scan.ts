import { freeRaster } from "../buffers.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import type { Box, Raster } from "../types.ts";
import { SCAN_EDGE_PX } from "./face-detector.ts";

/** Clockwise quarter turns of a part before its scan. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** One square of a scan, which shows the part centred and as large as possible. */
export interface ScanView {
  readonly turns: QuarterTurns;
  /** Mirrored left to right before the turn. */
  readonly isMirrored?: boolean;
  /** The square's left, in pixels of the scan. */
  readonly x: number;
  readonly y: number;
}

/** The input of one run of the network: a part of the picture, once or several times side by side. */
export interface Scan {
  /** In pixels of the pyramid's base. */
  readonly part: Box;
  /** Edge of each view's square, in pixels of the scan. */
  readonly edge: number;
  readonly views: readonly ScanView[];
}

/** A view, drawn into the pixels of its scan. */
export interface DrawnScanView {
  readonly turns: QuarterTurns;
  /** Its square of the scan, in pixels of the scan. */
  readonly place: Box;
  /** Converts a box in pixels of the scan to pixels of the pyramid's base. */
  toBase(box: Box): Box;
}

/** Grey behind transparent pixels: neither darker nor lighter than skin and hair. */
const BACKGROUND = 128;

/** Draws the views of a scan on black, as in the network's training. */
export function drawScan(
  pyramid: Pyramid,
  scan: Scan,
): { readonly pixels: Uint8ClampedArray; readonly views: readonly DrawnScanView[] } {
  const { part, edge } = scan;
  const scale = edge / Math.max(part.width, part.height);
  const width = Math.max(1, Math.round(part.width * scale));
  const height = Math.max(1, Math.round(part.height * scale));
  const drawn = pyramid.draw(part, width, height);
  const pixels = new Uint8ClampedArray(SCAN_EDGE_PX * SCAN_EDGE_PX * 4);
  const views = scan.views.map((view) => drawView(drawn, scan, view, pixels));
  freeRaster(drawn);
  return { pixels, views };
}

/** The view whose square contains the centre of a box; null if none does. */
export const viewAround = (
  views: readonly DrawnScanView[],
  { x, y, width, height }: Box,
): DrawnScanView | null =>
  views.find(
    ({ place }) =>
      Math.abs(x + width / 2 - place.x - place.width / 2) <= place.width / 2 &&
      Math.abs(y + height / 2 - place.y - place.height / 2) <= place.height / 2,
  ) ?? null;

function drawView(
  drawn: Raster,
  { part, edge }: Scan,
  { turns, isMirrored = false, x, y }: ScanView,
  pixels: Uint8ClampedArray,
): DrawnScanView {
  const { width, height } = drawn;
  const isOnSide = turns % 2 === 1;
  const left = x + Math.floor((edge - (isOnSide ? height : width)) / 2);
  const top = y + Math.floor((edge - (isOnSide ? width : height)) / 2);
  copyTurned(drawn, turns, isMirrored, pixels, left, top);
  return {
    turns,
    place: { x, y, width: edge, height: edge },
    toBase: (box) => {
      const upright = turnedBack({ ...box, x: box.x - left, y: box.y - top }, turns, width, height);
      const start = isMirrored ? width - upright.x - upright.width : upright.x;
      const [across, down] = [part.width / width, part.height / height];
      return {
        x: part.x + start * across,
        y: part.y + upright.y * down,
        width: upright.width * across,
        height: upright.height * down,
      };
    },
  };
}

function copyTurned(
  { width, height, pixels: from }: Raster,
  turns: QuarterTurns,
  isMirrored: boolean,
  to: Uint8ClampedArray,
  left: number,
  top: number,
): void {
  // Index of the first pixel, and steps to its neighbours in the row and in the column, in pixels of the scan.
  const right = { 0: 1, 1: SCAN_EDGE_PX, 2: -1, 3: -SCAN_EDGE_PX }[turns];
  const down = { 0: SCAN_EDGE_PX, 1: -1, 2: -SCAN_EDGE_PX, 3: 1 }[turns];
  const start =
    (top + (turns === 2 ? height - 1 : turns === 3 ? width - 1 : 0)) * SCAN_EDGE_PX +
    left +
    (turns === 1 ? height - 1 : turns === 2 ? width - 1 : 0);
  const sourceStep = isMirrored ? -4 : 4;
  for (let y = 0; y < height; y += 1) {
    let source = (y * width + (isMirrored ? width - 1 : 0)) * 4;
    let target = (start + y * down) * 4;
    for (let x = 0; x < width; x += 1, source += sourceStep, target += right * 4) {
      const behind = ((255 - (from[source + 3] ?? 255)) * BACKGROUND) / 255;
      to[target] = (from[source] ?? 0) + behind;
      to[target + 1] = (from[source + 1] ?? 0) + behind;
      to[target + 2] = (from[source + 2] ?? 0) + behind;
    }
  }
}

/** The box in the unturned raster of `width` × `height` for a box of the turned raster. */
function turnedBack(box: Box, turns: QuarterTurns, width: number, height: number): Box {
  const { x, y, width: across, height: down } = box;
  if (turns === 1) return { x: y, y: height - x - across, width: down, height: across };
  if (turns === 2) return { x: width - x - across, y: height - y - down, width: across, height: down };
  if (turns === 3) return { x: width - y - down, y: x, width: down, height: across };
  return box;
}
