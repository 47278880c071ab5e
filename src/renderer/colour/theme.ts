import type { Rgb } from "../raster/canvas.ts";
import type { Adjustment, Brand } from "../types.ts";
import { type AccentColours, chooseAccent } from "./accent.ts";
import { type ButtonColours, chooseButton } from "./button-colours.ts";
import { inkOn, inkOnButton, TEXT_CONTRAST_MIN } from "./contrast.ts";
import { fromOklab, toOklab } from "./oklab.ts";
import { contrast, luminance, mixed, parseHex } from "./srgb.ts";
import { type ColourSources, chooseSurface } from "./surface.ts";

/** The colours of a pack, one set for all its sizes so that they look like one campaign. */
export interface Theme extends ButtonColours, AccentColours, FieldColours {
  /** Colour of panels, backdrops and scrims. */
  readonly surface: Rgb;
  readonly isDark: boolean;
  /** Whether the brand names its background, which is then used unchanged. */
  readonly isSurfaceGiven: boolean;
  readonly ink: Rgb;
  /** Ink of subheadline and disclaimer, with less contrast than `ink` but at least 4.5:1 on the surface. */
  readonly quietInk: Rgb;
  readonly adjustments: readonly Adjustment[];
}

/** Chooses surface, ink and button: from the brand, else the logo, else the hero. Text on a photo has other colours. */
export function chooseTheme(sources: ColourSources): Theme {
  const adjustments: Adjustment[] = [];
  const surface = chooseSurface(sources);
  const ink = chooseInk(surface, sources.brand, adjustments);
  const button = chooseButton({ surface, ink, sources, adjustments });
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

/** Fractions of the surface's colour to try in quiet ink, and the minimum contrast of that ink. */
const QUIET = { shares: [0.24, 0.16, 0.08], contrastMin: 6 };
/** Used if all text has one weight: then only colour sets the headline apart. */
const QUIETER = { shares: [0.4, 0.34, 0.28, ...QUIET.shares], contrastMin: 5.4 };

/** The theme for fonts of one weight: the text below the headline has less contrast than usual. */
export const inSingleWeight = (theme: Theme): Theme => ({
  ...theme,
  quietInk: quieter(theme.ink, theme.surface, QUIETER),
});

/** Blends ink towards the surface as far as legibility allows, so that the headline leads. */
function quieter(ink: Rgb, surface: Rgb, { shares, contrastMin } = QUIET): Rgb {
  for (const share of shares) {
    const candidate = mixed(ink, surface, share);
    if (contrast(candidate, surface) >= contrastMin) return candidate;
  }
  return ink;
}

/** Colours of the field that replaces a missing picture. */
interface FieldColours {
  readonly field: Rgb;
  /** Colour of text on the field. */
  readonly fieldInk: Rgb;
  /** Colour of the mark on the field. */
  readonly fieldMark: Rgb;
}

/** Minimum contrast of a field's colour with the surface, and of a mark with its field. */
const FIELD_CONTRAST_MIN = 1.5;
const MARK_CONTRAST_MIN = 1.6;
/** Fractions of the brand's colour in a tinted field, and in the mark on it. */
const TINT_SHARES = { field: 0.13, mark: 0.5 };

/** A surface of less luminance is dark; its field is lighter by this much (OKLab). */
const DARK_LUMINANCE = 0.2;
const FIELD_LIGHTER = 0.07;

/**
 * The field has the first visible one of these colours: the brand's primary colour, the button's, the accent and the
 * ink. In quiet looks the field is a tint. The mark has the brand's accent or the surface's colour; on a tint it is a
 * stronger tint.
 */
function chooseField(
  surface: Rgb,
  others: readonly [button: Rgb, accent: Rgb, ink: Rgb],
  { brand, look }: ColourSources,
): FieldColours {
  const named = (hex: string | undefined) => (hex === undefined ? [] : [parseHex(hex)]);
  const own =
    [...named(brand.primaryColor), ...others].find(
      (colour) => contrast(colour, surface) >= FIELD_CONTRAST_MIN,
    ) ?? others[2];
  const isTint = look.field.tone === "tint";
  // A tint on a dark surface of another hue looks muddy: lighten the surface instead.
  const lab = toOklab(surface);
  const isDark = luminance(surface) < DARK_LUMINANCE;
  const field = !isTint
    ? own
    : isDark
      ? fromOklab({ ...lab, l: lab.l + FIELD_LIGHTER })
      : mixed(surface, own, TINT_SHARES.field);
  const fieldInk = inkOnButton(field);
  const marks = isTint
    ? [isDark ? own : mixed(field, own, TINT_SHARES.mark)]
    : [...named(brand.accentColor), surface];
  const fieldMark = marks.find((colour) => contrast(colour, field) >= MARK_CONTRAST_MIN) ?? fieldInk;
  return { field, fieldInk, fieldMark };
}
