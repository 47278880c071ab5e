import { inShares, partOf, scaledBy, unionOf } from "#renderer/box-geometry.ts";
import { tonesUnder, under } from "#renderer/subjects/calm.ts";
import type { Box } from "#renderer/types.ts";
import type { Brief, PictureTraits, TextBackground } from "../design/design.ts";
import { inkAndScrimOpacity } from "../design/photo-ink.ts";

/** The position of a photo under text on the whole canvas. */
export interface Framing {
  /** The visible part, in fractions of the photo; outside 0..1 its plain background is extended. */
  readonly shown: Box;
  readonly ink: "light" | "dark";
  /** The scrim's estimated opacity, 0..1, and the opacity that texture alone requires. */
  readonly opacity: number;
  readonly opacityMin: number;
  /** Mean lightness under the text, 0..1. */
  readonly lightness: number;
  /** The subject's box on the canvas; null without one. */
  readonly subject: Box | null;
  readonly score: number;
}

/** Zooms to try; 1 is the largest crop. */
const ZOOMS = [1, 1.15, 1.35, 1.6];
/** Heights of the subject to try, as fractions of the canvas, where its background can be extended. */
const SUBJECT_SHARES = [0.92, 0.8, 0.7, 0.63, 0.57, 0.52, 0.48, 0.44, 0.38];
/** Maximum enlargement: above it, photos look blurred. */
const ENLARGEMENT_MAX = 1.2;
/** Number of steps through each range of positions. */
const STEPS = 4;
/** Gap between the subject and text, relative to the canvas's shorter edge. */
const CLEARANCE = 0.03;
/** Maximum of texture and objects under text: more would make the text hard to read. */
const RESTLESS_MAX = 0.6;
/** A denser scrim hides the photo. Looks with text panels put text on a photo only if it needs hardly any scrim. */
const OPACITY_MAX = { scrim: 0.55, panel: 0.25 } as const;
/** A subject of this fraction of the canvas is large enough. */
const SUBJECT_SHARE_GOOD = 0.4;

/** Size of a part of a photo, in fractions of its edges. Text is fitted only if some part of this size is calm. */
const LOOKED_AT = { width: 0.24, height: 0.16, steps: 8 } as const;

/** Whether any part of a photo could carry text. */
export function isCalmSomewhere({ calm, mayCarryWords }: TextBackground): boolean {
  const { width, height, steps } = LOOKED_AT;
  for (let at = 0; mayCarryWords && at < steps * steps; at += 1) {
    const x = ((at % steps) / (steps - 1)) * (1 - width);
    const y = (Math.floor(at / steps) / (steps - 1)) * (1 - height);
    const { texture, objects } = under(calm, { x, y, width, height });
    if (objects + texture * (1 - OPACITY_MAX.scrim) <= RESTLESS_MAX) return true;
  }
  return false;
}

/** Ranges of the top left corner of the photo's window, along both axes. */
interface Range {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  /** The part of the canvas without text, fractions 0..1. */
  readonly free: Box;
}

/** A block of text, a logo or a button on a photo, in canvas pixels. A filled button is legible on any photo. */
export interface OnPhoto {
  readonly box: Box;
  readonly isFilled: boolean;
}

/**
 * Moves and scales a photo so that its subject is whole and clear of all elements `on` it, and its calmest part lies
 * under the text. Null if the text would cover the subject or a restless part.
 */
export function framePhoto(brief: Brief, traits: PictureTraits, on: readonly OnPhoto[]): Framing | null {
  const { width, height } = brief;
  const { textBackground } = traits;
  if (textBackground === null) return null;
  const opacityMax = OPACITY_MAX[brief.look.layout.wordsOnPhoto];
  const shares = (box: Box): Box => ({
    x: (brief.isMirrored === true ? width - box.x - box.width : box.x) / width,
    y: box.y / height,
    width: box.width / width,
    height: box.height / height,
  });
  const covers = on.map(({ box }) => shares(box));
  const words = on.flatMap(({ box, isFilled }) => (isFilled ? [] : [shares(box)]));
  const areas = traits.protectedAreas.map(({ whole }) => whole);
  const subject = areas.length === 0 ? null : unionOf(areas);
  let best: Omit<Framing, "ink"> | null = null;
  for (const size of windowSizes(brief, traits, textBackground, subject)) {
    for (const range of rangesOf(brief, textBackground, size, subject, covers)) {
      for (const window of windowsIn(range, size)) {
        const framing = judged(brief, textBackground, window, range.free, subject, words, opacityMax);
        if (framing !== null && (best === null || framing.score > best.score)) best = framing;
      }
    }
  }
  if (best === null) return null;
  // Check the estimate from means against the darkest and lightest pixels.
  const tones = words.map((box) => tonesUnder(textBackground.calm, partOf(best.shown, box)));
  const need = inkAndScrimOpacity(
    Math.min(1, ...tones.map(({ darkest }) => darkest)),
    Math.max(0, ...tones.map(({ lightest }) => lightest)),
    best.lightness,
  );
  return need.opacity > opacityMax
    ? null
    : { ...best, ink: need.ink, opacity: Math.max(best.opacity, need.opacity) };
}

