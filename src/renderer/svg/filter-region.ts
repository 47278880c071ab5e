import type { Bounds } from "../box-geometry.ts";
import type { CleanElement } from "./clean-element.ts";
import { readLength } from "./length.ts";
import type { WorkBudget } from "./limits.ts";
import { firstNumbers } from "./scanner.ts";
import { type Matrix, transformBounds } from "./transform.ts";

const DEFAULT_REGION = { x: "-10%", y: "-10%", width: "120%", height: "120%" } as const;

/** A filter's region (SVG 1.1, 15.5), in units of the view box. Percentages refer to at most `viewBoxSide`. */
export function filterRegionOf(
  filter: CleanElement,
  filtered: Extent | undefined,
  matrix: Matrix | null,
  viewBoxSide: number,
  steps: WorkBudget,
): Extent | undefined {
  const isInUserUnits = filter.attributes.get("filterUnits") === "userSpaceOnUse";
  const side = (name: keyof typeof DEFAULT_REGION): number | null =>
    readLength(filter.attributes.get(name) ?? DEFAULT_REGION[name], isInUserUnits ? viewBoxSide : 1, steps);
  const [x, y, width, height] = [side("x"), side("y"), side("width"), side("height")];
  if (x === null || y === null || width === null || height === null) return null;
  if (isInUserUnits) {
    const region = { left: x, top: y, right: x + width, bottom: y + height };
    return matrix === null ? null : transformBounds(region, matrix);
  }
  if (filtered === undefined || filtered === null) return filtered;
  // The region is a share of the filtered element's box. The box may be rotated, so use its longer side for both axes.
  const longer = Math.max(filtered.right - filtered.left, filtered.bottom - filtered.top);
  return expandExtent(filtered, longer * Math.max(0, -x, -y, x + width - 1, y + height - 1));
}

/** The larger of a matrix's scales along its two axes. */
export const scaleOf = ([a, b, c, d]: Matrix): number => Math.max(Math.hypot(a, b), Math.hypot(c, d));

/** The larger of a primitive's two numbers (deviations or radii), in the units of its filter. */
export const largestOf = (
  primitive: CleanElement,
  attribute: "stdDeviation" | "radius",
  steps: WorkBudget,
): number => Math.max(0, ...firstNumbers(primitive.attributes.get(attribute) ?? "", 2, steps));

/** The box in which an element draws; null when unknown. */
export type Extent = Bounds | null;

export interface Drawn {
  /** Undefined when nothing is drawn. */
  readonly extent: Extent | undefined;
  /** Maximum number of canvases in memory at once while drawing. */
  readonly canvasesInMemory: number;
}

export const NOTHING: Drawn = { extent: undefined, canvasesInMemory: 0 };

/** The result of drawing one element after the other. */
export function mergeDrawn(one: Drawn, other: Drawn): Drawn {
  const canvasesInMemory = Math.max(one.canvasesInMemory, other.canvasesInMemory);
  if (one.extent === undefined) return { extent: other.extent, canvasesInMemory };
  if (other.extent === undefined) return { extent: one.extent, canvasesInMemory };
  if (one.extent === null || other.extent === null) return { extent: null, canvasesInMemory };
  const extent = {
    left: Math.min(one.extent.left, other.extent.left),
    top: Math.min(one.extent.top, other.extent.top),
    right: Math.max(one.extent.right, other.extent.right),
    bottom: Math.max(one.extent.bottom, other.extent.bottom),
  };
  return { extent, canvasesInMemory };
}

export const expandExtent = ({ left, top, right, bottom }: Bounds, by: number): Bounds => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

/**
 * Area of a box as a share of the canvas (`view`). Includes the parts outside the canvas, up to `reach` canvases on
 * every side.
 */
export function shareOf(view: Bounds, extent: Extent | undefined, reach: number): number {
  const most = (1 + 2 * reach) ** 2;
  if (extent === undefined) return 0;
  if (extent === null) return most;
  const [viewWidth, viewHeight] = [view.right - view.left, view.bottom - view.top];
  const overlap = (from: number, to: number, first: number, last: number): number =>
    Math.max(0, Math.min(to, last) - Math.max(from, first));
  const [acrossReach, downReach] = [reach * viewWidth, reach * viewHeight];
  const width = overlap(view.left - acrossReach, view.right + acrossReach, extent.left, extent.right);
  const height = overlap(view.top - downReach, view.bottom + downReach, extent.top, extent.bottom);
  return Math.min(most, (width / viewWidth) * (height / viewHeight));
}
