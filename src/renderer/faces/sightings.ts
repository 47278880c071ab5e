import { freeBytes } from "../buffers.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import type { Box } from "../types.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import type { FaceDetector } from "./face-detector.ts";
import { isSameFace, weightedMean } from "./overlap.ts";
import { drawScan, type QuarterTurns, type Scan, viewAround } from "./scan.ts";

/** A face as a scan shows it; boxes in pixels of the pyramid's base. */
export interface Sighting extends Candidate {
  /** By which the picture had to be turned clockwise for the face to be upright. */
  readonly turns: QuarterTurns;
}

/** Sightings of less tell that something may be a face, but not where it ends. */
const WEAK_LOGIT = -0.4;
/** A box that comes closer than this share of itself to an edge of a tile may be a part of a face. */
const CUT_SHARE = 0.03;

/** What one scan shows with at least that score: each face once, likeliest first. */
export function sightingsIn(
  detector: FaceDetector,
  pyramid: Pyramid,
  scan: Scan,
  logitMin: number,
): readonly Sighting[] {
  const { pixels, views } = drawScan(pyramid, scan);
  const cells = detector.scan(pixels);
  freeBytes(pixels);
  const found = candidatesOf(cells, logitMin).flatMap(({ box, face, head, logit }) => {
    const view = viewAround(views, box);
    if (view === null) return [];
    const { turns, toBase } = view;
    return [{ box: toBase(box), face: toBase(face), head: toBase(head), logit, turns }];
  });
  return mergeSightings(found.filter(({ box }) => !isCut(box, scan.part, pyramid.base)));
}

/** The same face in another scan with at least that score; null when it does not show there. */
export const seenAgain = (
  detector: FaceDetector,
  pyramid: Pyramid,
  scan: Scan,
  logitMin: number,
  { box }: Sighting,
): Sighting | null =>
  sightingsIn(detector, pyramid, scan, logitMin).find((other) => isSameFace(other.box, box)) ?? null;

export const meanLogit = (one: Sighting, other: Sighting): number => (one.logit + other.logit) / 2;

/** Of equals the second. */
export const likelier = (one: Sighting, other: Sighting): Sighting => (one.logit > other.logit ? one : other);

/**
 * Joins what shows the same face: the boxes are means, each weighted by how far its score is above `WEAK_LOGIT`; what is
 * below does not count, but for a face of which nothing else is seen. The score is the highest one. Likeliest first; of
 * equals the one that was seen first.
 */
export function mergeSightings(sightings: readonly Sighting[]): readonly Sighting[] {
  const merged: Sighting[] = [];
  let rest = [...sightings].sort((a, b) => b.logit - a.logit);
  for (let best = rest[0]; best !== undefined; best = rest[0]) {
    const { box } = best;
    const same = rest.filter((other) => other === best || isSameFace(box, other.box));
    const others = new Set(same);
    rest = rest.filter((other) => !others.has(other));
    const telling = same.filter(({ logit }) => logit >= WEAK_LOGIT);
    const mean = (part: "box" | "face" | "head"): Box =>
      weightedMean(telling.map((one) => ({ box: one[part], weight: weightOf(one) })));
    merged.push(
      telling.length === 0 ? best : { ...best, box: mean("box"), face: mean("face"), head: mean("head") },
    );
  }
  return merged;
}

/** Above 0, so that a single sighting at the very limit has a mean. */
const weightOf = ({ logit }: Sighting): number => logit - WEAK_LOGIT + 1e-3;

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
