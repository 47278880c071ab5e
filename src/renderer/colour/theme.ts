import type { Rgb } from "../raster/canvas.ts";
import type { Adjustment, Brand } from "../types.ts";
import { type AccentColours, chooseAccent } from "./accent.ts";
import { type ButtonColours, chooseButton } from "./button-colours.ts";
import type { ColourSources } from "./colour-sources.ts";
import { inkOn, inkOnButton, TEXT_CONTRAST_MIN } from "./contrast.ts";
import { contrast, luminance, mixed, parseHex } from "./srgb.ts";
import { chooseSurface } from "./surface.ts";

/** The colours of a pack; one set for all its sizes, so that they look like one campaign. */
export interface Theme extends ButtonColours, AccentColours {
  /** Panels, backdrops, and what pictures fade into. */
  readonly surface: Rgb;
  readonly isDark: boolean;
  /** The brand named its background, so it is kept exactly. */
  readonly isSurfaceGiven: boolean;
  readonly ink: Rgb;
  /** For subheadline and disclaimer: quieter, still at least 4.5:1 on the surface. */
  readonly quietInk: Rgb;
  /** Of the field that a pack without a picture has in its place, and of words on it. */
  readonly field: Rgb;
  readonly fieldInk: Rgb;
  /** Of the mark on it. */
  readonly fieldMark: Rgb;
  readonly adjustments: readonly Adjustment[];
}

/** A field nearer to the surface than this would not be seen. */
const FIELD_CONTRAST_MIN = 1.12;
const FIELD_TINT = 0.13;
const FIELD_MARK_CONTRAST_MIN = 1.6;
const FIELD_MARK_TINT = 0.5;

/** The button's colour, as a tint in quiet looks; where that is the surface's own, the accent, else the ink. */
function chooseField(surface: Rgb, ink: Rgb, button: Rgb, accent: Rgb, { look }: ColourSources): Rgb {
  const solids = [button, accent, ink];
  const wanted = look.field.tone === "solid" ? solids : solids.map((one) => mixed(surface, one, FIELD_TINT));
  return wanted.find((colour) => contrast(colour, surface) >= FIELD_CONTRAST_MIN) ?? ink;
}

/**
 * Chooses surface, ink and button: from the brand, else the logo, else the hero. Over a photo the surface colour is
 * that of scrims: it stays dark even where a panel would become light to show the logo, and the logo gets a plate.
 */
export function chooseTheme(sources: ColourSources, isOverPhoto = false): Theme {
  const adjustments: Adjustment[] = [];
  const surface = chooseSurface(sources, isOverPhoto);
  const ink = chooseInk(surface, sources.brand, adjustments);
  const button = chooseButton(surface, ink, sources, adjustments);
  const accent = chooseAccent(surface, ink, button.button, sources, adjustments);
  const field = chooseField(surface, ink, button.button, accent.accentFill, sources);
  return {
    surface,
    field,
    fieldInk: inkOnButton(field),
    fieldMark: chooseFieldMark(field, surface, button.button, sources),
    isDark: luminance(surface) < 0.2,
    isSurfaceGiven: sources.brand.backgroundColor !== undefined,
    ink,
    quietInk: quieter(ink, surface),
    ...button,
    ...accent,
    adjustments,
  };
}

/** The brand's own accent where it is seen on the field, else the surface's colour; on a tint the colour that it is of. */
function chooseFieldMark(field: Rgb, surface: Rgb, button: Rgb, { brand, look }: ColourSources): Rgb {
  if (look.field.tone === "tint") return mixed(field, button, FIELD_MARK_TINT);
  const accent = brand.accentColor === undefined ? surface : parseHex(brand.accentColor);
  const colours = [accent, surface];
  return colours.find((colour) => contrast(colour, field) >= FIELD_MARK_CONTRAST_MIN) ?? inkOnButton(field);
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

/** How far quiet ink is blended towards the surface, and the contrast that it keeps. */
const QUIET = { shares: [0.24, 0.16, 0.08], contrastMin: 6 };
/** Where all words have one weight, colour must tell more. */
const QUIETER = { shares: [0.4, 0.34, 0.28, ...QUIET.shares], contrastMin: 5.4 };

/** The theme for fonts of one weight: the words under the headline are quieter than usual. */
export const inSingleWeight = (theme: Theme): Theme => ({
  ...theme,
  quietInk: quieter(theme.ink, theme.surface, QUIETER),
});

/** Blends ink towards the surface as far as reading allows, so that the headline leads. */
function quieter(ink: Rgb, surface: Rgb, { shares, contrastMin } = QUIET): Rgb {
  for (const share of shares) {
    const candidate = mixed(ink, surface, share);
    if (contrast(candidate, surface) >= contrastMin) return candidate;
  }
  return ink;
}
