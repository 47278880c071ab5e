import { unionOf } from "../box-geometry.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import type { Box } from "../types.ts";
import { type Detection, detectFaces, findSameFace, isSameFace, mergeDetections } from "./detections.ts";
import type { FaceDetector } from "./face-detector.ts";
import { besideScans, closerScan } from "./plan-scans.ts";

/**
 * Maximum height of a face whose sides are scanned, relative to the picture's short edge. Neighbours of a taller face
 * are found in the scans of the whole picture.
 */
const HEIGHT_SHARE_MAX = 0.125;
/** Maximum number of faces whose sides are scanned, most likely first. */
const FACES_MAX = 3;
/** Maximum number of faces in a group. In a larger crowd, one face more or less does not change a crop. */
const GROUP_MAX = 8;
/**
 * Minimum logit at which a detection beside a face is scanned closer, and maximum number of detections scanned closer.
 */
const LOGIT_MIN = -1;
const PLACES_MAX = 2;
/**
 * Edges of the closer scans of a place, as multiples of the longer edge of its box. In wide scans the network
 * underestimates a head's size.
 */
const CLOSER_EDGES = [5.5, 7];
/** Minimum mean logit of the closer scans of a face; a scan that does not show the face counts as `LEAST_LOGIT`. */
const MEAN_LOGIT_MIN = -1.15;
const LEAST_LOGIT = -2;
/** Height of a neighbour, and its distance from the face, relative to the face's height and width. */
const NEIGHBOUR_HEIGHT = { min: 0.35, max: 2 };
const NEIGHBOUR_ABOVE_MAX = 1.2;
const NEIGHBOUR_ASIDE_MIN = 0.8;

/**
 * Finds neighbours of small faces. People sit and stand beside each other, so scans to the left and right look for
 * faces of about the same size, in profile or in the dark, that tiles show too faintly. Because another face is near, a
 * lower score is enough: the mean of four scans. At most 3 × 4 + 2 × 4 scans.
 */
export function findBeside(
  detector: FaceDetector,
  pyramid: Pyramid,
  found: readonly Detection[],
): readonly Detection[] {
  if (found.length > GROUP_MAX) return [];
  const { base } = pyramid;
  const heightMax = Math.min(base.width, base.height) * HEIGHT_SHARE_MAX;
  const seen = found
    .filter(({ face, turns }) => turns === 0 && face.height <= heightMax)
    .slice(0, FACES_MAX)
    .flatMap((one) =>
      besideScans(one, found, base)
        .flatMap((scan) => detectFaces(detector, pyramid, scan, LOGIT_MIN))
        .filter((other) => isNeighbour(other, one)),
    );
  const isNew = ({ box }: Detection): boolean => !found.some((known) => isSameFace(known.box, box));
  const confirmed = mergeDetections(seen)
    .filter(isNew)
    .slice(0, PLACES_MAX)
    .flatMap((place) => confirm(detector, pyramid, place));
  return mergeDetections(confirmed).filter(isNew);
}

/** The face that closer scans show at a place; empty if the scans are not certain enough. */
function confirm(detector: FaceDetector, pyramid: Pyramid, place: Detection): readonly Detection[] {
  const scans = CLOSER_EDGES.flatMap((edges) =>
    [false, true].map((isMirrored) => closerScan(place, pyramid.base, { edges, isMirrored })),
  );
  const again = scans.flatMap((scan) => findSameFace(detector, pyramid, scan, LEAST_LOGIT, place) ?? []);
  const sum = again.reduce((total, { logit }) => total + logit, (scans.length - again.length) * LEAST_LOGIT);
  if (sum / scans.length < MEAN_LOGIT_MIN) return [];
  const telling = again.filter(({ logit }) => logit >= LOGIT_MIN);
  const [best] = mergeDetections(telling);
  if (best === undefined) return [];
  // One scan may show only a part of a dark or turned face.
  const seen = (part: "face" | "head"): Box => unionOf(telling.map((one) => one[part]));
  return [{ ...best, face: seen("face"), head: seen("head") }];
}

function isNeighbour({ face: other }: Detection, { face: one }: Detection): boolean {
  const height = other.height / one.height;
  const aside = Math.abs(other.x + other.width / 2 - one.x - one.width / 2);
  const above = Math.abs(other.y + other.height / 2 - one.y - one.height / 2);
  return (
    height >= NEIGHBOUR_HEIGHT.min &&
    height <= NEIGHBOUR_HEIGHT.max &&
    above <= NEIGHBOUR_ABOVE_MAX * one.height &&
    aside >= NEIGHBOUR_ASIDE_MIN * one.width
  );
}
