import type { Size } from "#catalogue/types.ts";
import type { Look } from "#renderer/look/index.ts";
import type { Box, Shape } from "#renderer/types.ts";
import { type Scale, scaleInLook, scaleOf, smallSafeAreaScale } from "./margins-and-type-sizes.ts";
import { shapeOf } from "./shape-from-size.ts";

/** What a size alone decides of its layouts. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly shape: Shape;
  /** The canvas inside the safe area, in pixels. */
  readonly safe: Box;
  readonly scale: Scale;
}

/** The canvas of a size, its margins and type sizes those of a look. */
export function canvasOf({ width, height, safeArea }: Size, look: Look): Canvas {
  const inset = safeArea ?? { top: 0, right: 0, bottom: 0, left: 0 };
  const safe: Box = {
    x: inset.left,
    y: inset.top,
    width: width - inset.left - inset.right,
    height: height - inset.top - inset.bottom,
  };
  const shape = shapeOf(width, height);
  // A safe area far flatter than the canvas decides how large words may be.
  const scale = hasSmallSafeArea({ shape, width, height, safe })
    ? smallSafeAreaScale(safe)
    : scaleOf(shape === "landscape" ? shapeOf(safe.width, safe.height) : shape, safe, width);
  return { width, height, shape, safe, scale: scaleInLook(scale, shape, look) };
}

/** A safe area below this share of a wide canvas counts as small: the picture must fill what lies around it. */
const SMALL_SAFE_AREA_SHARE_MAX = 0.3;

/** Whether the safe area is a small part of a wide canvas, as on a page's cover picture. */
export const hasSmallSafeArea = ({ shape, width, height, safe }: Omit<Canvas, "scale">): boolean =>
  shape === "landscape" && safe.width * safe.height < width * height * SMALL_SAFE_AREA_SHARE_MAX;
