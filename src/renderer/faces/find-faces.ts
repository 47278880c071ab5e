import type { Pyramid } from "../raster/pyramid.ts";
import type { Face } from "../types.ts";
import { faceOf } from "./face.ts";
import type { FaceDetector } from "./face-detector.ts";
import { isSameFace } from "./overlap.ts";
import { closerLook, tileLooks, turnedLooks, wholeLooks } from "./plan-looks.ts";
import { mergeSightings, type Sighting, sightingsIn } from "./sightings.ts";

/** Below this score nothing is worth a second look. */
const LOGIT_MIN = -1;
/** From this score on a face needs no closer look. */
const LOGIT_SURE = 1.2;
/** What makes a face: the score of the closer look, and its mean with that of the first one. */
const CLOSER_LOGIT_MIN = -0.4;
const LOGIT_MEAN_MIN = -0.12;
/** In a turned picture the network sees more that is none. */
const TURNED_LOGIT_MIN = 0.3;
const TURNED_MEAN_MIN = 0.3;
/** Closer looks at what is unsure, likeliest first; what comes behind them must do without. */
const CLOSER_LOOKS_MAX = 8;
const UNSEEN_LOGIT_MIN = 0.6;
/** Faces of a picture: more are a crowd, which no crop can keep together. */
const FACES_MAX = 64;

/**
 * The faces of an upright picture, likeliest first: the whole and its tiles are looked at, then closer what is unsure,
 * and turned where no face is found. At most 2 + 10 + 8 + 3 + 8 looks. The same pixels give the same faces.
 */
export function findFaces(detector: FaceDetector, pyramid: Pyramid): readonly Face[] {
  const { width, height } = pyramid.base;
  const upright = [...wholeLooks(pyramid.base), ...tileLooks(pyramid.base)];
  const seen = upright.flatMap((look) => sightingsIn(detector, pyramid, look, LOGIT_MIN));
  const found = confirmed(detector, pyramid, mergeSightings(seen, LOGIT_MIN), LOGIT_MEAN_MIN);
  const isSure = found.some(({ logit }) => logit >= LOGIT_SURE);
  const faces = isSure ? found : mergeSightings([...found, ...findTurned(detector, pyramid)], LOGIT_MIN);
  return faces.slice(0, FACES_MAX).map((sighting) => faceOf(sighting, width, height));
}

function findTurned(detector: FaceDetector, pyramid: Pyramid): readonly Sighting[] {
  const seen = turnedLooks(pyramid.base).flatMap((look) =>
    sightingsIn(detector, pyramid, look, TURNED_LOGIT_MIN),
  );
  return confirmed(detector, pyramid, mergeSightings(seen, TURNED_LOGIT_MIN), TURNED_MEAN_MIN);
}

/** Those that are sure, and those of which a closer look is sure enough. */
function confirmed(
  detector: FaceDetector,
  pyramid: Pyramid,
  sightings: readonly Sighting[],
  meanMin: number,
): readonly Sighting[] {
  let looks = 0;
  const kept = sightings.flatMap((sighting) => {
    if (sighting.logit >= LOGIT_SURE) return [sighting];
    if (looks === CLOSER_LOOKS_MAX) return sighting.logit >= UNSEEN_LOGIT_MIN ? [sighting] : [];
    looks += 1;
    const again = lookCloser(detector, pyramid, sighting);
    if (again === null || again.logit < CLOSER_LOGIT_MIN || (sighting.logit + again.logit) / 2 < meanMin)
      return [];
    return [again.logit > sighting.logit ? again : sighting];
  });
  return mergeSightings(kept, LOGIT_MIN);
}

/** The same face in a look at its surroundings; null when it does not show there. */
function lookCloser(detector: FaceDetector, pyramid: Pyramid, sighting: Sighting): Sighting | null {
  const look = closerLook(sighting, pyramid.base);
  const seen = sightingsIn(detector, pyramid, look, LOGIT_MIN * 2);
  return seen.find(({ box }) => isSameFace(box, sighting.box)) ?? null;
}
