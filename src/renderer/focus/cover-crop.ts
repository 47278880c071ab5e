import { unionOf } from "../box-geometry.ts";
import type { Box } from "../types.ts";
import { bestWindow, type Window } from "./crop-window.ts";
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
  /** The focal point was given: it comes as near to the free part's middle as the picture allows. */
  readonly isFocusGiven?: boolean;
  /** Parts that must stand whole in the free part, the most important first; shares 0..1 of the source. */
  readonly protectedAreas?: readonly Box[];
}

/** Zooms that are tried, to move a subject out from under the words; 1 is the largest crop. */
const ZOOMS = [1, 1.12, 1.25];
/** A protected area may be moved closer than a subject, as long as the source is sharp. */
const PROTECTED_ZOOMS = [1, 1.12, 1.25, 1.4, 1.6, 1.85];
/** The score that a zoom of 2 must gain: otherwise more of the picture is better. */
const ZOOM_COST = 0.32;
/** A larger enlargement of the source would be visible. */
const ENLARGEMENT_MAX = 1.2;
/** How far over the free part's middle faces stand, as a share of it: portraits are framed with the head high. */
const PROTECTED_RISE = 0.06;

const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

/**
 * The part of a source that fills a box with its own proportions, placed and if need be moved closer so that
 * what matters stands whole in the free part. Protected areas do so wherever that is possible: all of them, else at
 * least inside the box, else as many as can be, the most important first. Source pixels, fractions allowed.
 */
export function coverCrop(request: CropRequest): Box {
  const { protectedAreas = [], free } = request;
  for (let count = protectedAreas.length; count > 0; count -= 1) {
    const together = unionOf(protectedAreas.slice(0, count));
    for (const room of [free, WHOLE]) {
      const part = bestPart(request, { together, room, others: protectedAreas.slice(count) });
      if (part !== null) return part;
    }
  }
  const { sourceWidth, sourceHeight } = request;
  return bestPart(request, null) ?? { x: 0, y: 0, width: sourceWidth, height: sourceHeight };
}

/** What must stand in a part of the box, and what should be shown whole or not at all. */
interface ProtectedGroup {
  readonly together: Box;
  readonly room: Box;
  readonly others: readonly Box[];
}

function bestPart(request: CropRequest, group: ProtectedGroup | null): Box | null {
  const { sourceWidth, sourceHeight, boxWidth, boxHeight, free, saliency, focalPoint } = request;
  const fit = Math.min(sourceWidth / boxWidth, sourceHeight / boxHeight);
  const focus = group === null || request.isFocusGiven === true ? focalPoint : middleOf(group.together);
  const windowOn = (axis: "x" | "y", shown: number): Window => {
    const length = axis === "x" ? "width" : "height";
    return {
      profile: profileOf(saliency, axis === "x" ? "across" : "down"),
      span: shown / (axis === "x" ? sourceWidth : sourceHeight),
      focus: focus[axis],
      freeStart: free[axis],
      freeLength: free[length],
      rise: group === null || axis === "x" ? 0 : PROTECTED_RISE,
      isFocusAlone: request.isFocusGiven === true,
      protectedStretch:
        group === null
          ? null
          : {
              start: group.together[axis],
              length: group.together[length],
              roomStart: group.room[axis],
              roomLength: group.room[length],
            },
      others: (group?.others ?? []).map((box) => ({ start: box[axis], length: box[length] })),
    };
  };
  let best: Box | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const zoom of group === null ? ZOOMS : PROTECTED_ZOOMS) {
    if (zoom > 1 && zoom / fit > ENLARGEMENT_MAX) break;
    const width = (boxWidth * fit) / zoom;
    const height = (boxHeight * fit) / zoom;
    const x = bestWindow(windowOn("x", width));
    const y = x === null ? null : bestWindow(windowOn("y", height));
    if (x === null || y === null) continue;
    const score = x.score + y.score - (zoom - 1) * ZOOM_COST;
    if (score <= bestScore) continue;
    best = { x: x.start * sourceWidth, y: y.start * sourceHeight, width, height };
    bestScore = score;
    // Nothing but the point decides: the largest part that has it in its place shows most.
    if (request.isFocusGiven === true) break;
  }
  return best;
}

const middleOf = ({ x, y, width, height }: Box): SharePoint => ({ x: x + width / 2, y: y + height / 2 });
