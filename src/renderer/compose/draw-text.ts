import { worstContrast } from "../colour/contrast.ts";
import { luminance } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import type { PlacedText } from "../layout/index.ts";
import { paintMask } from "../raster/blend.ts";
import { boxOf, type Rgb } from "../raster/canvas.ts";
import { paintText } from "../type/index.ts";
import type { Box, Raster } from "../types.ts";
import { fillPath, type Mask, roundedRect } from "../vector/index.ts";
import { inkOf } from "./paint-surface.ts";

/**
 * A text or button drawn once: masks and colours, painted in order; `motion/` poses them. The parts of a text are its lines
 * and what is drawn over them, those of a button or badge its shapes and then its words.
 */
export interface TextLayer {
  readonly role: PlacedText["role"];
  readonly box: Box;
  readonly parts: readonly { readonly mask: Mask; readonly colour: Rgb }[];
  readonly contrastRatio: number;
}

export function textLayer(canvas: Raster, text: PlacedText, theme: Theme): TextLayer {
  const colour = inkOf(text, theme);
  const isLightOnDark = luminance(colour) > luminance(theme.surface);
  const lines = text.set.lines.map((line) =>
    paintText({ ...text.set, lines: [line] }, text.x, text.y, canvas.width, canvas.height, { isLightOnDark }),
  );
  return {
    role: text.role,
    box: text.ink,
    parts: [
      ...lines.map((mask) => ({ mask, colour })),
      ...(text.role === "old_price" ? [{ mask: strikeThrough(canvas, text), colour }] : []),
    ],
    contrastRatio: worstContrast(canvas, text.ink, colour),
  };
}

/** The line through an old price: at the middle of its figures, a little longer than they are. */
function strikeThrough(canvas: Raster, { set, y, ink }: PlacedText): Mask {
  const [line] = set.lines;
  const thickness = Math.max(1, Math.round(set.fontSizePx * 0.075));
  const middle = y + (line?.baselinePx ?? 0) - set.capHeightPx / 2;
  const box = { x: ink.x, y: Math.round(middle - thickness / 2), width: ink.width, height: thickness };
  return fillPath(roundedRect(box, thickness / 2), boxOf(canvas));
}

export function paintTextLayer(canvas: Raster, layer: TextLayer): void {
  for (const { mask, colour } of layer.parts) paintMask(canvas, mask, colour);
}
