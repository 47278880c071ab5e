import type { Rgb } from "../raster/canvas.ts";
import type { Adjustment } from "../types.ts";
import { inkOnButton, strengthened, TEXT_CONTRAST_MIN } from "./contrast.ts";
import { toOklab } from "./oklab.ts";
import { contrast, parseHex } from "./srgb.ts";
import type { ColourSources } from "./surface.ts";

export interface AccentColours {
  /** Colour of prices and other type, with a contrast of at least 4.5:1 on the surface. */
  readonly accent: Rgb;
  /** Colour of badges, ornaments and blocks: exactly the brand's accent, if the brand names one and it is visible. */
  readonly accentFill: Rgb;
  /** Text on a badge of the accent colour. */
  readonly accentInk: Rgb;
}

/** Champagne rather than yellow, like foil in print. */
const GOLD: Rgb = { r: 206, g: 176, b: 122 };
/**
 * Minimum contrast of an accent as type, a little above the required one because light behind a price lowers the
 * contrast.
 */
const TYPE_CONTRAST_MIN = 5;
/** A larger change of lightness would make the accent look like a different colour, so the ink replaces it. */
const LIGHTNESS_CHANGE_MAX = 0.14;
/** A fill with less contrast to the surface would be invisible. */
const FILL_CONTRAST_MIN = 1.25;

/** The accent of the brand or of its look; null for neither. */
export function namedAccent({ brand, look }: ColourSources): Rgb | null {
  const named = brand.accentColor ?? (look.surface.accent === "gold" ? brand.primaryColor : undefined);
  if (named !== undefined) return parseHex(named);
  if (look.surface.accent === "gold") return GOLD;
  return brand.primaryColor === undefined ? null : parseHex(brand.primaryColor);
}

/**
 * The brand's accent exactly, if it is legible as type; otherwise a similar colour or the ink, with a note. Without an
 * accent, the look's accent or the button's hue.
 */
export function chooseAccent(
  surface: Rgb,
  ink: Rgb,
  button: Rgb,
  sources: ColourSources,
  adjustments: Adjustment[],
): AccentColours {
  const given = isSurfaceAccent(surface, sources) ? null : givenAccent(sources);
  if (given === null) {
    const wanted = sources.look.surface.accent === "gold" ? (namedAccent(sources) ?? button) : button;
    const accent = strengthened(wanted, surface, TYPE_CONTRAST_MIN) ?? ink;
    return { accent, accentFill: accent, accentInk: inkOnButton(accent) };
  }
  const accent = contrast(given, surface) >= TEXT_CONTRAST_MIN ? given : legible(given, surface, ink);
  const accentFill = contrast(given, surface) >= FILL_CONTRAST_MIN ? given : accent;
  if (accent !== given) {
    const isSeen = accentFill === given;
    adjustments.push({
      code: "colour_changed",
      element: "price",
      message: `The brand's accent colour has a contrast of ${contrast(given, surface).toFixed(1)}:1 with the background; ${isSeen ? "text uses a readable colour instead, shapes keep it" : "a visible one was used"}.`,
    });
  }
  return { accent, accentFill, accentInk: inkOnButton(accentFill) };
}

const givenAccent = ({ brand }: ColourSources): Rgb | null =>
  brand.accentColor === undefined ? null : parseHex(brand.accentColor);

/** Whether the accent is the surface itself. Shapes on it then have the button's colour. */
function isSurfaceAccent(surface: Rgb, sources: ColourSources): boolean {
  const given = givenAccent(sources);
  return given !== null && sources.brand.backgroundColor === undefined && contrast(given, surface) === 1;
}

function legible(given: Rgb, surface: Rgb, ink: Rgb): Rgb {
  const near = strengthened(given, surface, TYPE_CONTRAST_MIN);
  if (near === null) return ink;
  return Math.abs(toOklab(near).l - toOklab(given).l) <= LIGHTNESS_CHANGE_MAX ? near : ink;
}
