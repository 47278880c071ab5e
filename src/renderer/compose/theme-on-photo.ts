import { inkOnButton } from "../colour/contrast.ts";
import { fromOklab, toned, toOklab } from "../colour/oklab.ts";
import { contrast } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import type { PhotoInk } from "../layout/design/photo-ink.ts";
import { clipBox, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";

/** Lightness and largest chroma (OKLab) of a scrim under light and under dark ink. */
const SCRIM = { light: { l: 0.2, chroma: 0.1 }, dark: { l: 0.92, chroma: 0.1 } } as const;
/** Dark ink has a tint of the photo's hue. */
const DARK_INK = { l: 0.2, chroma: 0.03 } as const;

/** A photo's own colour, darkened or lightened to a scrim for an ink. */
export function scrimColour(under: Rgb, ink: PhotoInk): Rgb {
  const lab = toOklab(under);
  const { l, chroma } = SCRIM[ink];
  return fromOklab(toned(lab, ink === "light" ? Math.min(lab.l, l) : Math.max(lab.l, l), chroma));
}

/**
 * A pack's colours for text on a photo: white or dark ink by the photo's lightness there, whatever the brand's
 * background. The brand's colour stays on badges and on the button, if needed in another tone.
 */
export function themeOnPhoto(theme: Theme, ink: PhotoInk, under: Rgb, underButton: Rgb): Theme {
  const inkColour = ink === "light" ? WHITE : fromOklab(toned(toOklab(under), DARK_INK.l, DARK_INK.chroma));
  const words = { ink: inkColour, quietInk: inkColour };
  const button = buttonOn(theme, inkColour, underButton);
  return { ...theme, ...words, ...button, surface: scrimColour(under, ink), isDark: ink === "light" };
}

/** Minimum contrast of a button with a photo (WCAG 2.2 AA, 1.4.11). */
const BUTTON_CONTRAST_MIN = 3;
/**
 * Changes of a button's lightness (OKLab) that keep its colour recognisable, the preferred first. Larger changes look
 * muddy.
 */
const TONE_STEPS = [-0.04, 0.04, -0.08, 0.08, -0.12, 0.12];

/** The button in its own colour if that is visible on the photo, else in a visible tone of it, else in the ink. */
function buttonOn({ button, isButtonFilled }: Theme, ink: Rgb, under: Rgb): Partial<Theme> {
  if (!isButtonFilled) return { button: ink, buttonInk: ink };
  if (contrast(button, under) >= BUTTON_CONTRAST_MIN) return {};
  const lab = toOklab(button);
  const tones = TONE_STEPS.map((step) => fromOklab({ ...lab, l: lab.l + step }));
  const tone = tones.find((one) => contrast(one, under) >= BUTTON_CONTRAST_MIN) ?? ink;
  return { button: tone, buttonInk: inkOnButton(tone) };
}

/** The mean colour of a canvas inside boxes, from at most a few thousand pixels. */
export function meanColour(canvas: Raster, boxes: readonly Box[]): Rgb {
  let [r, g, b, count] = [0, 0, 0, 0];
  for (const box of boxes) {
    const area = clipBox(box, canvas.width, canvas.height);
    const step = Math.max(1, Math.floor(Math.sqrt((area.width * area.height) / SAMPLES)));
    for (let y = area.y; y < area.y + area.height; y += step) {
      for (let x = area.x; x < area.x + area.width; x += step, count += 1) {
        const at = (y * canvas.width + x) * 4;
        r += canvas.pixels[at] ?? 0;
        g += canvas.pixels[at + 1] ?? 0;
        b += canvas.pixels[at + 2] ?? 0;
      }
    }
  }
  const mean = (sum: number) => Math.round(sum / Math.max(1, count));
  return { r: mean(r), g: mean(g), b: mean(b) };
}

const SAMPLES = 1024;
