import type { Box } from "../types.ts";
import type { Look } from "./look.ts";
import type { Sighting } from "./sightings.ts";

/** Width and height of the picture in which the looks' parts lie. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A tile's edge in shares of the picture's short edge: a face of 5 % of that is then 13 pixels of a look. */
const TILE_SHARE = 0.75;
/** How much of a tile the next one shows too, at least: a face of that size is whole in one of them. */
const OVERLAP = 0.25;
/** A picture as long as that many tiles gets larger ones. */
const TILES_ALONG_MAX = 5;
/** A face as large as the picture is no face to the network until it is seen from further away. */
const FAR_FILL = 0.5;
/** The surroundings of a face in a closer look, in its longer edges: there it is as large as the network likes best. */
const CLOSER_EDGES = 4;

/** The picture as a whole, and from further away. */
export function wholeLooks({ width, height }: PictureSize): readonly Look[] {
  const part: Box = { x: 0, y: 0, width, height };
  return [1, FAR_FILL].map((fill) => ({ part, turns: 0, fill }));
}

/** Tiles that cover the picture, for faces that are small in it; at most ten. */
export function tileLooks({ width, height }: PictureSize): readonly Look[] {
  const longestEdge = Math.max(width, height) / (TILES_ALONG_MAX - (TILES_ALONG_MAX - 1) * OVERLAP);
  const edge = Math.max(Math.min(width, height) * TILE_SHARE, longestEdge);
  const tile = { width: Math.min(width, edge), height: Math.min(height, edge) };
  return startsOf(height, tile.height).flatMap((y) =>
    startsOf(width, tile.width).map((x) => ({ part: { x, y, ...tile }, turns: 0 as const, fill: 1 })),
  );
}

/** Evenly spread starts of tiles that cover a length with the overlap. */
function startsOf(length: number, tile: number): readonly number[] {
  const room = length - tile;
  // The longest picture is exactly as long as its tiles; a rounding error makes it no longer.
  const steps = Math.ceil(room / (tile * (1 - OVERLAP)) - 1e-6);
  return steps <= 0 ? [0] : Array.from({ length: steps + 1 }, (_, index) => (room * index) / steps);
}

/** The whole picture lying on either side and upside down: for people who do, where none stands. */
export function turnedLooks({ width, height }: PictureSize): readonly Look[] {
  const part: Box = { x: 0, y: 0, width, height };
  return ([1, 3, 2] as const).map((turns) => ({ part, turns, fill: 1 }));
}

/** A square around a sighting, without what lies outside the picture. */
export function closerLook({ box, turns }: Sighting, { width, height }: PictureSize): Look {
  const edge = Math.max(box.width, box.height) * CLOSER_EDGES;
  const left = Math.max(0, box.x + (box.width - edge) / 2);
  const top = Math.max(0, box.y + (box.height - edge) / 2);
  const right = Math.min(width, box.x + (box.width + edge) / 2);
  const bottom = Math.min(height, box.y + (box.height + edge) / 2);
  const part: Box = { x: left, y: top, width: right - left, height: bottom - top };
  return { part, turns, fill: Math.max(part.width, part.height) / edge };
}
