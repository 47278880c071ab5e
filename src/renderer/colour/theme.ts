import { highest } from "../highest.ts";
import type { Rgb } from "../raster/canvas.ts";
import type { Adjustment, Brand, Family } from "../types.ts";
import { type Swatch, vividest } from "./dominant-colours.ts";
import { inkOn, inkOnButton, OUTLINE_CONTRAST_MIN, strengthened, TEXT_CONTRAST_MIN } from "./legibility.ts";
import { chroma, fromOklab, type Oklab, toned, toOklab } from "./oklab.ts";
import { contrast, luminance, mixed, parseHex } from "./srgb.ts";

/** The colours of a pack; one set for all its sizes, so that they look like one campaign. */
export interface Theme {
  /** Panels, backdrops, and what pictures fade into. */
  readonly surface: Rgb;
  readonly isDark: boolean;
  /** The brand named its background, so it is kept exactly. */
  readonly isSurfaceGiven: boolean;
  readonly ink: Rgb;
  /** For subheadline and disclaimer: quieter, still at least 4.5:1 on the surface. */
  readonly quietInk: Rgb;
  readonly button: Rgb;
  readonly buttonInk: Rgb;
  /** Prices and badges; at least 4.5:1 on the surface. */
  readonly accent: Rgb;
  /** Words on a badge of the accent colour. */
  readonly accentInk: Rgb;
  readonly adjustments: readonly Adjustment[];
}

export interface ColourSources {
  readonly family: Family;
  readonly brand: Brand;
  readonly hero: readonly Swatch[];
  readonly logo: readonly Swatch[];
  /** Of a `background` that lies under everything: surfaces and scrims take its hue. */
  readonly background?: readonly Swatch[];
  /** Share 0..1 of the logo's outline that stands out on a colour; 1 when there is no logo. */
  readonly logoVisibility: (surface: Rgb) => number;
}

const LOGO_VISIBLE_MIN = 0.85;
const PHOTO_FAMILIES: readonly Family[] = ["campaign", "duo", "scenery"];

/**
 * Chooses surface, ink and button: from the brand, else the logo, else the hero. Over a photo the surface colour is
 * that of scrims: it stays dark even where a panel would become light to show the logo, and the logo gets a plate.
 */
export function chooseTheme(sources: ColourSources, isOverPhoto = false): Theme {
  const adjustments: Adjustment[] = [];
  const surface = chooseSurface(sources, isOverPhoto);
  const ink = chooseInk(surface, sources.brand, adjustments);
  const { button, buttonInk } = chooseButton(surface, ink, sources, adjustments);
  const accent = chooseAccent(surface, ink, button, sources);
  return {
    surface,
    isDark: luminance(surface) < 0.2,
    isSurfaceGiven: sources.brand.backgroundColor !== undefined,
    ink,
    quietInk: quieter(ink, surface),
    button,
    buttonInk,
    accent,
    accentInk: inkOnButton(accent),
    adjustments,
  };
}

function chooseSurface(sources: ColourSources, isOverPhoto: boolean): Rgb {
  const { brand, family } = sources;
  if (brand.backgroundColor !== undefined) return parseHex(brand.backgroundColor);
  const seed = seedOf(sources);
  const dark = fromOklab(toned(seed, 0.2, 0.034));
  const light = fromOklab(toned(seed, 0.955, 0.022));
  if (brand.textColor !== undefined) {
    const ink = parseHex(brand.textColor);
    return contrast(ink, dark) > contrast(ink, light) ? dark : light;
  }
  if (isOverPhoto) return dark;
  const preferred = PHOTO_FAMILIES.includes(family) ? dark : light;
  const other = preferred === dark ? light : dark;
  const isLogoLost = sources.logoVisibility(preferred) < LOGO_VISIBLE_MIN;
  return isLogoLost && sources.logoVisibility(other) > sources.logoVisibility(preferred) ? other : preferred;
}

/** The hue that surfaces take on. A photo's own hue comes first where the surface must blend with it. */
function seedOf({ brand, family, hero, logo, background = [] }: ColourSources): Oklab {
  const ownHue = PHOTO_FAMILIES.includes(family) ? weightiest(hero) : weightiest(background);
  if (ownHue !== null) return ownHue.lab;
  if (brand.primaryColor !== undefined) return toOklab(parseHex(brand.primaryColor));
  const swatch = vividest(logo, 0.04) ?? vividest(hero, 0.02) ?? weightiest(hero);
  return swatch?.lab ?? { l: 0.5, a: 0.002, b: -0.008 };
}

