import { worstContrast } from "../colour/legibility.ts";
import { luminance } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import type { PlacedText } from "../layout/index.ts";
import { paintMask } from "../raster/blend.ts";
import type { Rgb } from "../raster/canvas.ts";
import { paintText } from "../type/index.ts";
import type { Box, Raster } from "../types.ts";
import type { Mask } from "../vector/index.ts";
import { inkOf } from "./paint-surface.ts";

/** A text or button drawn once: masks and colours, painted in order; `motion/` shifts and fades them. */
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
    parts: [{ mask, colour }],
    contrastRatio: worstContrast(canvas, text.ink, colour),
  };
}

/** Paints a layer moved down by `shiftPx` at an opacity of 0..255. */
export function paintTextLayer(canvas: Raster, layer: TextLayer, shiftPx = 0, opacity = 255): void {
  for (const { mask, colour } of layer.parts) {
    paintMask(canvas, shiftPx === 0 ? mask : { ...mask, y: mask.y + shiftPx }, colour, opacity);
  }
}
