import type { Box } from "../types.ts";
import type { Brief, PlacedButton, PlacedText, TextRole } from "./design.ts";
import type { Measured, Setting, Typesetter } from "./typesetter.ts";

/** How a block of text is aligned in its box: its ink is flush with the start edge, or centred. */
export type Alignment = "start" | "center";

/** Places a text so that its ink, not its side bearings, meets the edge, and its capitals' top is at `top`. */
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

function movedText(role: TextRole, measured: Measured, x: number, y: number): PlacedText {
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
  setting: Omit<Setting, "weight" | "sizePx">,
): Measured | null | "does not fit" {
  if (copy.disclaimer === undefined) return null;
  const sizePx = Math.round(scale.disclaimerPx * 2) / 2;
  return typesetter.measure(copy.disclaimer, { ...setting, weight: "regular", sizePx }) ?? "does not fit";
}

/** A button around its words: even padding, sized by its type. */
export interface ButtonSize {
  readonly measured: Measured;
  readonly width: number;
  readonly height: number;
}

/** Sets a button's words on one line, or at most `linesMax`; null when it would be wider than `widthMax`. */
export function sizeButton(
  typesetter: Typesetter,
  words: string,
  sizePx: number,
  widthMax: number,
  isCompact: boolean,
  linesMax = 1,
): ButtonSize | null {
  const padding = sizePx * (isCompact ? 0.85 : 1.3);
  const measured = typesetter.measure(words, {
    weight: "bold",
    sizePx,
    lineHeight: 1.2,
    linesMax,
    widthPx: linesMax === 1 ? 100_000 : Math.max(1, widthMax - padding * 2),
    align: linesMax === 1 ? "start" : "center",
  });
  if (measured === null) return null;
  const width = Math.ceil(measured.set.inkBox.width + padding * 2);
  if (width > widthMax) return null;
  const height = Math.max(
    Math.round(sizePx * (isCompact ? 2.05 : 2.6)),
    Math.ceil(measured.set.inkBox.height + (measured.set.lines.length === 1 ? 4 : sizePx * 1.2)),
  );
  return { measured, width, height };
}

/** Puts a button's top left at whole pixels, its words centred by their capitals. */
export function placeButton(size: ButtonSize, left: number, top: number): PlacedButton {
  const box: Box = { x: Math.round(left), y: Math.round(top), width: size.width, height: size.height };
  const ink = size.measured.set.inkBox;
  const x = box.x + (box.width - ink.width) / 2 - ink.x;
  const y = box.y + (box.height - size.measured.heightPx) / 2 - size.measured.capTopPx;
  // Long descenders and stacked marks reach past the capitals: the words move so that their ink stays inside.
  const low = box.y + 1 - ink.y;
  const high = box.y + box.height - 1 - ink.y - ink.height;
  const fitted = Math.round(Math.min(Math.max(y, low), Math.max(low, high)));
  return { box, text: movedText("cta", size.measured, Math.round(x), fitted) };
}

/** Width and height of a logo of an aspect: equal areas weigh the same. Null when it cannot be as high as it must. */
export function sizeLogo(
  aspect: number,
  area: number,
  widthMax: number,
  heightMax: number,
): { readonly width: number; readonly height: number } | null {
  const ideal = Math.sqrt(area / aspect);
  const least = logoHeightPxMin(aspect);
  const height = Math.floor(Math.min(heightMax, widthMax / aspect, Math.max(least, ideal)));
  if (height < least) return null;
  return { width: Math.max(1, Math.round(height * aspect)), height };
}

/** A mark under this height is a smudge. */
const LOGO_HEIGHT_PX_MIN = 16;
/** A long name in one line consists of letters only: it may be as low as legible text. */
const WORDMARK_HEIGHT_PX_MIN = 10;
/** Between these aspects a logo turns from a mark with a name into a line of letters. */
const WORDMARK_ASPECT = { from: 6, to: 10 } as const;

/** The least height of a logo of an aspect (width / height), whole pixels. */
export function logoHeightPxMin(aspect: number): number {
  const { from, to } = WORDMARK_ASPECT;
  const share = Math.min(1, Math.max(0, (aspect - from) / (to - from)));
  return Math.ceil(LOGO_HEIGHT_PX_MIN - (LOGO_HEIGHT_PX_MIN - WORDMARK_HEIGHT_PX_MIN) * share);
}

/** Space around a logo that nothing else may enter. */
export const logoClearancePx = (heightPx: number): number => Math.max(4, Math.round(heightPx * 0.25));
