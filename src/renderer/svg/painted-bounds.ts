import type { Bounds } from "./transform.ts";

/** The box in which an element draws; null when it is not known. */
export type Extent = Bounds | null;

/** The result of drawing an element. */
export interface Drawn {
  /** Undefined when it draws nothing. */
  readonly extent: Extent | undefined;
  /** The most canvases that were held at once to draw it. */
  readonly heldCanvases: number;
}

export const NOTHING: Drawn = { extent: undefined, heldCanvases: 0 };

/** The result of drawing both. */
export function together(one: Drawn, other: Drawn): Drawn {
  const heldCanvases = Math.max(one.heldCanvases, other.heldCanvases);
  if (one.extent === undefined) return { extent: other.extent, heldCanvases };
  if (other.extent === undefined) return { extent: one.extent, heldCanvases };
  if (one.extent === null || other.extent === null) return { extent: null, heldCanvases };
  const extent = {
    left: Math.min(one.extent.left, other.extent.left),
    top: Math.min(one.extent.top, other.extent.top),
    right: Math.max(one.extent.right, other.extent.right),
    bottom: Math.max(one.extent.bottom, other.extent.bottom),
  };
  return { extent, heldCanvases };
}

export const widened = ({ left, top, right, bottom }: Bounds, by: number): Bounds => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

/** How much of the canvas (`view`) a box covers; `reach` more canvases on every side count too. */
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
