import type { Box } from "../types.ts";
import { profileOf, type SharePoint } from "./focal-point.ts";
import type { SaliencyMap } from "./saliency.ts";

export interface CropRequest {
  readonly sourceWidth: number;
  readonly sourceHeight: number;
  /** Size of the box to fill, in pixels of the canvas. */
  readonly boxWidth: number;
  readonly boxHeight: number;
  /** Part of the box (shares 0..1) that words leave free: where the subject should stand. */
  readonly free: Box;
  readonly saliency: SaliencyMap;
  readonly focalPoint: SharePoint;
}

/** Zooms that are tried, to move a subject out from under the words; 1 is the largest crop. */
const ZOOMS = [1, 1.12, 1.25];
/** The score that a zoom of 2 must gain: otherwise more of the picture is better. */
const ZOOM_COST = 0.32;
/** A larger enlargement of the source would be visible. */
const ENLARGEMENT_MAX = 1.2;
const OFFSETS = 72;
/** How much the focal point's distance from the free part's centre counts against saliency kept. */
const CENTRE_PULL = 0.5;
/** The weight of saliency under the words. */
const COVERED_WORTH = 0.35;

/**
 * The part of a source that fills a box with its own proportions, placed and if need be moved closer so that
 * what matters stands whole in the free part. Source pixels, fractions allowed.
 */
export function coverCrop(request: CropRequest): Box {
  const { sourceWidth, sourceHeight, boxWidth, boxHeight, free, saliency, focalPoint } = request;
  const fit = Math.min(sourceWidth / boxWidth, sourceHeight / boxHeight);
  const across = profileOf(saliency, "across");
  const down = profileOf(saliency, "down");
  let best: Box | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const zoom of ZOOMS) {
    if (zoom > 1 && zoom / fit > ENLARGEMENT_MAX) break;
    const width = (boxWidth * fit) / zoom;
    const height = (boxHeight * fit) / zoom;
    const x = bestPlace(across, width / sourceWidth, focalPoint.x, free.x, free.width);
    const y = bestPlace(down, height / sourceHeight, focalPoint.y, free.y, free.height);
    const score = x.score + y.score - (zoom - 1) * ZOOM_COST;
    if (score <= bestScore) continue;
    best = { x: x.start * sourceWidth, y: y.start * sourceHeight, width, height };
    bestScore = score;
  }
  return best ?? { x: 0, y: 0, width: sourceWidth, height: sourceHeight };
}

/** The best start 0..1, with its score, of a window that covers `span` 0..1 of a profile. */
function bestPlace(
  profile: Float64Array,
  span: number,
  focus: number,
  freeStart: number,
  freeLength: number,
): { readonly start: number; readonly score: number } {
  const room = Math.max(0, 1 - span);
  let total = 0;
  for (const value of profile) total += value;
  let best = { start: room / 2, score: Number.NEGATIVE_INFINITY };
  for (let step = 0; step <= (room < 1e-9 ? 0 : OFFSETS); step += 1) {
    const start = (room * step) / OFFSETS;
    let kept = 0;
    profile.forEach((value, index) => {
      const at = ((index + 0.5) / profile.length - start) / span;
      if (at > 0 && at < 1) kept += value * worthAt(at, freeStart, freeLength);
    });
    const apart = (focus - start) / span - (freeStart + freeLength / 2);
    const score = (total === 0 ? 0 : kept / total) - CENTRE_PULL * apart * apart;
    if (score > best.score) best = { start, score };
  }
  return best;
}

/** 1 in the free part, fading at the frame's rims, where a subject would be cut, and low under the words. */
function worthAt(at: number, freeStart: number, freeLength: number): number {
  const rim = Math.min(1, 7 * Math.min(at, 1 - at));
  const outside = Math.max(freeStart - at, at - freeStart - freeLength, 0);
  return rim * Math.max(COVERED_WORTH, 1 - outside * 5);
}
