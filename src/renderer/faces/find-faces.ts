import type { Pyramid } from "../raster/pyramid.ts";
import type { Face } from "../types.ts";
import { confirmed, LOGIT_WORTH_A_SCAN } from "./confirm-sightings.ts";
import { faceOf } from "./face.ts";
import type { FaceDetector } from "./face-detector.ts";
import { findBeside } from "./find-beside.ts";
import { isSameFace } from "./overlap.ts";
import { halfSizeScan, tileScans, turnedScan, wholeScan } from "./plan-scans.ts";
import { likelier, meanLogit, mergeSightings, type Sighting, sightingsIn } from "./sightings.ts";

/** Where one is as sure as that, none lies on its side. */
const LOGIT_UPRIGHT = 1.2;
/** In a turned picture the network sees more that is none. */
const TURNED_LOGIT_MIN = 0.3;
/** Smaller ones, in heights over the picture's short edge, are no more than a part of its texture. */
const HEIGHT_SHARE_MIN = 0.02;
/** Fewer pixels are no face to anybody: an eye or a button of a tiny picture. */
const HEIGHT_PX_MIN = 10;
/** What makes the only face of a picture: its height over the short edge, and the mean of two scans at half the size. */
const ONLY_SHARE_MIN = 0.25;
const ONLY_LOGIT_MIN = -0.1;
/** Faces of a picture: more are a crowd, which no crop can keep together. */
const FACES_MAX = 64;

/**
 * The faces of an upright picture, likeliest first: the whole, smaller and turned, and its tiles are looked at, then
 * closer what is unsure and what is beside small faces. At most 48 scans: 2 + 10 + 16 + 20. The same pixels give the
 * same faces.
 */
export function findFaces(detector: FaceDetector, pyramid: Pyramid): readonly Face[] {
  const { base } = pyramid;
  const scans = [wholeScan(base), turnedScan(base), ...tileScans(base)];
  const seen = scans
    .flatMap((scan) => sightingsIn(detector, pyramid, scan, LOGIT_WORTH_A_SCAN))
    .filter((sighting) => isLargeEnough(sighting, pyramid));
  const upright = seen.filter(({ turns }) => turns === 0);
  // Where a face is sure to be upright, so are the others; lying on its side it is often one to the network too.
  const isSure = upright.some(({ logit }) => logit >= LOGIT_UPRIGHT);
  const worthwhile = isSure
    ? upright
    : seen.filter((one) => one.turns === 0 || one.logit >= TURNED_LOGIT_MIN);
  const found = confirmed(detector, pyramid, mergeSightings(worthwhile));
  const others = found.length === 0 ? findOnly(detector, pyramid) : findBeside(detector, pyramid, found);
  return [...found, ...others.filter((sighting) => isLargeEnough(sighting, pyramid))]
    .sort((one, other) => other.logit - one.logit)
    .slice(0, FACES_MAX)
    .map((sighting) => faceOf(sighting, base.width, base.height));
}

function isLargeEnough({ face }: Sighting, { base }: Pyramid): boolean {
  const edge = Math.max(face.width, face.height);
  return edge >= Math.max(HEIGHT_PX_MIN, Math.min(base.width, base.height) * HEIGHT_SHARE_MIN);
}

/** The large face of a picture in which nothing else is found: at half the size, and mirrored. */
function findOnly(detector: FaceDetector, pyramid: Pyramid): readonly Sighting[] {
  const { base } = pyramid;
  const heightMin = Math.min(base.width, base.height) * ONLY_SHARE_MIN;
  const seenIn = (isMirrored: boolean): readonly Sighting[] =>
    sightingsIn(detector, pyramid, halfSizeScan(base, isMirrored), LOGIT_WORTH_A_SCAN).filter(
      ({ face }) => face.height >= heightMin,
    );
  const [one] = seenIn(false);
  if (one === undefined) return [];
  const other = seenIn(true).find(({ box }) => isSameFace(box, one.box));
  if (other === undefined || meanLogit(one, other) < ONLY_LOGIT_MIN) return [];
  return [likelier(other, one)];
}
