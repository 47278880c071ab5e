import type { Box } from "../types.ts";
import { profileOf, type SharePoint } from "./focal-point.ts";
import type { Importance } from "./saliency.ts";

/**
 * The largest part of a source with the given aspect (width / height), slid to where it keeps most of what
 * matters near `anchor` (shares of the crop: where the subject should stand). Source pixels, fractions allowed.
 */
export function coverCrop(
  sourceWidth: number,
  sourceHeight: number,
  aspect: number,
  importance: Importance,
  focalPoint: SharePoint,
  anchor: SharePoint,
): Box {
  const isCutAcross = sourceWidth / sourceHeight > aspect;
  const width = isCutAcross ? sourceHeight * aspect : sourceWidth;
  const height = isCutAcross ? sourceHeight : sourceWidth / aspect;
  if (isCutAcross) {
    const at = bestOffset(profileOf(importance, "across"), width / sourceWidth, focalPoint.x, anchor.x);
    return { x: at * sourceWidth, y: 0, width, height };
  }
  const at = bestOffset(profileOf(importance, "down"), height / sourceHeight, focalPoint.y, anchor.y);
  return { x: 0, y: at * sourceHeight, width, height };
}

const OFFSETS = 96;
/** How much standing at the anchor counts against keeping importance inside. */
const ANCHOR_PULL = 0.55;

/** Best start 0..1 of a window that covers `span` 0..1 of a profile. */
function bestOffset(profile: Float64Array, span: number, focus: number, anchor: number): number {
  const room = 1 - span;
  if (room <= 0) return 0;
  let total = 0;
  for (const value of profile) total += value;
  let best = room / 2;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let step = 0; step <= OFFSETS; step += 1) {
    const start = (room * step) / OFFSETS;
    let kept = 0;
    profile.forEach((value, index) => {
      const at = ((index + 0.5) / profile.length - start) / span;
      if (at <= 0 || at >= 1) return;
      // A subject cut by the frame's edge is worse than one that is whole: the window fades at its rims.
      kept += value * Math.min(1, 6 * Math.min(at, 1 - at));
    });
    const apart = Math.abs((focus - start) / span - anchor);
    const score = (total === 0 ? 0 : kept / total) - ANCHOR_PULL * apart * apart;
    if (score > bestScore) {
      bestScore = score;
      best = start;
    }
  }
  return best;
}
