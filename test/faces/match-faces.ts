import { commonArea } from "#renderer/box-geometry.ts";
import type { Box } from "#renderer/index.ts";
import { type MarkedFace, type MarkedPicture, mustBeFound } from "./marked-pictures.ts";

/** A find is a marked face when their boxes share this much of what they cover together. */
const OVERLAP_MIN = 0.4;

/** What a detector made of one picture. */
export interface Matches {
  /** Marked faces that must be found, and were. */
  readonly found: readonly MarkedFace[];
  readonly missed: readonly MarkedFace[];
  /** Finds that are no face, or a face once more. */
  readonly falseFinds: readonly Box[];
}

/**
 * Pairs finds with marked faces, closest first, each at most once. A find that pairs with a face that need not be found
 * counts for nothing.
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
