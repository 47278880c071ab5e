import type { Pyramid } from "../raster/pyramid.ts";
import type { Box, Face } from "../types.ts";
import {
  type Detection,
  detectFaces,
  findSameFace,
  isSameFace,
  likelier,
  meanLogit,
  mergeDetections,
} from "./detections.ts";
import type { FaceDetector } from "./face-detector.ts";
import { findBeside } from "./find-beside.ts";
import { closerScan, halfSizeScan, tileScans, turnedScan, wholeScan } from "./plan-scans.ts";

/** If one upright face has at least this logit, faces on their side are ignored. */
const LOGIT_UPRIGHT = 1.2;
/** Minimum logit of a face in a turned picture, which has more false positives. */
const TURNED_LOGIT_MIN = 0.3;
/** Minimum size relative to the picture's short edge: a smaller detection is texture. */
const HEIGHT_SHARE_MIN = 0.02;
/** Minimum size in pixels: a smaller detection is an eye or a button in a tiny picture. */
const HEIGHT_PX_MIN = 10;
/**
 * For the only face of a picture: its minimum height relative to the short edge, and its minimum mean logit in two
 * scans at half the size.
 */
const ONLY_SHARE_MIN = 0.25;
const ONLY_LOGIT_MIN = -0.1;
/** Maximum number of faces in a picture: more are a crowd, which no crop can keep together. */
const FACES_MAX = 64;

/**
 * The faces of an upright picture, most likely first. Scans the whole picture, then again smaller and turned, its
 * tiles, uncertain detections in closer scans, and the sides of small faces. At most 48 scans: 2 + 10 + 16 + 20. The
 * same pixels give the same faces.
 */
export function findFaces(detector: FaceDetector, pyramid: Pyramid): readonly Face[] {
  const { base } = pyramid;
  const scans = [wholeScan(base), turnedScan(base), ...tileScans(base)];
  const seen = scans
    .flatMap((scan) => detectFaces(detector, pyramid, scan, LOGIT_WORTH_A_SCAN))
    .filter((detection) => isLargeEnough(detection, pyramid));
  const upright = seen.filter(({ turns }) => turns === 0);
  // If one face is surely upright, so are the others: the network often also sees an upright face as one on its side.
  const isSure = upright.some(({ logit }) => logit >= LOGIT_UPRIGHT);
  const worthwhile = isSure
    ? upright
    : seen.filter((one) => one.turns === 0 || one.logit >= TURNED_LOGIT_MIN);
  const found = confirmed(detector, pyramid, mergeDetections(worthwhile));
  const others = found.length === 0 ? findOnly(detector, pyramid) : findBeside(detector, pyramid, found);
  return [...found, ...others.filter((detection) => isLargeEnough(detection, pyramid))]
    .sort((one, other) => other.logit - one.logit)
    .slice(0, FACES_MAX)
    .map((detection) => faceOf(detection, base.width, base.height));
}

function isLargeEnough({ face }: Detection, { base }: Pyramid): boolean {
  const edge = Math.max(face.width, face.height);
  return edge >= Math.max(HEIGHT_PX_MIN, Math.min(base.width, base.height) * HEIGHT_SHARE_MIN);
}

/** The large face of a picture without other detections: scanned at half the size, also mirrored. */
function findOnly(detector: FaceDetector, pyramid: Pyramid): readonly Detection[] {
  const { base } = pyramid;
  const heightMin = Math.min(base.width, base.height) * ONLY_SHARE_MIN;
  const seenIn = (isMirrored: boolean): readonly Detection[] =>
    detectFaces(detector, pyramid, halfSizeScan(base, isMirrored), LOGIT_WORTH_A_SCAN).filter(
      ({ face }) => face.height >= heightMin,
    );
  const [one] = seenIn(false);
  if (one === undefined) return [];
  const other = seenIn(true).find(({ box }) => isSameFace(box, one.box));
  if (other === undefined || meanLogit(one, other) < ONLY_LOGIT_MIN) return [];
  return [likelier(other, one)];
}

/** Below this logit a detection is not scanned again. */
const LOGIT_WORTH_A_SCAN = -0.7;
/** A face with at least this logit needs no closer scan. */
const LOGIT_SURE = 1.2;
/** Minimum logit of the closer scan of a face, and of the mean of the first and the closer scan. */
const CLOSER_LOGIT_MIN = -0.4;
const MEAN_LOGIT_MIN = -0.12;
/**
 * If the first logit is below this, two closer scans, one of them mirrored, must show the face: the minimum logit of
 * each, and of their mean.
 */
const LOGIT_WEAK = -0.4;
const EITHER_LOGIT_MIN = -0.12;
const BOTH_LOGIT_MIN = 0.2;
/**
 * Maximum number of detections to scan closer, most likely first. The others count as faces from `UNSEEN_LOGIT_MIN` up.
 */
const CLOSER_MAX = 8;
const UNSEEN_LOGIT_MIN = 0.6;

/**
 * The certain detections, and those that closer scans confirm: at most 16 scans. Takes detections most likely first.
 */
function confirmed(
  detector: FaceDetector,
  pyramid: Pyramid,
  detections: readonly Detection[],
): readonly Detection[] {
  let lookedAt = 0;
  const kept = detections.flatMap((detection) => {
    if (detection.logit >= LOGIT_SURE) return [detection];
    if (lookedAt === CLOSER_MAX) return detection.logit >= UNSEEN_LOGIT_MIN ? [detection] : [];
    lookedAt += 1;
    const again = confirm(detector, pyramid, detection);
    return again === null ? [] : [again];
  });
  return mergeDetections(kept);
}

function confirm(detector: FaceDetector, pyramid: Pyramid, detection: Detection): Detection | null {
  const again = scanCloser(detector, pyramid, detection, false);
  if (again === null) return null;
  if (detection.logit >= LOGIT_WEAK) {
    return meanLogit(detection, again) >= MEAN_LOGIT_MIN ? likelier(again, detection) : null;
  }
  if (again.logit < EITHER_LOGIT_MIN) return null;
  const mirrored = scanCloser(detector, pyramid, detection, true);
  if (mirrored === null || mirrored.logit < EITHER_LOGIT_MIN) return null;
  return meanLogit(again, mirrored) >= BOTH_LOGIT_MIN ? likelier(mirrored, again) : null;
}

/** The same face in a scan of its surroundings; null if it is not found there. */
function scanCloser(
  detector: FaceDetector,
  pyramid: Pyramid,
  detection: Detection,
  isMirrored: boolean,
): Detection | null {
  const scan = closerScan(detection, pyramid.base, { isMirrored });
  return findSameFace(detector, pyramid, scan, CLOSER_LOGIT_MIN, detection);
}

/** A detection as a face, in fractions of a picture, clipped to its edges. */
function faceOf({ face, head, logit }: Detection, width: number, height: number): Face {
  return {
    box: inShares(face, width, height),
    head: inShares(head, width, height),
    score: shareOf(logit),
  };
}

function inShares(box: Box, width: number, height: number): Box {
  const left = within(box.x / width);
  const top = within(box.y / height);
  return {
    x: left,
    y: top,
    width: within((box.x + box.width) / width) - left,
    height: within((box.y + box.height) / height) - top,
  };
}

const within = (share: number): number => Math.min(1, Math.max(0, share));

/** 0 to 1, rising with the logit, ½ at 0. The logistic function itself differs in the last bit between engines. */
const shareOf = (logit: number): number => 0.5 + (0.5 * logit) / (1 + Math.abs(logit));
