import type { CleanElement } from "./clean-element.ts";
import { readLength } from "./length.ts";
import { type Extent, widened } from "./painted-bounds.ts";
import { firstNumbers } from "./scanner.ts";
import { type Matrix, movedBounds } from "./transform.ts";
import type { WorkBudget } from "./work-budget.ts";

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
    return matrix === null ? null : movedBounds(region, matrix);
  }
  if (filtered === undefined || filtered === null) return filtered;
  // The region is in shares of the filtered element's box. That may be rotated, so its longer side counts for both.
  const longer = Math.max(filtered.right - filtered.left, filtered.bottom - filtered.top);
  return widened(filtered, longer * Math.max(0, -x, -y, x + width - 1, y + height - 1));
}

/** The larger of a matrix's scales along its two axes. */
export const scaleOf = ([a, b, c, d]: Matrix): number => Math.max(Math.hypot(a, b), Math.hypot(c, d));

/** The larger of a primitive's two numbers (deviations or radii), in the units of its filter. */
export const largestOf = (
  primitive: CleanElement,
  attribute: "stdDeviation" | "radius",
  steps: WorkBudget,
): number => Math.max(0, ...firstNumbers(primitive.attributes.get(attribute) ?? "", 2, steps));
