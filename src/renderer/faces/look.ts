import { freeRaster } from "../buffers.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import type { Box, Raster } from "../types.ts";
import { LOOK_EDGE_PX } from "./face-detector.ts";

/** Quarter turns clockwise by which a part is turned before it is looked at. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** What one run of the network looks at: a part of the picture, in pixels of the pyramid's base. */
export interface Look {
  readonly part: Box;
  readonly turns: QuarterTurns;
  /** The share of the look that the part's longer edge takes; below 1 it is seen from further away. */
  readonly fill: number;
}

/** The pixels of a look, and where the part lies in them. */
export interface LetterboxedPart {
  readonly pixels: Uint8ClampedArray;
  /** From a box in pixels of the look to pixels of the pyramid's base. */
  toBase(box: Box): Box;
}

/** Behind what is transparent: neither darker nor lighter than skin and hair. */
const BACKGROUND = 128;

/** Draws a part as large as a look takes, in its middle; what is beside it is black, as in the network's training. */
export function letterbox(pyramid: Pyramid, { part, turns, fill }: Look): LetterboxedPart {
  const scale = (LOOK_EDGE_PX * fill) / Math.max(part.width, part.height);
  const width = Math.max(1, Math.round(part.width * scale));
  const height = Math.max(1, Math.round(part.height * scale));
  const drawn = pyramid.draw(part, width, height);
  const isTurned = turns % 2 === 1;
  const left = Math.floor((LOOK_EDGE_PX - (isTurned ? height : width)) / 2);
  const top = Math.floor((LOOK_EDGE_PX - (isTurned ? width : height)) / 2);
  const pixels = new Uint8ClampedArray(LOOK_EDGE_PX * LOOK_EDGE_PX * 4);
  copyTurned(drawn, turns, pixels, left, top);
  freeRaster(drawn);
  return {
    pixels,
    toBase: (box) => {
      const upright = turnedBack({ ...box, x: box.x - left, y: box.y - top }, turns, width, height);
      const [across, down] = [part.width / width, part.height / height];
      return {
        x: part.x + upright.x * across,
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
  to: Uint8ClampedArray,
  left: number,
  top: number,
): void {
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [toX, toY] = turned(x, y, turns, width, height);
      const source = (y * width + x) * 4;
      const target = ((top + toY) * LOOK_EDGE_PX + left + toX) * 4;
      const behind = ((255 - (from[source + 3] ?? 255)) * BACKGROUND) / 255;
      for (let channel = 0; channel < 3; channel += 1)
        to[target + channel] = (from[source + channel] ?? 0) + behind;
    }
  }
}

/** Where a pixel of a raster stands after that many quarter turns clockwise. */
function turned(x: number, y: number, turns: QuarterTurns, width: number, height: number) {
  if (turns === 1) return [height - 1 - y, x] as const;
  if (turns === 2) return [width - 1 - x, height - 1 - y] as const;
  if (turns === 3) return [y, width - 1 - x] as const;
  return [x, y] as const;
}

/** The box in the raster of `width` × `height` that a box of the turned raster stands for. */
function turnedBack(box: Box, turns: QuarterTurns, width: number, height: number): Box {
  const { x, y, width: across, height: down } = box;
  if (turns === 1) return { x: y, y: height - x - across, width: down, height: across };
  if (turns === 2) return { x: width - x - across, y: height - y - down, width: across, height: down };
  if (turns === 3) return { x: width - y - down, y: x, width: down, height: across };
  return box;
}
