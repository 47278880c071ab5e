import type { Rgb } from "../raster/canvas.ts";
import type { ColourSources } from "./colour-sources.ts";
import { inkOnButton } from "./contrast.ts";
import { fromOklab, toOklab } from "./oklab.ts";
import { contrast, luminance, mixed, parseHex } from "./srgb.ts";

/** Colours of the field that a pack without a picture has in its place. */
export interface FieldColours {
  readonly field: Rgb;
  /** Of words on it. */
  readonly fieldInk: Rgb;
  /** Of the mark on it. */
  readonly fieldMark: Rgb;
}

/** Least contrast of a field's colour with the surface, and of a mark with its field. */
const FIELD_CONTRAST_MIN = 1.5;
const MARK_CONTRAST_MIN = 1.6;
/** Shares of the brand's colour in a tinted field, and in the mark on it. */
const TINT_SHARES = { field: 0.13, mark: 0.5 };

/** A surface of less luminance is dark; its field is lighter by this much (OKLab). */
const DARK_LUMINANCE = 0.2;
const FIELD_LIGHTER = 0.07;

/** The brand's colour, else the button's or the accent, as a tint in quiet looks; the mark has the accent where it is seen. */
export function chooseField(
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
  // A tint of a colour on the dark side of another one is mud: there the surface itself becomes lighter.
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
