import type { Box } from "../types.ts";
import { SCAN_EDGE_PX } from "./face-detector.ts";
import type { Scan, ScanView } from "./scan.ts";
import type { Sighting } from "./sightings.ts";

/** Width and height of the picture in which the scans' parts lie. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A tile's edge in shares of the picture's short edge: a face of 5 % of that is then 12 pixels of a scan. */
const TILE_SHARE = 0.8;
/** How much of a tile the next one shows too, at least; a larger face is large enough in the picture as a whole. */
const OVERLAP = 0.12;
/** A picture as long as that many tiles gets larger ones. */
const TILES_ALONG_MAX = 5;
/** The surroundings of a face in a closer scan, in its longer edges: there it is as large as the network likes best. */
const CLOSER_EDGES = 4;
/** What is looked at beside a face, in its longer edges: the square's edge, and how far its middle is from the face's. */
const BESIDE_EDGES = 6;
const BESIDE_OFFSET = 2.4;
/** A face that near to that middle, in longer edges, is the neighbour there. */
const NEIGHBOUR_EDGES = 1.5;
/** In less of the picture beside a face there is no other. */
const BESIDE_ROOM_MIN = 1.2;

const wholeOf = ({ width, height }: PictureSize): Box => ({ x: 0, y: 0, width, height });

/** One view of a part that fills the scan. */
const filling = (part: Box): Scan => ({ part, edge: SCAN_EDGE_PX, views: [{ turns: 0, x: 0, y: 0 }] });

/** The picture as a whole. */
export const wholeScan = (picture: PictureSize): Scan => filling(wholeOf(picture));

/** The picture at half the edge of a scan: a face that fills it is then as large as the network likes best. */
export const halfSizeScan = (picture: PictureSize, isMirrored: boolean): Scan => {
  const edge = SCAN_EDGE_PX / 2;
  return { part: wholeOf(picture), edge, views: [{ turns: 0, isMirrored, x: edge / 2, y: edge / 2 }] };
};

/**
 * The picture four times in one scan: upright, for a face as large as the picture is none to the network until it is
 * smaller, and lying on either side and upside down, for people who do.
 */
export function turnedScan(picture: PictureSize): Scan {
  const edge = SCAN_EDGE_PX / 2;
  const views = [
    { turns: 0, x: 0, y: 0 },
    { turns: 1, x: edge, y: 0 },
    { turns: 2, x: 0, y: edge },
    { turns: 3, x: edge, y: edge },
  ] as const;
  return { part: wholeOf(picture), edge, views };
}

/** Tiles that cover the picture, for faces that are small in it; at most ten. */
export function tileScans({ width, height }: PictureSize): readonly Scan[] {
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

/** A square around a sighting, without what lies outside the picture; `edges` is its edge in the box's longer edges. */
export const closerScan = (
  { box, turns }: Sighting,
  picture: PictureSize,
  {
    edges = CLOSER_EDGES,
    isMirrored = false,
  }: { readonly edges?: number; readonly isMirrored?: boolean } = {},
): Scan =>
  squareScan(
    { x: box.x + box.width / 2, y: box.y + box.height / 2 },
    Math.max(box.width, box.height) * edges,
    picture,
    { turns, isMirrored },
  );

/**
 * Squares to the left and right of a face, each as it is and mirrored: at most four scans. None on a side where one of
 * the known faces is its neighbour, beyond which its own scans go.
 */
export function besideScans(
  { face }: Sighting,
  known: readonly Sighting[],
  picture: PictureSize,
): readonly Scan[] {
  const unit = Math.max(face.width, face.height);
  const { x, y } = middleOf(face);
  const isTaken = (side: number): boolean =>
    known.some((other) => {
      const middle = middleOf(other.face);
      const aside = Math.abs(middle.x - x - side * unit * BESIDE_OFFSET);
      return Math.max(aside, Math.abs(middle.y - y)) <= unit * NEIGHBOUR_EDGES;
    });
  const hasRoom = (side: number): boolean => {
    const nearest = x + side * unit * BESIDE_ROOM_MIN;
    return nearest > 0 && nearest < picture.width;
  };
  const sides = [-1, 1].filter((side) => hasRoom(side) && !isTaken(side));
  return sides.flatMap((side) =>
    [false, true].map((isMirrored) =>
      squareScan({ x: x + side * unit * BESIDE_OFFSET, y }, unit * BESIDE_EDGES, picture, {
        turns: 0,
        isMirrored,
      }),
    ),
  );
}

const middleOf = ({ x, y, width, height }: Box): { readonly x: number; readonly y: number } => ({
  x: x + width / 2,
  y: y + height / 2,
});

/** A square of the picture around a point. At the picture's edge it is cut, and a face stays as large as elsewhere. */
function squareScan(
  { x, y }: { readonly x: number; readonly y: number },
  edge: number,
  { width, height }: PictureSize,
  view: Pick<ScanView, "turns" | "isMirrored">,
): Scan {
  const left = Math.max(0, x - edge / 2);
  const top = Math.max(0, y - edge / 2);
  const right = Math.min(width, x + edge / 2);
  const bottom = Math.min(height, y + edge / 2);
  const part: Box = { x: left, y: top, width: right - left, height: bottom - top };
  const placeEdge = Math.max(1, Math.round((Math.max(part.width, part.height) / edge) * SCAN_EDGE_PX));
  const start = Math.floor((SCAN_EDGE_PX - placeEdge) / 2);
  return { part, edge: placeEdge, views: [{ ...view, x: start, y: start }] };
}
