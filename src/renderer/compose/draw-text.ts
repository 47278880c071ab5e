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

/** A text or button drawn once: masks and colours, painted in order; `motion/` poses them. */
export interface TextLayer {
  readonly role: PlacedText["role"];
  readonly box: Box;
  readonly parts: readonly { readonly mask: Mask; readonly colour: Rgb }[];
  readonly contrastRatio: number;
}

export function textLayer(canvas: Raster, text: PlacedText, theme: Theme): TextLayer {
  const colour = inkOf(text, theme);
  const mask = paintText(text.set, text.x, text.y, canvas.width, canvas.height, {
    isLightOnDark: luminance(colour) > luminance(theme.surface),
  });
  return {
    role: text.role,
    box: text.ink,
    parts: [
      { mask, colour },
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
