import type { CleanDocument } from "./clean-document.ts";
import type { IntrinsicSize } from "./intrinsic-size.ts";
import {
  COORDINATES_MAX,
  DRAWN_ELEMENTS_MAX,
  DRAWN_PX_MAX,
  EDGE_SIDES_MAX,
  HELD_PX_MAX,
  PIXEL_BUDGET_MIN,
  PIXEL_PASSES_MAX,
  STROKED_COORDINATES_MAX,
  STROKED_COORDINATES_PER_OUTLINE_MAX,
} from "./limits.ts";
import { measureRasterCost } from "./raster-cost.ts";
import { refuseBlur } from "./reference-limits.ts";
import { refuse, type SvgRefusal } from "./refusal.ts";
import type { WorkBudget } from "./work-budget.ts";

/**
 * The most pixels on which a clean picture without reference cycles can be drawn in bounded time and memory.
 * The rasteriser cannot be interrupted and does not tell how long it will take, so its work is estimated
 * beforehand. Refuses a picture that could only be drawn too small to be of use.
 */
export function pixelBudget(
  document: CleanDocument,
  viewBox: IntrinsicSize["viewBox"],
  steps: WorkBudget,
): number | SvgRefusal {
  const cost = measureRasterCost(document, viewBox, steps);
  if (cost === null) {
    return refuse(
      "TOO_LARGE",
      `The SVG draws more than ${DRAWN_ELEMENTS_MAX} elements once its references are followed.`,
    );
  }
  const isIntricate =
    cost.coordinates > COORDINATES_MAX ||
    cost.edgeSides > EDGE_SIDES_MAX ||
    cost.strokedCoordinates > STROKED_COORDINATES_MAX ||
    cost.strokedCoordinatesMax > STROKED_COORDINATES_PER_OUTLINE_MAX;
  if (isIntricate) {
    return refuse(
      "TOO_LARGE",
      "The SVG's outlines have too many points or dashes. Simplify them and export again.",
    );
  }
  const blurred = refuseBlur(cost.blurMax, Math.max(viewBox[2], viewBox[3]));
  if (blurred !== null) return blurred;
  // The pixels at which passes × pixels + passesPerPixel × pixels² comes to the maximum.
  const passes = Math.max(1, cost.passes);
  const root = Math.sqrt(passes ** 2 + 4 * cost.passesPerPixel * PIXEL_PASSES_MAX);
  const pixels = Math.floor(
    Math.min(DRAWN_PX_MAX, (2 * PIXEL_PASSES_MAX) / (passes + root), HELD_PX_MAX / cost.canvases),
  );
  if (pixels >= PIXEL_BUDGET_MIN) return pixels;
  return refuse(
    "TOO_LARGE",
    "The SVG has too many transparent, filtered or overlapping shapes. Flatten it and export again.",
  );
}
