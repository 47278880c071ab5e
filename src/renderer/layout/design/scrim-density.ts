import type { Box } from "#renderer/types.ts";
import type { Scrim } from "./design.ts";

/** A scrim from this opacity on hides a face. */
const DENSE_OPACITY = 0.25;
/** What an adaptive opacity may be raised to on most photos. */
const RAISED_OPACITY = 0.72;

/** The part of a scrim's box where it would be dense over a face; null where it nowhere is. */
export function densePart({ box, axis, stops, adaptiveOpacityMin, expectedOpacity }: Scrim): Box | null {
  const raised = expectedOpacity ?? Math.max(adaptiveOpacityMin, RAISED_OPACITY);
  const points = stops.map(({ at, opacity }) => ({ at, opacity: opacity === "adaptive" ? raised : opacity }));
  let from = 1;
  let to = 0;
  points.forEach((point, index) => {
    if (point.opacity >= DENSE_OPACITY) {
      from = Math.min(from, point.at);
      to = Math.max(to, point.at);
    }
    const next = points[index + 1];
    if (next === undefined) return;
    const isCrossing = point.opacity < DENSE_OPACITY !== next.opacity < DENSE_OPACITY;
    if (!isCrossing) return;
    const at = crossing(point, next);
    from = Math.min(from, at);
    to = Math.max(to, at);
  });
  if (to <= from) return null;
  return axis === "down"
    ? { ...box, y: box.y + box.height * from, height: box.height * (to - from) }
    : { ...box, x: box.x + box.width * from, width: box.width * (to - from) };
}

interface Point {
  readonly at: number;
  readonly opacity: number;
}

const crossing = (one: Point, next: Point): number =>
  one.at + ((next.at - one.at) * (DENSE_OPACITY - one.opacity)) / (next.opacity - one.opacity);
