import type { PixelScale, ScaledSize } from "#catalogue/scales.ts";
import type { Look } from "#renderer/look/index.ts";
import type { Box, Shape } from "#renderer/types.ts";
import { type Scale, scaleInLook, scaleOf, smallSafeAreaScale } from "./margins-and-type-sizes.ts";

/** The layout properties that follow from a size alone. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly shape: Shape;
  /** The safe area, in pixels. */
  readonly safe: Box;
  readonly scale: Scale;
  /** File pixels per canvas pixel. Layout works at scale 1 and the finished design is enlarged. */
  readonly pixelScale: PixelScale;
}

/** The canvas of a size, with margins and type sizes of a look. */
export function canvasOf(size: ScaledSize, look: Look): Canvas {
  const { scale: pixelScale = 1 } = size;
  const [width, height] = [size.width / pixelScale, size.height / pixelScale];
  const inset = size.safeArea ?? { top: 0, right: 0, bottom: 0, left: 0 };
  const safe: Box = {
    x: inset.left / pixelScale,
    y: inset.top / pixelScale,
    width: width - (inset.left + inset.right) / pixelScale,
    height: height - (inset.top + inset.bottom) / pixelScale,
  };
  const shape = shapeOf(width, height);
  // Text in a small safe area is sized for that area, not for the canvas.
  const scale = hasSmallSafeArea({ shape, width, height, safe })
    ? smallSafeAreaScale(safe)
    : scaleOf(shape === "landscape" ? shapeOf(safe.width, safe.height) : shape, safe, width);
  return { width, height, shape, safe, scale: scaleInLook(scale, shape, look), pixelScale };
}

/** A safe area below this fraction of a wide canvas counts as small: the picture must fill the rest. */
const SMALL_SAFE_AREA_SHARE_MAX = 0.3;

/** Whether the safe area is a small part of a wide canvas, as on a page's cover picture. */
export const hasSmallSafeArea = ({
  shape,
  width,
  height,
  safe,
}: Omit<Canvas, "scale" | "pixelScale">): boolean =>
  shape === "landscape" && safe.width * safe.height < width * height * SMALL_SAFE_AREA_SHARE_MAX;

/** The shape of a canvas: by aspect, then by the space for a line of text. */
export function shapeOf(width: number, height: number): Shape {
  const aspect = width / height;
  if (aspect >= 1.8 && (height < 40 || (height <= 70 && width <= 420))) return "tiny_strip";
  if (aspect >= 6 || (aspect >= 4.6 && height <= 130) || (aspect >= 2.4 && height < 90)) return "banner";
  if (aspect >= 2.4) return "leaderboard";
  if (aspect >= 1.3) return "landscape";
  if (aspect > 0.82) return "square";
  if (aspect <= 0.5) return "skyscraper";
  return aspect <= 0.6 && width >= 540 ? "story" : "portrait";
}

/** Shapes with all elements in one row. */
export const isRow = (shape: Shape): boolean => shape === "tiny_strip" || shape === "banner";