/** Width and height of the photo's window, in fractions of the photo. */
interface WindowSize {
  readonly width: number;
  readonly height: number;
}

function windowSizes(
  { width, height }: Brief,
  { aspect }: PictureTraits,
  { plainSides, sourceWidth }: TextBackground,
  subject: Box | null,
): readonly WindowSize[] {
  const wide = width / height / aspect;
  const sized = (share: number): WindowSize => ({ width: share * wide, height: share });
  const largest = Math.min(1, 1 / wide);
  const covering = ZOOMS.map((zoom) => sized(largest / zoom)).filter(
    (one, at) => at === 0 || width / (one.width * sourceWidth) <= ENLARGEMENT_MAX,
  );
  const { top, right, bottom, left } = plainSides;
  if (subject === null || !(top || right || bottom || left)) return covering;
  // A wide subject takes the whole width of an upright canvas.
  const across = sized(Math.min(1, subject.width * (1 + CLEARANCE * 2)) / wide);
  const extended = [across, ...SUBJECT_SHARES.map((share) => sized(subject.height / share))];
  return [...covering, ...extended.filter((one) => one.height > largest)];
}

/** Ranges of windows with the subject whole and beside all text: a range for each side of the text. */
function rangesOf(
  { width, height, safe }: Brief,
  { plainSides }: TextBackground,
  size: WindowSize,
  subject: Box | null,
  words: readonly Box[],
): readonly Range[] {
  const low = { x: plainSides.left ? -size.width : 0, y: plainSides.top ? -size.height : 0 };
  const high = {
    x: plainSides.right ? 1 : 1 - size.width,
    y: plainSides.bottom ? 1 : 1 - size.height,
  };
  const short = Math.min(width, height);
  const gap = { x: (CLEARANCE * short) / width, y: (CLEARANCE * short) / height };
  const free = { x: 0, y: safe.y / height, width: 1, height: safe.height / height };
  const whole: Range = { x: [low.x, high.x], y: [low.y, high.y], free };
  // Only the background of a subject is extended; a photo without a subject is shown as it is.
  if (subject === null) return [{ ...whole, x: [0, 1 - size.width], y: [0, 1 - size.height] }];
  if (isEmpty(whole)) return [];
  const start: Range = {
    ...whole,
    x: startsWith(whole.x, { from: subject.x, length: subject.width }, size.width, gap.x),
    y: startsWith(whole.y, { from: subject.y, length: subject.height }, size.height, gap.y),
  };
  let ranges = isEmpty(start) ? [] : [start];
  for (const box of words) {
    ranges = ranges.flatMap((range) => beside(range, box, subject, size, gap).filter((one) => !isEmpty(one)));
  }
  return ranges;
}

/**
 * The range of starts at which a window of the given length contains a subject, with `air` (a fraction of the window)
 * at each end, unless the photo ends there.
 */
function startsWith(
  [low, high]: readonly [number, number],
  subject: { readonly from: number; readonly length: number },
  length: number,
  air: number,
): readonly [number, number] {
  const latest = Math.min(high, Math.max(low, subject.from - air * length));
  const earliest = Math.max(low, Math.min(high, subject.from + subject.length - (1 - air) * length));
  const [first, last] = [subject.from + subject.length - length, subject.from];
  if (first > last + SLACK || latest > last + SLACK || earliest < first - SLACK) return [1, 0];
  // If there is not that much space at both ends, the subject is centred.
  const middle = Math.min(high, Math.max(low, (first + last) / 2));
  return earliest <= latest ? [earliest, latest] : [middle, middle];
}

/** Limits a range to windows whose subject is after, before, below or above a text box. */
function beside(
  { x, y, free }: Range,
  box: Box,
  subject: Box,
  size: WindowSize,
  gap: { readonly x: number; readonly y: number },
): readonly Range[] {
  const end = { x: box.x + box.width + gap.x, y: box.y + box.height + gap.y };
  const start = { x: box.x - gap.x, y: box.y - gap.y };
  const freeEnd = { x: free.x + free.width, y: free.y + free.height };
  return [
    {
      x: [x[0], Math.min(x[1], subject.x - end.x * size.width)],
      y,
      free: { ...free, x: Math.max(free.x, end.x), width: freeEnd.x - Math.max(free.x, end.x) },
    },
    {
      x: [Math.max(x[0], subject.x + subject.width - start.x * size.width), x[1]],
      y,
      free: { ...free, width: Math.min(freeEnd.x, start.x) - free.x },
    },
    {
      x,
      y: [y[0], Math.min(y[1], subject.y - end.y * size.height)],
      free: { ...free, y: Math.max(free.y, end.y), height: freeEnd.y - Math.max(free.y, end.y) },
    },
    {
      x,
      y: [Math.max(y[0], subject.y + subject.height - start.y * size.height), y[1]],
      free: { ...free, height: Math.min(freeEnd.y, start.y) - free.y },
    },
  ];
}