/** The swatch whose hue fills the picture: a large share, and coloured. Darker ones are preferred: they make calmer surfaces. */
function weightiest(swatches: readonly Swatch[]): Swatch | null {
  return highest(swatches, ({ share, lab }) => share * (0.02 + chroma(lab)) * (1.3 - lab.l), 0);
}

function chooseInk(surface: Rgb, brand: Brand, adjustments: Adjustment[]): Rgb {
  if (brand.textColor === undefined) return inkOn(surface);
  const wanted = parseHex(brand.textColor);
  if (contrast(wanted, surface) >= TEXT_CONTRAST_MIN) return wanted;
  adjustments.push({
    code: "colour_changed",
    element: "headline",
    message: `The brand's text colour has a contrast of ${contrast(wanted, surface).toFixed(1)}:1 on the background; a readable one was used.`,
  });
  return inkOn(surface);
}

function chooseButton(
  surface: Rgb,
  ink: Rgb,
  { brand, logo, hero }: ColourSources,
  adjustments: Adjustment[],
): { button: Rgb; buttonInk: Rgb } {
  if (brand.primaryColor !== undefined) {
    const wanted = parseHex(brand.primaryColor);
    if (contrast(wanted, surface) >= OUTLINE_CONTRAST_MIN) {
      return { button: wanted, buttonInk: inkOnButton(wanted) };
    }
    if (brand.backgroundColor !== undefined) {
      adjustments.push({
        code: "colour_changed",
        element: "cta",
        message:
          "The brand's primary colour hardly differs from its background; the button takes the text colour.",
      });
      return {
        button: ink,
        buttonInk: contrast(wanted, ink) >= TEXT_CONTRAST_MIN ? wanted : inkOnButton(ink),
      };
    }
  }
  const seed =
    brand.primaryColor !== undefined
      ? toOklab(parseHex(brand.primaryColor))
      : (vividest(logo, 0.04)?.lab ?? boosted(vividest(hero, 0.015)));
  if (seed === null) return { button: ink, buttonInk: inkOnButton(ink) };
  const own =
    brand.primaryColor === undefined && vividest(logo, 0.04) === null ? flattering(seed, surface) : seed;
  const button = strengthened(fromOklab(own), surface, OUTLINE_CONTRAST_MIN) ?? ink;
  return { button, buttonInk: inkOnButton(button) };
}

/** A little above the minimum, so that light behind a price does not take its contrast. */
const ACCENT_CONTRAST_MIN = 5;

/** The brand's accent, else its button's hue, legible as type; the ink where no lightness of that hue is. */
function chooseAccent(surface: Rgb, ink: Rgb, button: Rgb, { brand }: ColourSources): Rgb {
  const wanted = brand.accentColor === undefined ? button : parseHex(brand.accentColor);
  return strengthened(wanted, surface, ACCENT_CONTRAST_MIN) ?? ink;
}

/** Dark yellows look muddy: on a dark surface they become light, on a light one a deep tone replaces them. */
function flattering(seed: Oklab, surface: Rgb): Oklab {
  const present = chroma(seed);
  const yellowness = present === 0 ? 0 : Math.max(0, seed.b / present);
  const isYellowish = yellowness > 0.72;
  if (luminance(surface) < 0.2) return { ...seed, l: Math.max(seed.l, isYellowish ? 0.83 : 0.66) };
  return isYellowish ? toned(seed, 0.3, 0.07) : { ...seed, l: Math.min(seed.l, 0.6) };
}

/** A photo's accent is averaged and so duller than it looks; its chroma is raised to that of a deliberate colour. */
function boosted(swatch: Swatch | null): Oklab | null {
  if (swatch === null) return null;
  const present = chroma(swatch.lab);
  const scale = present > 0 ? Math.min(1.6, Math.max(1, 0.15 / present)) : 1;
  return { l: Math.min(0.8, Math.max(0.5, swatch.lab.l)), a: swatch.lab.a * scale, b: swatch.lab.b * scale };
}

/** Blends ink towards the surface as far as reading allows, so that the headline leads. */
function quieter(ink: Rgb, surface: Rgb): Rgb {
  for (const share of [0.24, 0.16, 0.08]) {
    const candidate = mixed(ink, surface, share);
    if (contrast(candidate, surface) >= 6) return candidate;
  }
  return ink;
}
