import type { Rgb } from "../raster/canvas.ts";
import type { HexColour } from "../types.ts";

/**
 * Linear light 0..1 of each sRGB byte (IEC 61966-2-1). Rounded to 2^-24 so that the table is the same in every engine.
 */
const LINEAR = Float64Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  const linear = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  return Math.round(linear * 16_777_216) / 16_777_216;
});

export function linearOf(byte: number): number {
  return LINEAR[byte] ?? 0;
}

/** Nearest sRGB byte of linear light; clamps. */
export function byteOf(linear: number): number {
  if (!(linear > 0)) return 0;
  let low = 0;
  let high = 255;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (linearOf(middle) < linear) low = middle + 1;
    else high = middle;
  }
  return low > 0 && linear - linearOf(low - 1) < linearOf(low) - linear ? low - 1 : low;
}

/** Relative luminance 0..1 (WCAG 2.2). */
export function luminance(colour: Rgb): number {
  return luminanceOf(colour.r, colour.g, colour.b);
}

export function luminanceOf(r: number, g: number, b: number): number {
  return 0.2126 * linearOf(r) + 0.7152 * linearOf(g) + 0.0722 * linearOf(b);
}

/** Contrast ratio 1..21 (WCAG 2.2, success criterion 1.4.3). */
export function contrast(a: Rgb, b: Rgb): number {
  return contrastOfLuminances(luminance(a), luminance(b));
}

export function contrastOfLuminances(a: number, b: number): number {
  return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

/** Parses `#rrggbb`. Anything else is a bug of the caller: the service validates colours. */
export function parseHex(hex: HexColour): Rgb {
  const value = /^#[0-9a-f]{6}$/i.test(hex) ? Number.parseInt(hex.slice(1), 16) : Number.NaN;
  if (Number.isNaN(value)) throw new RangeError(`not a colour: ${hex}`);
  return { r: value >> 16, g: (value >> 8) & 255, b: value & 255 };
}

/** Formats a colour of whole bytes as `#rrggbb`. */
export const toHex = ({ r, g, b }: Rgb): string =>
  `#${((r << 16) | (g << 8) | b).toString(16).padStart(6, "0")}`;

/** Blends two colours in sRGB bytes, `share` 0..1 of `b`. */
export function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  const mix = (from: number, to: number) => Math.round(from + (to - from) * share);
  return { r: mix(a.r, b.r), g: mix(a.g, b.g), b: mix(a.b, b.b) };
}
