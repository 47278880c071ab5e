import type { Rgb } from "../raster/canvas.ts";
import type { Adjustment } from "../types.ts";
import { namedAccent } from "./accent.ts";
import { inkOnButton, OUTLINE_CONTRAST_MIN, strengthened, TEXT_CONTRAST_MIN } from "./contrast.ts";
import { type Swatch, vividest } from "./dominant-colours.ts";
import { chroma, fromOklab, type Oklab, toned, toOklab } from "./oklab.ts";
import { contrast, luminance, parseHex } from "./srgb.ts";
import type { ColourSources } from "./surface.ts";

export interface ButtonColours {
  /** The fill, or the line of an unfilled button. */
  readonly button: Rgb;
  readonly buttonInk: Rgb;
  /** Without a fill the text is on the button's background. */
  readonly isButtonFilled: boolean;
}

/** Minimum contrast of a thin line, or of a button colour that the brand does not specify (WCAG 2.2 AA, 1.4.11). */
const OWN_CONTRAST_MIN = 3;
/** A colour darkened by more than this (OKLab) looks muddy: the ink replaces it. */
const LIGHTNESS_CHANGE_MAX = 0.14;
/** Minimum fraction of a logo's area that a colour must cover to count as a colour of the brand. */
const LOGO_SHARE_MIN = 0.04;

/** Inputs of a button's colours, and the list that collects changes. */
interface Basis {
  readonly surface: Rgb;
  readonly ink: Rgb;
  readonly sources: ColourSources;
  readonly adjustments: Adjustment[];
}

/** The button's colours: the brand's button colours, else the look's choice from its other colours. */
export function chooseButton(basis: Basis): ButtonColours {
  const { sources, adjustments } = basis;
  const { brand, look } = sources;
  if (brand.buttonColor !== undefined) return givenButton(brand.buttonColor, basis);
  if (look.button.fill !== "solid") return unfilledButton(basis);
  const { button, own } = fillOf(basis);
  return { button, buttonInk: inkGiven(button, own, sources, adjustments), isButtonFilled: true };
}

/** A button colour of the brand is a fill, in every look. */
function givenButton(given: string, { surface, ink, sources, adjustments }: Basis): ButtonColours {
  const wanted = parseHex(given);
  const button = strengthened(wanted, surface, OUTLINE_CONTRAST_MIN) ?? ink;
  if (button !== wanted) {
    adjustments.push(
      changed(
        `The brand's button colour has a contrast of ${contrast(wanted, surface).toFixed(1)}:1 with the background; one that stands out was used.`,
      ),
    );
  }
  const buttonInk = inkGiven(button, inkOnButton(button), sources, adjustments);
  return { button, buttonInk, isButtonFilled: true };
}

const changed = (message: string): Adjustment => ({ code: "colour_changed", element: "cta", message });

/** The brand's button text colour if it is legible on `behind`, else `own`. */
function inkGiven(behind: Rgb, own: Rgb, { brand }: ColourSources, adjustments: Adjustment[]): Rgb {
  if (brand.buttonTextColor === undefined) return own;
  const wanted = parseHex(brand.buttonTextColor);
  if (contrast(wanted, behind) >= TEXT_CONTRAST_MIN) return wanted;
  adjustments.push(
    changed(
      `The brand's button text colour has a contrast of ${contrast(wanted, behind).toFixed(1)}:1 on the button; a readable one was used.`,
    ),
  );
  return own;
}

/** An unfilled button: text and a line. The line has the accent's colour if that is visible, else the ink's. */
function unfilledButton({ surface, ink, sources, adjustments }: Basis): ButtonColours {
  const line = namedAccent(sources);
  const button = line !== null && contrast(line, surface) >= OWN_CONTRAST_MIN ? line : ink;
  return { button, buttonInk: inkGiven(surface, ink, sources, adjustments), isButtonFilled: false };
}

interface Fill {
  readonly button: Rgb;
  /** The colour of the button's text, unless the brand names one. */
  readonly own: Rgb;
}

const filled = (button: Rgb): Fill => ({ button, own: inkOnButton(button) });

function fillOf({ surface, ink, sources, adjustments }: Basis): Fill {
  const { brand, logo, hero, look } = sources;
  if (look.surface.tone === "vivid") return filled(onVivid(surface, ink, sources));
  if (brand.primaryColor !== undefined) {
    const wanted = parseHex(brand.primaryColor);
    if (contrast(wanted, surface) >= OUTLINE_CONTRAST_MIN) return filled(wanted);
    if (brand.backgroundColor !== undefined) {
      adjustments.push(
        changed(
          "The brand's primary colour hardly differs from its background; the button has the text colour.",
        ),
      );
      const own = contrast(wanted, ink) >= TEXT_CONTRAST_MIN ? wanted : inkOnButton(ink);
      return { button: ink, own };
    }
  }
  // A logo's second colour, if visible unchanged, looks cleaner than its first one darkened.
  const isSeen = ({ lab }: Swatch) => contrast(fromOklab(lab), surface) >= OWN_CONTRAST_MIN;
  const ofLogo = vividest(logo.filter(isSeen), LOGO_SHARE_MIN) ?? vividest(logo, LOGO_SHARE_MIN);
  const named = brand.primaryColor === undefined ? ofLogo?.lab : toOklab(parseHex(brand.primaryColor));
  const seed = named ?? boosted(vividest(hero, 0.015));
  if (seed === null) return filled(ink);
  const own = fromOklab(named ?? flattering(seed, surface));
  return filled(strengthened(own, surface, OWN_CONTRAST_MIN, LIGHTNESS_CHANGE_MAX) ?? ink);
}

/** On a surface in the brand's colour, the button has the accent's colour, else the ink's. */
function onVivid(surface: Rgb, ink: Rgb, { brand }: ColourSources): Rgb {
  const named = [brand.accentColor, brand.primaryColor].flatMap((hex) =>
    hex === undefined ? [] : parseHex(hex),
  );
  return named.find((colour) => contrast(colour, surface) >= OUTLINE_CONTRAST_MIN) ?? ink;
}

/** Dark yellows look muddy: on a dark surface they become light, on a light surface a deep tone replaces them. */
function flattering(seed: Oklab, surface: Rgb): Oklab {
  const present = chroma(seed);
  const yellowness = present === 0 ? 0 : Math.max(0, seed.b / present);
  const isYellowish = yellowness > 0.72;
  if (luminance(surface) < 0.2) return { ...seed, l: Math.max(seed.l, isYellowish ? 0.83 : 0.66) };
  return isYellowish ? toned(seed, 0.3, 0.07) : { ...seed, l: Math.min(seed.l, 0.6) };
}

/** A photo's accent is an average and so duller than it looks; raise its chroma to that of a chosen colour. */
function boosted(swatch: Swatch | null): Oklab | null {
  if (swatch === null) return null;
  const present = chroma(swatch.lab);
  const scale = present > 0 ? Math.min(1.6, Math.max(1, 0.15 / present)) : 1;
  return { l: Math.min(0.8, Math.max(0.5, swatch.lab.l)), a: swatch.lab.a * scale, b: swatch.lab.b * scale };
}
