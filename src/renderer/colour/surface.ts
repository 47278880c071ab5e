import { bestScored } from "../best-scored.ts";
import type { Look, SurfaceStyle } from "../look/index.ts";
import type { Rgb } from "../raster/canvas.ts";
import { type Brand, type Family, PHOTO_FAMILIES } from "../types.ts";
import { TEXT_CONTRAST_MIN } from "./contrast.ts";
import { type Swatch, vividest } from "./dominant-colours.ts";
import { chroma, fromOklab, type Oklab, toned, toOklab } from "./oklab.ts";
import { contrast, parseHex } from "./srgb.ts";

const LOGO_VISIBLE_MIN = 0.85;
/** Uncoated paper: slightly yellow, whatever the brand's hue. */
const IVORY: Rgb = { r: 248, g: 245, b: 238 };
/** The vivid surface of a pack without any colour: a strong blue. */
const VIVID: Oklab = { l: 0.52, a: -0.02, b: -0.19 };

/**
 * The colour of panels and backdrops: the brand's own, else derived by the look's tone from brand, logo and picture.
 */
export function chooseSurface(sources: ColourSources): Rgb {
  const { brand, look } = sources;
  if (brand.backgroundColor !== undefined) return parseHex(brand.backgroundColor);
  const ofLook = look.surface.tone === "picture" ? null : tonedSurface(look.surface.tone, sources);
  // The brand's text colour takes precedence over the look: the surface must contrast with it.
  if (ofLook !== null && isReadable(ofLook, brand.textColor)) return ofLook;
  return pictureSurface(sources);
}

const isReadable = (surface: Rgb, textColor: string | undefined): boolean =>
  textColor === undefined || contrast(parseHex(textColor), surface) >= TEXT_CONTRAST_MIN;

function tonedSurface(tone: Exclude<SurfaceStyle["tone"], "picture">, sources: ColourSources): Rgb {
  const { brand } = sources;
  const own = identityOf(sources);
  const nearWhite = () => fromOklab(toned(own ?? VIVID, 0.992, 0.003));
  switch (tone) {
    case "paper":
      return IVORY;
    case "accent":
      return brand.accentColor === undefined ? nearWhite() : parseHex(brand.accentColor);
    case "white":
      return nearWhite();
    case "night":
      return fromOklab(toned(own ?? { l: 0.2, a: 0.002, b: 0.004 }, 0.185, 0.018));
    case "vivid":
      return brand.primaryColor === undefined
        ? fromOklab(deepened(own ?? VIVID))
        : parseHex(brand.primaryColor);
    case "pastel":
      return fromOklab(withChroma(own ?? VIVID, 0.915, 0.062));
  }
}

/**
 * The colour that stands for the brand: its primary colour, else the most vivid colour of its logo, else of the
 * picture; null in a grey pack.
 */
function identityOf({ brand, logo, hero, background = [] }: ColourSources): Oklab | null {
  if (brand.primaryColor !== undefined) return toOklab(parseHex(brand.primaryColor));
  const swatch = vividest(logo, 0.04) ?? vividest(hero, 0.02) ?? vividest(background, 0.02);
  return swatch?.lab ?? null;
}

/** A strong version of a colour: neither pale nor near black, with a clear hue. */
const deepened = (seed: Oklab): Oklab => withChroma(seed, Math.min(0.66, Math.max(0.45, seed.l)), 0.15);

/** Same hue at another lightness and chroma; greys stay grey. */
function withChroma(lab: Oklab, lightness: number, wanted: number): Oklab {
  const present = chroma(lab);
  const scale = present < 0.02 ? 1 : wanted / present;
  return { l: lightness, a: lab.a * scale, b: lab.b * scale };
}

/**
 * A swatch that is no lighter than this and covers at least this fraction of a photo is the photo's black background.
 */
const BLACK = { lightnessMax: 0.16, shareMin: 0.35 };
const isBlackGround = ({ share, lab }: Swatch): boolean =>
  share >= BLACK.shareMin && lab.l <= BLACK.lightnessMax;

function pictureSurface(sources: ColourSources): Rgb {
  const { brand, family } = sources;
  const seed = seedOf(sources);
  // Beside a photo the surface is a distinct field of colour.
  const isPhoto = PHOTO_FAMILIES.includes(family);
  // The surface beside a photo on black is that photo's own black.
  const black = isPhoto ? sources.hero.find(isBlackGround) : undefined;
  const dark = black?.colour ?? fromOklab(isPhoto ? toned(seed, 0.29, 0.06) : toned(seed, 0.2, 0.034));
  const light = fromOklab(isPhoto ? toned(seed, 0.895, 0.06) : toned(seed, 0.955, 0.022));
  if (brand.textColor !== undefined) {
    const ink = parseHex(brand.textColor);
    return contrast(ink, dark) > contrast(ink, light) ? dark : light;
  }
  const preferred = isPhoto ? dark : light;
  const other = preferred === dark ? light : dark;
  const isLogoLost = sources.logoVisibility(preferred) < LOGO_VISIBLE_MIN;
  return isLogoLost && sources.logoVisibility(other) > sources.logoVisibility(preferred) ? other : preferred;
}

/** The hue for surfaces. A photo's own hue takes precedence if the surface must blend with the photo. */
function seedOf({ brand, family, hero, logo, background = [] }: ColourSources): Oklab {
  const ownHue = PHOTO_FAMILIES.includes(family) ? weightiest(hero) : weightiest(background);
  if (ownHue !== null) return ownHue.lab;
  if (brand.primaryColor !== undefined) return toOklab(parseHex(brand.primaryColor));
  const swatch = vividest(logo, 0.04) ?? vividest(hero, 0.02) ?? weightiest(hero);
  return swatch?.lab ?? { l: 0.5, a: 0.002, b: -0.008 };
}

/**
 * The hue that fills the picture: a coloured swatch of a large fraction. Darker swatches are preferred, because they
 * make calmer surfaces.
 */
function weightiest(swatches: readonly Swatch[]): Swatch | null {
  return bestScored(swatches, ({ share, lab }) => share * (0.02 + chroma(lab)) * (1.3 - lab.l), 0);
}

/** The inputs for a pack's colours. */
export interface ColourSources {
  readonly family: Family;
  readonly look: Look;
  readonly brand: Brand;
  readonly hero: readonly Swatch[];
  readonly logo: readonly Swatch[];
  /** Colours of a `background` picture under everything: surfaces and scrims have its hue. */
  readonly background?: readonly Swatch[];
  /** Fraction 0..1 of the logo's outline that is visible on a colour; 1 without a logo. */
  readonly logoVisibility: (surface: Rgb) => number;
}
