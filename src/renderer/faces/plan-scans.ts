import type { Box } from "../types.ts";
import type { Detection } from "./detections.ts";
import { SCAN_EDGE_PX } from "./face-detector.ts";
import type { Scan, ScanView } from "./scan.ts";

/** Size of the picture to scan. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A tile's edge relative to the picture's short edge. A face of 5 % of the short edge then has 12 pixels in a scan. */
const TILE_SHARE = 0.8;
/**
 * Minimum overlap of two tiles, as a fraction of a tile. A face larger than the overlap is found in the scan of the
 * whole picture.
 */
const OVERLAP = 0.12;
/** Maximum number of tiles along a picture; a longer picture gets larger tiles. */
const TILES_ALONG_MAX = 5;
/** Edge of a closer scan, as a multiple of the face's longer edge: the face then has the network's preferred size. */
const CLOSER_EDGES = 4;
/**
 * A scan beside a face, as multiples of the face's longer edge: the square's edge, and the distance of its centre from
 * the face's centre.
 */
const BESIDE_EDGES = 6;
const BESIDE_OFFSET = 2.4;
/** The scan is skipped if a known face is within this distance of the square's centre, in the same unit. */
const NEIGHBOUR_EDGES = 1.5;
/**
 * Minimum distance from the face's centre to the picture's edge on a side, in the same unit: otherwise there is no room
 * for another face.
 */
const EDGE_DISTANCE_MIN = 1.2;

const wholeOf = ({ width, height }: PictureSize): Box => ({ x: 0, y: 0, width, height });

/** A scan that is filled by a single view of a part. */
const filling = (part: Box): Scan => ({ part, edge: SCAN_EDGE_PX, views: [{ turns: 0, x: 0, y: 0 }] });

/** The whole picture. */
export const wholeScan = (picture: PictureSize): Scan => filling(wholeOf(picture));

/** The picture at half the edge of a scan, the network's preferred size for a face that fills the picture. */
export const halfSizeScan = (picture: PictureSize, isMirrored: boolean): Scan => {
  const edge = SCAN_EDGE_PX / 2;
  return { part: wholeOf(picture), edge, views: [{ turns: 0, isMirrored, x: edge / 2, y: edge / 2 }] };
};

/**
 * The picture four times in one scan: upright and smaller, because the network misses a face as large as the picture,
 * and on either side and upside down.
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

/** At most ten tiles that cover the picture, for faces that are small in it. */
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
  // The longest picture is exactly as long as its tiles, so ignore rounding errors.
  const steps = Math.ceil(room / (tile * (1 - OVERLAP)) - 1e-6);
  return steps <= 0 ? [0] : Array.from({ length: steps + 1 }, (_, index) => (room * index) / steps);
}

/** A square around a detection, clipped to the picture; `edges` is its edge as a multiple of the box's longer edge. */
export const closerScan = (
  { box, turns }: Detection,
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
 * Squares to the left and right of a face, each as it is and mirrored: at most four scans. Sides with a known face are
 * skipped, because that face gets its own scans.
 */
export function besideScans(
  { face }: Detection,
  known: readonly Detection[],
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
    const nearest = x + side * unit * EDGE_DISTANCE_MIN;
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

/** A square of the picture around a point, clipped at the picture's edge. The scale of a face stays the same. */
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
