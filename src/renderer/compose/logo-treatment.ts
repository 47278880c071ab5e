import { distance, type Oklab, toOklab } from "../colour/oklab.ts";
import { contrast } from "../colour/srgb.ts";
import { BLACK, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Raster } from "../types.ts";
import type { Logo } from "./prepared-pack.ts";

/** Minimum contrast of a logo's rim with its background (WCAG 2.2 AA, 1.4.11). */
export const LOGO_CONTRAST_MIN = 3;
/** Fraction of the rim that must have at least `LOGO_CONTRAST_MIN`. */
const LOGO_VISIBLE_SHARE_MIN = 0.8;

/** The logo for a background: `onDark` if white has more contrast with the background than black has, else `logo`. */
export const logoFor = (background: Rgb, logo: Logo | null, onDark: Logo | null): Logo | null =>
  onDark !== null && contrast(WHITE, background) > contrast(BLACK, background) ? onDark : logo;

/** Fraction 0..1 of a logo's rim that is visible on a colour; 1 without a logo. */
export function visibilityOn(logo: Logo | null, surface: Rgb, contrastMin: number): number {
  if (logo === null || logo.outline.length === 0) return 1;
  const seen = logo.outline.filter((colour) => contrast(colour, surface) >= contrastMin).length;
  return seen / logo.outline.length;
}

/** The contrast that the required fraction of a logo's rim reaches on all given colours, 1..21; null without a rim. */
export function rimContrast(outline: readonly Rgb[], behind: readonly Rgb[]): number | null {
  if (outline.length === 0 || behind.length === 0) return null;
  return Math.min(
    ...behind.map((colour) => {
      const sorted = outline.map((one) => contrast(one, colour)).sort((one, other) => one - other);
      return sorted[Math.floor(sorted.length * (1 - LOGO_VISIBLE_SHARE_MIN))] ?? 1;
    }),
  );
}

/** Rim colours nearer to their mean than this in OKLab count as one colour. */
const ONE_COLOUR_DISTANCE = 0.1;
/** Minimum fraction of a rim's colours within `ONE_COLOUR_DISTANCE` of the mean for the rim to count as one colour. */
const ONE_COLOUR_SHARE = 0.97;

/** Whether a rim has one colour. */
export function isOneColour(outline: readonly Rgb[]): boolean {
  const labs = outline.map(toOklab);
  const mean = (of: (lab: Oklab) => number) => labs.reduce((sum, lab) => sum + of(lab), 0) / labs.length;
  const centre = { l: mean(({ l }) => l), a: mean(({ a }) => a), b: mean(({ b }) => b) };
  const near = labs.filter((lab) => distance(lab, centre) <= ONE_COLOUR_DISTANCE).length;
  return near >= labs.length * ONE_COLOUR_SHARE;
}

/**
 * Two colours of a logo are distinct if their contrasts differ by at least this factor. Otherwise they blend into each
 * other.
 */
const APART = 1.2;

/**
 * The contrast below which the colours of a flat logo are replaced: `least`, or infinity (all are replaced) if colours
 * just below and above `least` blend into each other.
 */
export function replacedBelow(outline: readonly Rgb[], behind: readonly Rgb[], least: number): number {
  const sorted = outline.map((one) => leastContrast(one, behind)).sort((one, other) => one - other);
  const at = sorted.findIndex((ratio) => ratio >= least);
  const [last = 1, first = Number.POSITIVE_INFINITY] = [sorted[at - 1], sorted[at]];
  return first / last >= APART ? least : Number.POSITIVE_INFINITY;
}

/** Whether a colour is replaced, because it has too little contrast with its background. */
export const isReplaced = (colour: Rgb, behind: readonly Rgb[], below: number): boolean =>
  leastContrast(colour, behind) < below;

const leastContrast = (colour: Rgb, behind: readonly Rgb[]): number =>
  behind.reduce((least, one) => Math.min(least, contrast(colour, one)), Number.POSITIVE_INFINITY);

/** Draws the replaced colours of a premultiplied layer in one colour. */
export function knockOut(layer: Raster, { r, g, b }: Rgb, behind: readonly Rgb[], below: number): void {
  const { pixels } = layer;
  // Most pixels have the colour of the previous pixel.
  let [known, isOut] = [-1, false];
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha === 0) continue;
    const own = (byte: number) => Math.min(255, Math.round(((pixels[at + byte] ?? 0) * 255) / alpha));
    const colour = { r: own(0), g: own(1), b: own(2) };
    const key = (colour.r << 16) | (colour.g << 8) | colour.b;
    if (key !== known) [known, isOut] = [key, isReplaced(colour, behind, below)];
    if (!isOut) continue;
    pixels[at] = Math.round((r * alpha) / 255);
    pixels[at + 1] = Math.round((g * alpha) / 255);
    pixels[at + 2] = Math.round((b * alpha) / 255);
  }
}
