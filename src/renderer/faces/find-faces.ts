import type { Pyramid } from "../raster/pyramid.ts";
import type { Face } from "../types.ts";
import { faceOf } from "./face.ts";
import type { FaceDetector } from "./face-detector.ts";
import { isSameFace } from "./overlap.ts";
import { closerLook, tileLooks, turnedLook, wholeLook } from "./plan-looks.ts";
import { mergeSightings, type Sighting, sightingsIn } from "./sightings.ts";

/** Below this score nothing is worth a closer look. */
const LOGIT_MIN = -0.4;
/** From this score on a face needs no closer look. */
const LOGIT_SURE = 1.2;
/** What makes a face: the score of the closer look, and its mean with that of the first one. */
const CLOSER_LOGIT_MIN = -0.4;
const MEAN_LOGIT_MIN = -0.12;
/** In a turned picture the network sees more that is none. */
const TURNED_LOGIT_MIN = 0.3;
/** Closer looks at what is unsure, likeliest first; what comes behind them must do without. */
const CLOSER_LOOKS_MAX = 8;
const UNSEEN_LOGIT_MIN = 0.6;
/** Smaller ones, in heights over the picture's short edge, are no more than a part of its texture. */
const HEIGHT_SHARE_MIN = 0.02;
/** Faces of a picture: more are a crowd, which no crop can keep together. */
const FACES_MAX = 64;

/**
 * The faces of an upright picture, likeliest first: the whole, smaller and turned, and its tiles are looked at, then
 * closer what is unsure. At most 2 + 10 + 8 looks. The same pixels give the same faces.
 */
export function findFaces(detector: FaceDetector, pyramid: Pyramid): readonly Face[] {
  const { base } = pyramid;
  const looks = [wholeLook(base), turnedLook(base), ...tileLooks(base)];
  const heightMin = Math.min(base.width, base.height) * HEIGHT_SHARE_MIN;
  const seen = looks
    .flatMap((look) => sightingsIn(detector, pyramid, look, LOGIT_MIN))
    .filter(({ face }) => Math.max(face.width, face.height) >= heightMin);
  const upright = seen.filter(({ turns }) => turns === 0);
  // Where a face is sure to be upright, so are the others; lying on its side it is often one to the network too.
  const isSure = upright.some(({ logit }) => logit >= LOGIT_SURE);
  const worthwhile = isSure
    ? upright
    : seen.filter((one) => one.turns === 0 || one.logit >= TURNED_LOGIT_MIN);
  return confirmed(detector, pyramid, mergeSightings(worthwhile, LOGIT_MIN))
    .slice(0, FACES_MAX)
    .map((sighting) => faceOf(sighting, base.width, base.height));
}

/** Those that are sure, and those of which a closer look is sure enough. */
function confirmed(
  detector: FaceDetector,
  pyramid: Pyramid,
  sightings: readonly Sighting[],
): readonly Sighting[] {
  let looks = 0;
  const kept = sightings.flatMap((sighting) => {
    if (sighting.logit >= LOGIT_SURE) return [sighting];
    if (looks === CLOSER_LOOKS_MAX) return sighting.logit >= UNSEEN_LOGIT_MIN ? [sighting] : [];
    looks += 1;
    const again = lookCloser(detector, pyramid, sighting);
    if (again === null || (sighting.logit + again.logit) / 2 < MEAN_LOGIT_MIN) return [];
    return [again.logit > sighting.logit ? again : sighting];
  });
  return mergeSightings(kept, LOGIT_MIN);
}

/** The same face in a look at its surroundings; null when it does not show there. */
function lookCloser(detector: FaceDetector, pyramid: Pyramid, sighting: Sighting): Sighting | null {
  const look = closerLook(sighting, pyramid.base);
  const seen = sightingsIn(detector, pyramid, look, CLOSER_LOGIT_MIN);
  return seen.find(({ box }) => isSameFace(box, sighting.box)) ?? null;
}
