import { unionOf } from "../box-geometry.ts";
import type { Box } from "../types.ts";
import { profileOf, type SharePoint } from "./focal-point.ts";
import type { SaliencyMap } from "./saliency.ts";

export interface CropRequest {
  readonly sourceWidth: number;
  readonly sourceHeight: number;
  /** Size of the box to fill, in pixels of the canvas. */
  readonly boxWidth: number;
  readonly boxHeight: number;
  /** Part of the box without text, in fractions 0..1: the place for the subject. */
  readonly free: Box;
  readonly saliency: SaliencyMap;
  readonly focalPoint: SharePoint;
  /**
   * Whether the caller gave the focal point, which is then placed as near to the free part's centre as the picture
   * allows.
   */
  readonly isFocusGiven?: boolean;
  /** Areas to show whole in the free part, the most important first; fractions 0..1 of the source. */
  readonly protectedAreas?: readonly Box[];
}

/** Zooms to try, to move a subject out from under the text; 1 is the largest crop. */
const ZOOMS = [1, 1.12, 1.25];
/** A protected area may be enlarged more than a subject, as long as the source is sharp. */
const PROTECTED_ZOOMS = [1, 1.12, 1.25, 1.4, 1.6, 1.85];
/** Score that a zoom of 2 must gain. Otherwise it is better to show more of the picture. */
const ZOOM_COST = 0.32;
/** At a larger enlargement, the source would look blurred. */
const ENLARGEMENT_MAX = 1.2;
/**
 * Height of faces above the free part's centre, as a fraction of that part's height: portraits are framed with the head
 * high.
 */
const PROTECTED_RISE = 0.06;

const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

/**
 * The part of a source that fills a box, moved and if needed enlarged, to show its important areas whole in the free
 * part. All protected areas are placed in the free part if possible, else anywhere in the box. If they do not all fit,
 * the least important ones are left out. Source pixels, fractions allowed.
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

/** Areas that must be inside the part `room` of the box, and areas to show whole or not at all. */
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
    // A focal point given by the caller decides alone, so take the largest part of the source.
    if (request.isFocusGiven === true) break;
  }
  return best;
}

const middleOf = ({ x, y, width, height }: Box): SharePoint => ({ x: x + width / 2, y: y + height / 2 });

/** A stretch of one axis, in fractions 0..1. */
interface Stretch {
  readonly start: number;
  readonly length: number;
}

/** A window over one axis of a picture, and the criteria for its place; fractions 0..1. */
interface Window {
  /** Importance of each part of the axis. */
  readonly profile: Float64Array;
  /** The window's length, as a fraction of the axis. */
  readonly span: number;
  /** The point to place at the centre of the free part. */
  readonly focus: number;
  /** The part of the window without text. */
  readonly freeStart: number;
  readonly freeLength: number;
  /** Distance of the focus before the free part's centre, as a fraction of that part. */
  readonly rise: number;
  /** Whether the focus alone decides, not the profile. */
  readonly isFocusAlone: boolean;
  /** A stretch of the axis that must be whole inside a part of the window. */
  readonly protectedStretch: (Stretch & { readonly roomStart: number; readonly roomLength: number }) | null;
  /** Stretches that the window's ends should not cut. */
  readonly others: readonly Stretch[];
}

const OFFSETS = 72;
/** Weight of the focal point's distance from the free part's centre, relative to kept saliency. */
const CENTRE_PULL = 0.5;
/** The weight of saliency under the text. */
const COVERED_WORTH = 0.35;
/** The score lost for every stretch that an end of the window cuts. */
const CUT_COST = 0.15;
/** Tolerance for rounding errors in sums of fractions. */
const NEAR = 1e-9;

/** The best start 0..1 of a window, with its score; null if none contains the protected stretch. */
function bestWindow(window: Window): { readonly start: number; readonly score: number } | null {
  const { profile, span, focus, freeStart, freeLength, protectedStretch } = window;
  const room = Math.max(0, 1 - span);
  let [low, high] = [0, room];
  if (protectedStretch !== null) {
    low = Math.max(
      0,
      protectedStretch.start +
        protectedStretch.length -
        (protectedStretch.roomStart + protectedStretch.roomLength) * span,
    );
    high = Math.min(room, protectedStretch.start - protectedStretch.roomStart * span);
    if (low > high + NEAR) return null;
    high = Math.max(low, high);
  }
  let total = 0;
  for (const value of profile) total += value;
  let best = { start: (low + high) / 2, score: Number.NEGATIVE_INFINITY };
  for (let step = 0; step <= (high - low < NEAR ? 0 : OFFSETS); step += 1) {
    const start = low + ((high - low) * step) / OFFSETS;
    const apart = (focus - start) / span - (freeStart + freeLength * (0.5 - window.rise));
    let score = -CENTRE_PULL * apart * apart - CUT_COST * cutsOf(window, start);
    // Keeping the whole profile adds at most 1. Most starts cannot reach the best score and are skipped.
    if (score + 1 + NEAR <= best.score) continue;
    if (!window.isFocusAlone) score += keptOf(window, start, total);
    if (score > best.score) best = { start, score };
  }
  return best;
}

/** The fraction of the profile that the window shows, weighted by position. */
function keptOf({ profile, span, freeStart, freeLength }: Window, start: number, total: number): number {
  if (total === 0) return 0;
  let kept = 0;
  // One index more at either end than the window covers, because of rounding errors.
  const end = Math.min(profile.length, Math.ceil((start + span) * profile.length) + 1);
  for (let index = Math.max(0, Math.floor(start * profile.length) - 1); index < end; index += 1) {
    const at = ((index + 0.5) / profile.length - start) / span;
    if (at > 0 && at < 1) kept += (profile[index] ?? 0) * worthAt(at, freeStart, freeLength);
  }
  return kept / total;
}

const cutsOf = ({ span, others }: Window, start: number): number =>
  others.filter(
    (one) =>
      (start > one.start && start < one.start + one.length) ||
      (start + span > one.start && start + span < one.start + one.length),
  ).length;

/**
 * Weight of saliency at a position in the window: 1 in the free part, lower near the window's edges, where a subject
 * would be cut, and low under the text.
 */
function worthAt(at: number, freeStart: number, freeLength: number): number {
  const rim = Math.min(1, 7 * Math.min(at, 1 - at));
  const outside = Math.max(freeStart - at, at - freeStart - freeLength, 0);
  return rim * Math.max(COVERED_WORTH, 1 - outside * 5);
}
