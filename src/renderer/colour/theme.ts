import type { Rgb } from "../raster/canvas.ts";
import type { Adjustment, Brand } from "../types.ts";
import { type AccentColours, chooseAccent } from "./accent.ts";
import { type ButtonColours, chooseButton } from "./button-colours.ts";
import type { ColourSources } from "./colour-sources.ts";
import { inkOn, TEXT_CONTRAST_MIN } from "./contrast.ts";
import { chooseField, type FieldColours } from "./field-colours.ts";
import { contrast, luminance, mixed, parseHex } from "./srgb.ts";
import { chooseSurface } from "./surface.ts";

/** The colours of a pack; one set for all its sizes, so that they look like one campaign. */
export interface Theme extends ButtonColours, AccentColours, FieldColours {
  /** Panels, backdrops, and what pictures fade into. */
  readonly surface: Rgb;
  readonly isDark: boolean;
  /** The brand named its background, so it is kept exactly. */
  readonly isSurfaceGiven: boolean;
  readonly ink: Rgb;
  /** For subheadline and disclaimer: quieter, still at least 4.5:1 on the surface. */
  readonly quietInk: Rgb;
  readonly adjustments: readonly Adjustment[];
}

/** Chooses surface, ink and button: from the brand, else the logo, else the hero. Words on a photo have colours of their own. */
export function chooseTheme(sources: ColourSources): Theme {
  const adjustments: Adjustment[] = [];
  const surface = chooseSurface(sources);
  const ink = chooseInk(surface, sources.brand, adjustments);
  const button = chooseButton(surface, ink, sources, adjustments);
  const accent = chooseAccent(surface, ink, button.button, sources, adjustments);
  return {
    surface,
    isDark: luminance(surface) < 0.2,
    isSurfaceGiven: sources.brand.backgroundColor !== undefined,
    ink,
    quietInk: quieter(ink, surface),
    ...button,
    ...accent,
    ...chooseField(surface, [button.button, accent.accentFill, ink], sources),
    adjustments,
  };
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
