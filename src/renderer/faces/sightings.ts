import { freeBytes } from "../buffers.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import type { Box } from "../types.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import type { FaceDetector } from "./face-detector.ts";
import { drawLook, type Look, type QuarterTurns, viewAround } from "./look.ts";
import { isSameFace, weightedMean } from "./overlap.ts";

/** A face as a look shows it; boxes in pixels of the pyramid's base. */
export interface Sighting extends Candidate {
  /** By which the picture had to be turned clockwise for the face to be upright. */
  readonly turns: QuarterTurns;
}

/** A box that comes closer than this share of itself to an edge of a tile may be a part of a face. */
const CUT_SHARE = 0.03;

/** What one look shows with at least that score: each face once, likeliest first. */
export function sightingsIn(
  detector: FaceDetector,
  pyramid: Pyramid,
  look: Look,
  logitMin: number,
): readonly Sighting[] {
  const { pixels, views } = drawLook(pyramid, look);
  const cells = detector.look(pixels);
  freeBytes(pixels);
  const found = candidatesOf(cells, logitMin).flatMap(({ box, face, head, logit }) => {
    const view = viewAround(views, box);
    if (view === null) return [];
    const { turns, toBase } = view;
    return [{ box: toBase(box), face: toBase(face), head: toBase(head), logit, turns }];
  });
  const whole = found.filter(({ box }) => !isCut(box, look.part, pyramid.base));
  return mergeSightings(whole, logitMin);
}

/**
 * Joins what shows the same face: the boxes are means, each weighted by how far its score is above `logitMin`; the score
 * is the highest one. Likeliest first; of equals the one that was seen first.
 */
export function mergeSightings(sightings: readonly Sighting[], logitMin: number): readonly Sighting[] {
  const merged: Sighting[] = [];
  let rest = [...sightings].sort((a, b) => b.logit - a.logit);
  for (let best = rest[0]; best !== undefined; best = rest[0]) {
    const { box } = best;
    const same = rest.filter((other) => other === best || isSameFace(box, other.box));
    const others = new Set(same);
    rest = rest.filter((other) => !others.has(other));
    const mean = (part: "box" | "face" | "head"): Box =>
      weightedMean(same.map((one) => ({ box: one[part], weight: weightOf(one, logitMin) })));
    merged.push({ ...best, box: mean("box"), face: mean("face"), head: mean("head") });
  }
  return merged;
}

/** Above 0, so that a single sighting at the very limit has a mean. */
const weightOf = ({ logit }: Sighting, logitMin: number): number => logit - logitMin + 1e-3;

/** Whether a box reaches an edge of the part where the picture goes on. */
function isCut(box: Box, part: Box, picture: { readonly width: number; readonly height: number }): boolean {
  const margin = Math.max(box.width, box.height) * CUT_SHARE;
  return (
    (part.x > 0 && box.x < part.x + margin) ||
    (part.y > 0 && box.y < part.y + margin) ||
    (part.x + part.width < picture.width && box.x + box.width > part.x + part.width - margin) ||
    (part.y + part.height < picture.height && box.y + box.height > part.y + part.height - margin)
  );
}
