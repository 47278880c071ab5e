import { worstContrast } from "../colour/contrast.ts";
import { luminance } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import type { PlacedText } from "../layout/index.ts";
import { paintMask } from "../raster/blend.ts";
import { boxOf, type Rgb } from "../raster/canvas.ts";
import { outlineOfText, paintText } from "../type/index.ts";
import type { Box, Raster } from "../types.ts";
import { fillPath, type Mask, type Path, roundedRect } from "../vector/index.ts";
import { inkOf } from "./paint-surface.ts";

/**
 * A text or button drawn once: masks and colours, painted in order; `motion/` poses them. The parts of a text are its
 * lines and the strike-through. The parts of a button or badge are its shapes and then its text.
 */
export interface TextLayer {
  readonly role: PlacedText["role"];
  readonly box: Box;
  readonly parts: readonly LayerPart[];
  readonly contrastRatio: number;
}

export interface LayerPart {
  readonly mask: Mask;
  readonly colour: Rgb;
  /** The mask's outline. Nested contours leave a hole if `isHollow`. */
  readonly outline: () => Path;
  readonly isHollow?: true;
  /** Whether the mask's antialiased edges are strengthened, as for light text on dark. */
  readonly isStrengthened?: boolean;
}

export function textLayer(canvas: Raster, text: PlacedText, theme: Theme): TextLayer {
  const colour = inkOf(text, theme);
  const isLightOnDark = luminance(colour) > luminance(theme.surface);
  const lines = text.set.lines.map((line) =>
    wordsPart(canvas, { ...text, set: { ...text.set, lines: [line] } }, colour, isLightOnDark),
  );
  return {
    role: text.role,
    box: text.ink,
    parts: [
      ...lines,
      ...(text.role === "old_price" ? [filled(canvas, colour, () => strikeThrough(text))] : []),
    ],
    contrastRatio: worstContrast(canvas, text.ink, colour),
  };
}

/** The part of a layer that draws set text in one colour. */
export const wordsPart = (
  { width, height }: Raster,
  { set, x, y }: Pick<PlacedText, "set" | "x" | "y">,
  colour: Rgb,
  isLightOnDark: boolean,
): LayerPart => ({
  mask: paintText(set, x, y, width, height, { isLightOnDark }),
  colour,
  outline: () => outlineOfText(set, x, y),
  isStrengthened: isLightOnDark,
});

/** The part of a layer that fills a shape with one colour. */
export const filled = (canvas: Raster, colour: Rgb, outline: () => Path): LayerPart => ({
  mask: fillPath(outline(), boxOf(canvas)),
  colour,
  outline,
});

/** The strike-through of an old price: through the middle of its digits, and a little longer than the text. */
function strikeThrough({ set, y, ink }: PlacedText): Path {
  const [line] = set.lines;
  const thickness = Math.max(1, Math.round(set.fontSizePx * 0.075));
  const middle = y + (line?.baselinePx ?? 0) - set.capHeightPx / 2;
  const box = { x: ink.x, y: Math.round(middle - thickness / 2), width: ink.width, height: thickness };
  return roundedRect(box, thickness / 2);
}

export function paintTextLayer(canvas: Raster, layer: TextLayer): void {
  for (const { mask, colour } of layer.parts) paintMask(canvas, mask, colour);
}
