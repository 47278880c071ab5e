import { BLACK, clipBox, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { fromOklab, type Oklab, toned, toOklab } from "./oklab.ts";
import { contrast, contrastOfLuminances, luminance, luminanceOf } from "./srgb.ts";

/** Minimum contrast of text and button text with its background (WCAG 2.2 AA, 1.4.3). */
export const TEXT_CONTRAST_MIN = 4.5;
/**
 * Minimum contrast of a button's or logo's outline with its background (WCAG 2.2 AA, 1.4.11 requires 3 for controls).
 */
export const OUTLINE_CONTRAST_MIN = 2.2;

/** Lowest and highest relative luminance inside a box of an opaque canvas. */
export function luminanceRange(
  canvas: Raster,
  box: Box,
): { readonly darkest: number; readonly lightest: number } {
  const area = clipBox(box, canvas.width, canvas.height);
  let darkest = 1;
  let lightest = 0;
  for (let row = area.y; row < area.y + area.height; row += 1) {
    let at = (row * canvas.width + area.x) * 4;
    for (let column = 0; column < area.width; column += 1, at += 4) {
      const value = luminanceOf(
        canvas.pixels[at] ?? 0,
        canvas.pixels[at + 1] ?? 0,
        canvas.pixels[at + 2] ?? 0,
      );
      if (value < darkest) darkest = value;
      if (value > lightest) lightest = value;
    }
  }
  return area.width === 0 || area.height === 0 ? { darkest: 0, lightest: 0 } : { darkest, lightest };
}

/** Worst contrast ratio of a colour against every pixel inside a box. */
export function worstContrast(canvas: Raster, box: Box, colour: Rgb): number {
  const { darkest, lightest } = luminanceRange(canvas, box);
  const own = luminance(colour);
  if (own >= darkest && own <= lightest && darkest !== lightest) return 1;
  return Math.min(contrastOfLuminances(own, darkest), contrastOfLuminances(own, lightest));
}

/**
 * Legible ink on `surface`: near white or near black, whichever contrasts more, with a tint of the surface's hue. Pure
 * white or black if the tint would cost too much contrast.
 */
export function inkOn(surface: Rgb): Rgb {
  const lab = toOklab(surface);
  const light = fromOklab(toned(lab, 0.985, 0.008));
  const dark = fromOklab(toned(lab, 0.2, 0.03));
  const ink = contrast(light, surface) >= contrast(dark, surface) ? light : dark;
  if (contrast(ink, surface) >= 7) return ink;
  return contrast(WHITE, surface) >= contrast(BLACK, surface) ? WHITE : BLACK;
}

/** Text colour for a button: white if legible, as people expect, else a dark tone of the button's hue. */
export function inkOnButton(button: Rgb): Rgb {
  if (contrast(WHITE, button) >= TEXT_CONTRAST_MIN) return WHITE;
  const dark = fromOklab(toned(toOklab(button), 0.2, 0.04));
  return contrast(dark, button) >= TEXT_CONTRAST_MIN ? dark : BLACK;
}

/**
 * Moves lightness away from `against` at the same hue, by at most `changeMax` (OKLab), until the contrast is at least
 * `ratioMin`; null if that cannot be reached.
 */
export function strengthened(colour: Rgb, against: Rgb, ratioMin: number, changeMax = 1): Rgb | null {
  if (contrast(colour, against) >= ratioMin) return colour;
  const lab = toOklab(colour);
  const isLighter = luminance(against) < 0.18;
  for (let step = 1; step <= changeMax * 50; step += 1) {
    const l = isLighter ? lab.l + step * 0.02 : lab.l - step * 0.02;
    if (l < 0 || l > 1) return null;
    const candidate: Oklab = { ...lab, l };
    const shown = fromOklab(candidate);
    if (contrast(shown, against) >= ratioMin) return shown;
  }
  return null;
}
