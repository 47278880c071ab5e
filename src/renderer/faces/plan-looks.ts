import type { Box } from "../types.ts";
import { LOOK_EDGE_PX } from "./face-detector.ts";
import type { Look } from "./look.ts";
import type { Sighting } from "./sightings.ts";

/** Width and height of the picture in which the looks' parts lie. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A tile's edge in shares of the picture's short edge: a face of 5 % of that is then 12 pixels of a look. */
const TILE_SHARE = 0.8;
/** How much of a tile the next one shows too, at least; a larger face is large enough in the picture as a whole. */
const OVERLAP = 0.12;
/** A picture as long as that many tiles gets larger ones. */
const TILES_ALONG_MAX = 5;
/** The surroundings of a face in a closer look, in its longer edges: there it is as large as the network likes best. */
const CLOSER_EDGES = 4;

const wholeOf = ({ width, height }: PictureSize): Box => ({ x: 0, y: 0, width, height });

/** One view of a part that fills the look. */
const filling = (part: Box): Look => ({ part, edge: LOOK_EDGE_PX, views: [{ turns: 0, x: 0, y: 0 }] });

/** The picture as a whole. */
export const wholeLook = (picture: PictureSize): Look => filling(wholeOf(picture));

/**
 * The picture four times in one look: upright, for a face as large as the picture is none to the network until it is
 * smaller, and lying on either side and upside down, for people who do.
 */
export function turnedLook(picture: PictureSize): Look {
  const edge = LOOK_EDGE_PX / 2;
  const views = [
    { turns: 0, x: 0, y: 0 },
    { turns: 1, x: edge, y: 0 },
    { turns: 2, x: 0, y: edge },
    { turns: 3, x: edge, y: edge },
  ] as const;
  return { part: wholeOf(picture), edge, views };
}

/** Tiles that cover the picture, for faces that are small in it; at most ten. */
export function tileLooks({ width, height }: PictureSize): readonly Look[] {
  const longestEdge = Math.max(width, height) / (TILES_ALONG_MAX - (TILES_ALONG_MAX - 1) * OVERLAP);
  const edge = Math.max(Math.min(width, height) * TILE_SHARE, longestEdge);
  const tile = { width: Math.min(width, edge), height: Math.min(height, edge) };
  return startsOf(height, tile.height).flatMap((y) =>
    startsOf(width, tile.width).map((x) => filling({ x, y, ...tile })),
  );
}

/** Evenly spread starts of tiles that cover a length with the overlap. */
function startsOf(length: number, tile: number): readonly number[] {
  const room = length - tile;
  // The longest picture is exactly as long as its tiles; a rounding error makes it no longer.
  const steps = Math.ceil(room / (tile * (1 - OVERLAP)) - 1e-6);
  return steps <= 0 ? [0] : Array.from({ length: steps + 1 }, (_, index) => (room * index) / steps);
}

/** A square around a sighting, without what lies outside the picture. */
export function closerLook({ box, turns }: Sighting, { width, height }: PictureSize): Look {
  const edge = Math.max(box.width, box.height) * CLOSER_EDGES;
  const left = Math.max(0, box.x + (box.width - edge) / 2);
  const top = Math.max(0, box.y + (box.height - edge) / 2);
  const right = Math.min(width, box.x + (box.width + edge) / 2);
  const bottom = Math.min(height, box.y + (box.height + edge) / 2);
  const part: Box = { x: left, y: top, width: right - left, height: bottom - top };
  // At the picture's edge the square is cut, and the face stays as large as elsewhere.
  const placeEdge = Math.max(1, Math.round((Math.max(part.width, part.height) / edge) * LOOK_EDGE_PX));
  const start = Math.floor((LOOK_EDGE_PX - placeEdge) / 2);
  return { part, edge: placeEdge, views: [{ turns, x: start, y: start }] };
}
