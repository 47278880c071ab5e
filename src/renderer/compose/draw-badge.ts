import { contrast, luminance } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import { inset } from "../layout/design/boxes.ts";
import type { PlacedBadge } from "../layout/index.ts";
import { boxOf, type Rgb } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { ellipse, fillPath, type Mask, type Path, PathBuilder, roundedRect } from "../vector/index.ts";
import { outlinedPart } from "./draw-button.ts";
import { filled, type LayerPart, type TextLayer, wordsPart } from "./draw-text.ts";

/** A badge drawn once: its shape in the accent colour, with its text. */
export function badgeLayer(canvas: Raster, { box, shape, text }: PlacedBadge, theme: Theme): TextLayer {
  const isFramed = shape === "rule";
  const line = Math.max(1, Math.round(text.set.fontSizePx / 14));
  const within = inset(box, line, line);
  const outline = fillPath(outlineOf(box, shape), boxOf(canvas));
  const { fill, ink, edge } = isFramed
    ? { fill: theme.surface, ink: theme.accent, edge: null }
    : badgeColours(canvas, outline, theme);
  const words = wordsPart(canvas, text, ink, luminance(ink) > luminance(fill));
  const ground = () => filled(canvas, fill, () => outlineOf(within, shape));
  const whole = (colour: Rgb): LayerPart => ({ mask: outline, colour, outline: () => outlineOf(box, shape) });
  const shapes = isFramed
    ? // A framed badge is also filled, because it may be on a photo.
      [ground(), outlinedPart(canvas, box, 0, line, ink)]
    : edge === null
      ? [whole(fill)]
      : [whole(edge), ground()];
  return {
    role: "badge",
    box,
    parts: [...shapes, words],
    contrastRatio: contrast(ink, fill),
  };
}

/** The outline of a badge in the given shape. */
export function outlineOf(box: Box, shape: PlacedBadge["shape"]): Path {
  switch (shape) {
    case "pill":
      return roundedRect(box, box.height / 2);
    case "soft":
      return roundedRect(box, box.height * 0.2);
    case "square":
    case "rule":
      return roundedRect(box, 0);
    case "circle":
      return ellipse(box.x + box.width / 2, box.y + box.height / 2, box.width / 2, box.height / 2);
    case "burst":
      return burst(box);
  }
}

/** Cosines of 0° to 90° in steps of 15°: engines may differ in the last bit of Math.cos. */
const COSINES = [1, 0.9659258262890683, 0.8660254037844386, Math.SQRT1_2, 0.5, 0.2588190451025207, 0];
/** Radius of a burst's notches, relative to that of its points, which touch the box. */
const NOTCH = 0.86;

/** A star with twelve short points. */
function burst({ x, y, width, height }: Box): Path {
  const builder = new PathBuilder();
  for (let step = 0; step < 24; step += 1) {
    const radius = step % 2 === 0 ? 0.5 : NOTCH / 2;
    const pointX = x + width * (0.5 + radius * cosine(step));
    const pointY = y + height * (0.5 + radius * cosine(step + 18));
    if (step === 0) builder.moveTo(pointX, pointY);
    else builder.lineTo(pointX, pointY);
  }
  return builder.close().build();
}

/** The cosine of `steps` × 15°. */
function cosine(steps: number): number {
  const turn = steps % 24;
  const half = turn > 12 ? 24 - turn : turn;
  return half <= 6 ? (COSINES[half] ?? 0) : -(COSINES[12 - half] ?? 0);
}

interface BadgeColours {
  readonly fill: Rgb;
  readonly ink: Rgb;
  /** A line at the rim; null if the fill is visible without one. */
  readonly edge: Rgb | null;
}

/** Maximum fraction of the rim on a background of the fill's colour: above it, the shape is not recognisable. */
const LOST_SHARE_MAX = 0.25;
/** Largest channel difference of two colours that look the same side by side. */
const SAME_BYTES_MAX = 28;
/** A pixel with less coverage is outside the shape. */
const INSIDE_COVERAGE = 128;

/**
 * The accent as a fill. On a background of its own colour (white on a white card), the fill has the surface's colour,
 * with the accent as its ink. If the accent is not legible as ink, or if the rim crosses backgrounds of both colours, a
 * line of the surface's colour outlines the fill instead.
 */
export function badgeColours(canvas: Raster, outline: Mask, theme: Theme): BadgeColours {
  const { surface, accent, accentFill, accentInk } = theme;
  const plain: BadgeColours = { fill: accentFill, ink: accentInk, edge: null };
  if (lostShare(canvas, outline, accentFill) <= LOST_SHARE_MAX) return plain;
  // An accent that is allowed for shapes only is not legible as type.
  const isLegible = accent === accentFill;
  if (isLegible && lostShare(canvas, outline, surface) <= LOST_SHARE_MAX) {
    return { fill: surface, ink: accent, edge: null };
  }
  return { ...plain, edge: surface };
}

/** Fraction 0..1 of a shape's rim where the canvas has the fill's colour. */
function lostShare({ width, pixels }: Raster, { coverage, ...box }: Mask, fill: Rgb): number {
  const isIn = (x: number, y: number): boolean =>
    x >= 0 &&
    y >= 0 &&
    x < box.width &&
    y < box.height &&
    (coverage[y * box.width + x] ?? 0) >= INSIDE_COVERAGE;
  let [rim, lost] = [0, 0];
  for (let y = 0; y < box.height; y += 1) {
    for (let x = 0; x < box.width; x += 1) {
      if (!isIn(x, y)) continue;
      if (isIn(x - 1, y) && isIn(x + 1, y) && isIn(x, y - 1) && isIn(x, y + 1)) continue;
      rim += 1;
      const at = ((box.y + y) * width + box.x + x) * 4;
      const apart = Math.max(
        Math.abs((pixels[at] ?? 0) - fill.r),
        Math.abs((pixels[at + 1] ?? 0) - fill.g),
        Math.abs((pixels[at + 2] ?? 0) - fill.b),
      );
      if (apart <= SAME_BYTES_MAX) lost += 1;
    }
  }
  return rim === 0 ? 0 : lost / rim;
}
