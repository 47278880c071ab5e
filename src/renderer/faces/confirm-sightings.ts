import type { Pyramid } from "../raster/pyramid.ts";
import type { FaceDetector } from "./face-detector.ts";
import { closerScan } from "./plan-scans.ts";
import { likelier, meanLogit, mergeSightings, type Sighting, seenAgain } from "./sightings.ts";

/** Below this score nothing is worth a closer scan. */
export const LOGIT_WORTH_A_SCAN = -0.7;
/** From this score on a face needs no closer scan. */
const LOGIT_SURE = 1.2;
/** What makes a face: the score of the closer scan, and its mean with that of the first one. */
const CLOSER_LOGIT_MIN = -0.4;
const MEAN_LOGIT_MIN = -0.12;
/** Below this first score two closer scans have to show it, one of them mirrored: each, and their mean. */
const LOGIT_WEAK = -0.4;
const EITHER_LOGIT_MIN = -0.12;
const BOTH_LOGIT_MIN = 0.2;
/** What is looked at closer, likeliest first; what comes behind must do without. */
const CLOSER_MAX = 8;
const UNSEEN_LOGIT_MIN = 0.6;

/** Of sightings, likeliest first, those that are sure, and those of which closer scans are: at most 16 scans. */
export function confirmed(
  detector: FaceDetector,
  pyramid: Pyramid,
  sightings: readonly Sighting[],
): readonly Sighting[] {
  let lookedAt = 0;
  const kept = sightings.flatMap((sighting) => {
    if (sighting.logit >= LOGIT_SURE) return [sighting];
    if (lookedAt === CLOSER_MAX) return sighting.logit >= UNSEEN_LOGIT_MIN ? [sighting] : [];
    lookedAt += 1;
    const again = confirm(detector, pyramid, sighting);
    return again === null ? [] : [again];
  });
  return mergeSightings(kept);
}

function confirm(detector: FaceDetector, pyramid: Pyramid, sighting: Sighting): Sighting | null {
  const again = scanCloser(detector, pyramid, sighting, false);
  if (again === null) return null;
  if (sighting.logit >= LOGIT_WEAK) {
    return meanLogit(sighting, again) >= MEAN_LOGIT_MIN ? likelier(again, sighting) : null;
  }
  if (again.logit < EITHER_LOGIT_MIN) return null;
  const mirrored = scanCloser(detector, pyramid, sighting, true);
  if (mirrored === null || mirrored.logit < EITHER_LOGIT_MIN) return null;
  return meanLogit(again, mirrored) >= BOTH_LOGIT_MIN ? likelier(mirrored, again) : null;
}

/** The same face in a scan of its surroundings; null when it does not show there. */
function scanCloser(
  detector: FaceDetector,
  pyramid: Pyramid,
  sighting: Sighting,
  isMirrored: boolean,
): Sighting | null {
  const scan = closerScan(sighting, pyramid.base, { isMirrored });
  return seenAgain(detector, pyramid, scan, CLOSER_LOGIT_MIN, sighting);
}
