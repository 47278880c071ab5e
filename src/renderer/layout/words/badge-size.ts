import type { BadgeShape } from "#renderer/look/index.ts";
import type { PlacedBadge } from "../design/design.ts";
import { movedText } from "../design/place-elements.ts";
import type { Measured, Typesetter } from "../design/typesetter.ts";

/** A badge around its text, not placed yet. */
export interface BadgeSize {
  readonly measured: Measured;
  readonly shape: BadgeShape;
  readonly width: number;
  readonly height: number;
}

/** On a round badge more characters than this would be too small to read. */
const ROUND_CHARACTERS_MAX = 16;
/** Maximum aspect of text that fills a circle well; wider text is broken into two lines. */
const ROUND_ASPECT_MAX = 2.2;

/** Sets a badge's text at a size, in a shape. Long text gets a pill instead of a circle or burst. */
export function sizeBadge(
  typesetter: Typesetter,
  words: string,
  sizePx: number,
  shape: BadgeShape,
): BadgeSize | null {
  const isRound = (shape === "circle" || shape === "burst") && [...words].length <= ROUND_CHARACTERS_MAX;
  return (
    (isRound ? roundBadge(typesetter, words, sizePx, shape) : null) ??
    flatBadge(typesetter, words, sizePx, shape)
  );
}

const setting = { voice: "button", lineHeight: 1.12, align: "center" } as const;

function flatBadge(
  typesetter: Typesetter,
  words: string,
  sizePx: number,
  shape: BadgeShape,
): BadgeSize | null {
  const measured = typesetter.measure(words, {
    ...setting,
    align: "start",
    sizePx,
    linesMax: 1,
    widthPx: 100_000,
  });
  if (measured === null) return null;
  const flat = shape === "circle" || shape === "burst" ? "pill" : shape;
  const padding = sizePx * (flat === "pill" ? 0.78 : 0.62);
  const { inkBox } = measured.set;
  return {
    measured,
    shape: flat,
    width: Math.ceil(inkBox.width + padding * 2),
    height: Math.max(Math.round(sizePx * 1.9), Math.ceil(inkBox.height + sizePx * 0.6)),
  };
}

/** The diameter is that of the circle around the text's ink, with padding. */
function roundBadge(
  typesetter: Typesetter,
  words: string,
  sizePx: number,
  shape: BadgeShape,
): BadgeSize | null {
  const inLines = [1, 2].flatMap((linesMax) => {
    const whole = typesetter.measure(words, { ...setting, sizePx, linesMax: 1, widthPx: 100_000 });
    const widthPx = linesMax === 1 ? 100_000 : (whole?.set.inkBox.width ?? 0) * 0.64;
    const measured =
      widthPx === 0 ? null : typesetter.measure(words, { ...setting, sizePx, linesMax, widthPx });
    return measured === null ? [] : [measured];
  });
  const [oneLine, twoLines] = inLines;
  if (oneLine === undefined) return null;
  const { inkBox } = oneLine.set;
  const measured = inkBox.width > inkBox.height * ROUND_ASPECT_MAX ? (twoLines ?? oneLine) : oneLine;
  const { width, height } = measured.set.inkBox;
  const air = sizePx * (shape === "burst" ? 1.3 : 0.9);
  const diameter = Math.ceil(Math.sqrt(width * width + height * height) + air);
  return { measured, shape, width: diameter, height: diameter };
}

/** Places a badge with its top left at whole pixels and its text centred by the capitals. */
export function placeBadge(size: BadgeSize, left: number, top: number): PlacedBadge {
  const { measured, shape, width, height } = size;
  const box = { x: Math.round(left), y: Math.round(top), width, height };
  const ink = measured.set.inkBox;
  const x = box.x + (width - ink.width) / 2 - ink.x;
  const y = box.y + (height - measured.heightPx) / 2 - measured.capTopPx;
  const low = box.y + 1 - ink.y;
  const high = box.y + height - 1 - ink.y - ink.height;
  const fitted = Math.round(Math.min(Math.max(y, low), Math.max(low, high)));
  return { box, shape, text: movedText("badge", measured, Math.round(x), fitted) };
}
