import { commonArea } from "#renderer/box-geometry.ts";
import type { Box } from "#renderer/index.ts";
import { type MarkedFace, type MarkedPicture, mustBeFound } from "./marked-pictures.ts";

/** Minimum intersection over union of a find and its marked face. */
const OVERLAP_MIN = 0.4;

/** A detector's result on one picture. */
export interface Matches {
  /** Required faces that were found. */
  readonly found: readonly MarkedFace[];
  readonly missed: readonly MarkedFace[];
  /** Finds without a marked face, or with one that was paired with another find. */
  readonly falseFinds: readonly Box[];
}

/**
 * Pairs finds with marked faces, closest first, each at most once. A find paired with an optional face does not count.
 */
export function matchFaces(picture: MarkedPicture, finds: readonly Box[]): Matches {
  const pairs = finds
    .flatMap((find) => picture.faces.map((face) => ({ find, face, overlap: overlapOf(find, face.box) })))
    .filter(({ overlap }) => overlap >= OVERLAP_MIN)
    .sort((one, other) => other.overlap - one.overlap);
  const paired = new Map<MarkedFace, Box>();
  const spent = new Set<Box>();
  for (const { find, face } of pairs) {
    if (paired.has(face) || spent.has(find)) continue;
    paired.set(face, find);
    spent.add(find);
  }
  const wanted = picture.faces.filter((face) => mustBeFound(picture, face));
  return {
    found: wanted.filter((face) => paired.has(face)),
    missed: wanted.filter((face) => !paired.has(face)),
    falseFinds: finds.filter((find) => !spent.has(find)),
  };
}

/** Intersection over union, 0..1. */
function overlapOf(one: Box, other: Box): number {
  const shared = commonArea(one, other);
  return shared / (one.width * one.height + other.width * other.height - shared);
}
