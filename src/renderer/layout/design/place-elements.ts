import type { TextRole } from "#renderer/types.ts";
import type { Brief, PlacedText } from "./design.ts";
import type { Measured, Setting } from "./typesetter.ts";

/** Alignment of a text block in its box: ink flush with the start edge, or centred. */
export type Alignment = "start" | "center";

/**
 * Places a text so that its ink, rather than its side bearings, touches the edge, and the top of its capitals is at
 * `top`.
 */
export function placeText(
  role: TextRole,
  measured: Measured,
  left: number,
  width: number,
  top: number,
  align: Alignment,
): PlacedText {
  const ink = measured.set.inkBox;
  const x = align === "start" ? left - ink.x : left + (width - ink.width) / 2 - ink.x;
  return movedText(role, measured, Math.round(x), Math.round(top - measured.capTopPx));
}

/** A text with its block's top left at a whole pixel. */
export function movedText(role: TextRole, measured: Measured, x: number, y: number): PlacedText {
  const ink = measured.set.inkBox;
  return {
    role,
    set: measured.set,
    x,
    y,
    ink: { x: x + ink.x, y: y + ink.y, width: ink.width, height: ink.height },
  };
}

/** Sets the disclaimer of a brief; null when it has none. */
export function measureDisclaimer(
  { copy, scale, typesetter }: Brief,
  setting: Omit<Setting, "voice" | "sizePx">,
): Measured | null | "does not fit" {
  if (copy.disclaimer === undefined) return null;
  const sizePx = Math.round(scale.disclaimerPx * 2) / 2;
  return typesetter.measure(copy.disclaimer, { ...setting, voice: "fine_print", sizePx }) ?? "does not fit";
}

/**
 * Width and height of a logo with the given aspect. All logos have about the same area. Null when the logo would be too
 * small.
 */
export function sizeLogo(
  aspect: number,
  area: number,
  widthMax: number,
  heightMax: number,
  isShrunk = false,
): { readonly width: number; readonly height: number } | null {
  const ideal = Math.sqrt(area / aspect);
  const least = logoHeightPxMin(aspect, isShrunk);
  const height = Math.floor(Math.min(heightMax, widthMax / aspect, Math.max(least, ideal)));
  if (height < least) return null;
  return { width: Math.max(1, Math.round(height * aspect)), height };
}

/** Minimum height of a symbol; a shorter symbol would not be recognisable. */
const LOGO_HEIGHT_PX_MIN = 16;
/** A one-line wordmark is recognisable at any height at which text is legible. */
const WORDMARK_HEIGHT_PX_MIN = 10;
/** Between these aspects, the minimum height falls from a symbol's to a wordmark's. */
const WORDMARK_ASPECT = { from: 6, to: 10 } as const;

/** Height of a logo shrunk to make room for text, relative to its usual height. */
export const SHRUNK_LOGO_SHARE = 0.75;

/** Minimum height of a logo with the given aspect (width / height), in whole pixels. */
export function logoHeightPxMin(aspect: number, isShrunk = false): number {
  const { from, to } = WORDMARK_ASPECT;
  const share = Math.min(1, Math.max(0, (aspect - from) / (to - from)));
  const least = LOGO_HEIGHT_PX_MIN * (isShrunk ? SHRUNK_LOGO_SHARE : 1);
  return Math.ceil(least - (least - WORDMARK_HEIGHT_PX_MIN) * share);
}

/** Clear space around a logo. */
export const logoClearancePx = (heightPx: number): number => Math.max(4, Math.round(heightPx * 0.25));
