import type { Box, Face, Raster } from "../types.ts";
import { barrierDistance } from "./barrier-distance.ts";
import { mainSubjectOf } from "./main-subject.ts";
import { plainSidesOf } from "./plain-sides.ts";
import { type Plane, planesOf } from "./planes.ts";
import type { SubjectMap } from "./subject-map.ts";

/**
 * Finds what stands out from the background in an opaque thumbnail (about 128 px), and its main subject; `known` is a product's box on a
 * plain background.
 */
export function findSubject(thumbnail: Raster, faces: readonly Face[], known: Box | null): SubjectMap {
  const planes = planesOf(thumbnail);
  const { width, height } = thumbnail;
  const values = new Float64Array(width * height);
  for (const plane of planes) {
    barrierDistance(plane).forEach((distance, at) => {
      values[at] = (values[at] ?? 0) + distance;
    });
  }
  const map: Plane = { width, height, values: normalised(values) };
  return {
    ...map,
    main: known === null ? mainSubjectOf(map, faces) : { box: known, certainty: 1 },
    plainSides: plainSidesOf(planes),
  };
}

function normalised(values: Float64Array): Float64Array {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most === 0 ? values : values.map((value) => value / most);
}