/** Tolerance for rounding errors, because crops are sums of fractions. */
const SLACK = 1e-9;
const isEmpty = ({ x, y }: Range): boolean => x[0] > x[1] + SLACK || y[0] > y[1] + SLACK;

function* windowsIn({ x, y }: Range, size: WindowSize): Iterable<Box> {
  for (const top of startsIn(y, size.height)) {
    for (const left of startsIn(x, size.width)) yield { x: left, y: top, ...size };
  }
}

/**
 * Evenly spaced starts in a range. For a window longer than the photo, also the starts that align the window's start or
 * end with the photo's.
 */
function startsIn([from, to]: readonly [number, number], length: number): readonly number[] {
  const count = to - from < 1e-6 ? 0 : STEPS;
  const even = Array.from({ length: count + 1 }, (_, at) =>
    count === 0 ? from : from + ((to - from) * at) / count,
  );
  const atEnds = length > 1 ? [0, 1 - length].filter((start) => start > from && start < to) : [];
  return [...even, ...atEnds];
}

/** Cost of a photo extended downwards: with text on it the extension looks like a panel. */
const FLOOR_COST = 0.6;
/**
 * Factor for a photo extended at both sides: it looks like a band of light. Not applied to leaderboards, where a photo
 * in the middle is closer to its text.
 */
const AMIDST_WORTH = 0.7;
/** Estimated distance of the lightest and darkest pixels from the mean, in standard deviations. */
const DEVIATIONS = 2.2;

/** A window with its score; null if it is restless under the text. */
function judged(
  { width, height, shape }: Brief,
  { calm: map }: TextBackground,
  shown: Box,
  free: Box,
  subject: Box | null,
  words: readonly Box[],
  opacityMax: number,
): Omit<Framing, "ink"> | null {
  let [texture, objects, darkest, lightest, lightness, area] = [0, 0, 1, 0, 0, 1e-9];
  for (const box of words) {
    const found = under(map, partOf(shown, box));
    texture = Math.max(texture, found.texture);
    objects = Math.max(objects, found.objects);
    lightness += found.lightness * box.width * box.height;
    area += box.width * box.height;
    darkest = Math.min(darkest, found.lightness - DEVIATIONS * found.spread);
    lightest = Math.max(lightest, found.lightness + DEVIATIONS * found.spread);
  }
  if (objects > RESTLESS_MAX) return null;
  lightness /= area;
  const needed = inkAndScrimOpacity(Math.max(0, darkest), Math.min(1, lightest), lightness).opacity;
  // A scrim also reduces texture.
  const opacityMin = texture === 0 ? 0 : Math.max(0, 1 - (RESTLESS_MAX - objects) / texture);
  const opacity = Math.max(needed, opacityMin);
  if (opacity > opacityMax) return null;
  const calm = 1 - objects - texture * (1 - opacity);
  const photo = overlapOf(shown);
  const filled = photo / (shown.width * shown.height);
  const isAmidst = shown.x < -SLACK && shown.x + shown.width > 1 + SLACK;
  const floor = Math.max(0, shown.y + shown.height - 1) / shown.height;
  let score =
    (isAmidst && shape !== "leaderboard" ? AMIDST_WORTH : 1) *
    (1 - FLOOR_COST * floor) *
    (0.3 + 0.7 * calm) *
    (1 - 0.8 * opacity) *
    (0.75 + 0.25 * filled);
  if (subject === null)
    return { shown, opacity, opacityMin, lightness, subject: null, score: score * (0.5 + 0.5 * photo) };
  const placed = inShares(subject, shown);
  const across = placed.x + placed.width / 2 - free.x - free.width / 2;
  const down = placed.y + placed.height / 2 - free.y - free.height / 2;
  const share = Math.min(1, (placed.width * placed.height) / SUBJECT_SHARE_GOOD);
  const apart = Math.min(0.5, (across / free.width) ** 2 + (down / free.height) ** 2);
  score *= (0.45 + 0.55 * Math.sqrt(share)) * (1 - apart);
  return { shown, opacity, opacityMin, lightness, subject: scaledBy(placed, width, height), score };
}

/** The area of a window (fractions) inside the photo. */
const overlapOf = ({ x, y, width, height }: Box): number =>
  Math.max(0, Math.min(1, x + width) - Math.max(0, x)) *
  Math.max(0, Math.min(1, y + height) - Math.max(0, y));
