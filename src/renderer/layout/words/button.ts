import type { ButtonStyle } from "#renderer/look/index.ts";
import type { Box } from "#renderer/types.ts";
import { ARROW, type PlacedButton } from "../design/design.ts";
import { movedText } from "../design/place-elements.ts";
import type { Measured, Typesetter } from "../design/typesetter.ts";

/** A button around its text: even padding, sized by its type. */
export interface ButtonSize {
  readonly sizePx: number;
  /** Null when the button shows an arrow alone. */
  readonly measured: Measured | null;
  readonly width: number;
  readonly height: number;
  /** Length of the look's arrow with the gap before it; 0 without one. */
  readonly arrowPx: number;
  readonly style: ButtonStyle;
}

/** Length of an arrow and the gap before it, in em. */
const ARROW_EM = 0.95;
const ARROW_GAP_EM = 0.5;
/** Height in em of a button that only underlines its text. */
const RULE_HEIGHT_EM = 1.75;
/** Distance from the button's top to the top of the capitals, in em. The underline is below the text's baseline. */
const RULE_HEAD_EM = 0.32;

/** Sets a button's text on at most `linesMax` lines; null if it would be wider than `widthMax`. */
export function sizeButton(
  typesetter: Typesetter,
  words: string,
  sizePx: number,
  widthMax: number,
  isCompact: boolean,
  linesMax = 1,
): ButtonSize | null {
  const style = typesetter.look.button;
  const heightEm = style.shape === "rule" ? RULE_HEIGHT_EM : isCompact ? 2.05 : 2.6;
  if (words === ARROW) {
    const height = Math.round(sizePx * heightEm);
    return height > widthMax
      ? null
      : { sizePx, measured: null, width: height, height, arrowPx: height, style };
  }
  const padding = paddingOf(style, sizePx, isCompact);
  // An arrow follows a single line only.
  const arrowPx = style.hasArrow && linesMax === 1 ? Math.round(sizePx * (ARROW_EM + ARROW_GAP_EM)) : 0;
  const measured = typesetter.measure(words, {
    voice: "button",
    sizePx,
    lineHeight: 1.2,
    linesMax,
    widthPx: linesMax === 1 ? 100_000 : Math.max(1, widthMax - padding * 2),
    align: linesMax === 1 ? "start" : "center",
  });
  if (measured === null) return null;
  const width = Math.ceil(measured.set.inkBox.width + padding * 2) + arrowPx;
  if (width > widthMax) return null;
  const height = Math.max(
    Math.round(sizePx * heightEm),
    Math.ceil(measured.set.inkBox.height + (measured.set.lines.length === 1 ? 4 : sizePx * 1.2)),
  );
  return { sizePx, measured, width, height, arrowPx, style };
}

const paddingOf = ({ shape, paddingTimes }: ButtonStyle, sizePx: number, isCompact: boolean): number =>
  shape === "rule" ? 0 : sizePx * (isCompact ? 0.85 : 1.3) * paddingTimes;

/** Places a button with its top left at whole pixels and its text centred by the capitals. */
export function placeButton(size: ButtonSize, left: number, top: number): PlacedButton {
  const { sizePx, measured, width, height, arrowPx, style } = size;
  const box: Box = { x: Math.round(left), y: Math.round(top), width, height };
  const long = Math.round(sizePx * ARROW_EM);
  const tall = Math.round(sizePx * 0.6);
  if (measured === null) {
    const x = box.x + Math.round((width - long) / 2);
    return {
      box,
      sizePx,
      text: null,
      arrow: { x, y: box.y + (height - tall) / 2, width: long, height: tall },
    };
  }
  const ink = measured.set.inkBox;
  const isRule = style.shape === "rule" && measured.set.lines.length === 1;
  const x = box.x + (box.width - arrowPx - ink.width) / 2 - ink.x;
  const capTop = isRule ? sizePx * RULE_HEAD_EM : (box.height - measured.heightPx) / 2;
  const y = box.y + capTop - measured.capTopPx;
  // Long descenders and stacked marks reach past the capitals: the text moves so that its ink stays inside.
  const low = box.y + 1 - ink.y;
  const high = box.y + box.height - 1 - ink.y - ink.height;
  const fitted = Math.round(Math.min(Math.max(y, low), Math.max(low, high)));
  const text = movedText("cta", measured, Math.round(x), fitted);
  if (arrowPx === 0) return { box, sizePx, text, arrow: null };
  const middle = fitted + measured.capTopPx + measured.heightPx / 2;
  const end = text.ink.x + text.ink.width + arrowPx;
  return { box, sizePx, text, arrow: { x: end - long, y: middle - tall / 2, width: long, height: tall } };
}
