import { contrast } from "../colour/srgb.ts";
import { BLACK, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Adjustment, Raster } from "../types.ts";
import type { Logo } from "./prepared-pack.ts";

/** Least contrast of a logo's rim with what is behind it (WCAG 2.2 AA, 1.4.11). */
export const LOGO_CONTRAST_MIN = 3;
/** Share of the rim that must have it. */
export const LOGO_VISIBLE_SHARE_MIN = 0.8;
/** A shape with more of its edges inside would be a blob in one colour. */
export const INNER_DETAIL_MAX = 0.1;

/** Share of a logo's rim that stands out on a colour, 0..1; 1 without a logo. */
export function visibilityOn(logo: Logo | null, surface: Rgb, contrastMin: number): number {
  if (logo === null || logo.outline.length === 0) return 1;
  const seen = logo.outline.filter((colour) => contrast(colour, surface) >= contrastMin).length;
  return seen / logo.outline.length;
}

/**
 * The logo as a pack shows it on its surface, the same in all sizes: in its colours where they are seen, else knocked out
 * in white or black, whichever contrasts more, where one colour keeps its shape. A logo that must keep its colours stays
 * as it is, and gets a plate.
 */
export function treatLogo(
  logo: Logo,
  surface: Rgb,
): { readonly logo: Logo; readonly adjustment: Adjustment | null } {
  const isSeen = visibilityOn(logo, surface, LOGO_CONTRAST_MIN) >= LOGO_VISIBLE_SHARE_MIN;
  if (isSeen || !logo.isCutOut || logo.innerDetail > INNER_DETAIL_MAX) return { logo, adjustment: null };
  const isWhite = contrast(WHITE, surface) >= contrast(BLACK, surface);
  const knockout = isWhite ? WHITE : BLACK;
  return {
    logo: { ...logo, knockout, outline: [knockout] },
    adjustment: {
      code: "logo_recoloured",
      element: "logo",
      message: `The logo is drawn in ${isWhite ? "white" : "black"}: too little of it stands out from the background in its own colours.`,
    },
  };
}

/** Draws everything that a premultiplied layer shows in one colour. */
export function knockOut(layer: Raster, { r, g, b }: Rgb): void {
  const { pixels } = layer;
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    pixels[at] = Math.round((r * alpha) / 255);
    pixels[at + 1] = Math.round((g * alpha) / 255);
    pixels[at + 2] = Math.round((b * alpha) / 255);
  }
}
