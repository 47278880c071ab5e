import { unionOf } from "../box-geometry.ts";
import type { Box, Face, Raster } from "../types.ts";
import { barrierDistance } from "./barrier-distance.ts";
import { borderContrast } from "./border-contrast.ts";
import { mainObjectOf, type ObjectPlanes } from "./main-object.ts";
import { peopleIn } from "./people.ts";
import { plainSidesOf } from "./plain-sides.ts";
import { edgesOf, planesOf, sumOf } from "./planes.ts";
import { CERTAIN_MIN, type MainSubject, type SubjectMap } from "./subject-map.ts";

/** Certainty of people whose faces were found. */
const PEOPLE_CERTAINTY = 0.9;
/** People with lower heads, as a share of the picture's height, may be onlookers: what stands out decides. A whole figure has 7.6. */
const HEAD_HEIGHT_MIN = 0.1;

/**
 * Finds what stands out from the background in an opaque thumbnail (about 128 px), and its main subject: people, else
 * `known`, a product's box on a plain background, else the object that stands out most.
 */
export function findSubject(thumbnail: Raster, faces: readonly Face[], known: Box | null): SubjectMap {
  const planes = planesOf(thumbnail);
  const [lightness, redGreen, blueYellow] = planes;
  const objects: ObjectPlanes = {
    barrier: sumOf([barrierDistance(lightness), barrierDistance(redGreen), barrierDistance(blueYellow)]),
    border: borderContrast(planes),
    edges: edgesOf(lightness),
  };
  return {
    ...objects.barrier,
    main: mainOf(faces, () => (known === null ? mainObjectOf(objects) : { box: known, certainty: 1 })),
    plainSides: plainSidesOf(planes),
  };
}

function mainOf(faces: readonly Face[], findObject: () => MainSubject | null): MainSubject | null {
  const people = peopleIn(faces);
  if (people === null) return findObject();
  if (people.headHeight >= HEAD_HEIGHT_MIN) return { box: people.box, certainty: PEOPLE_CERTAINTY };
  const object = findObject();
  if (object === null || object.certainty >= CERTAIN_MIN) return object;
  return { box: unionOf([people.box, object.box]), certainty: object.certainty };
}
