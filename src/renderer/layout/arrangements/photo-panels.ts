import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import { inset, WHOLE } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import { type Brief, type Design, headlineScore, type PlacedPicture } from "../design/design.ts";
import { coverRegion } from "../pictures/place-pictures.ts";
import { type LengthRange, nearestLength, wholeLengths } from "../pictures/whole-subject-range.ts";
import { spreadOver } from "../words/spread-words.ts";
import { columnPanel, fitPanel, type Panel, signedPanel } from "../words/text-panel.ts";
import { barPanel } from "./bar-panel.ts";
import { panelOverLogo } from "./panel-over-logo.ts";

/** Words on the plain surface and a photo with a sharp edge: nothing lies on the photo, so nothing on it is covered. */

/** Where the words stand. */
export type PanelSide = "start" | "end" | "head" | "foot";

/** Shares of the canvas that the photo may take, the largest first. */
const PHOTO_SHARES = [0.72, 0.66, 0.6, 0.54, 0.48, 0.42, 0.36, 0.3, 0.24];
/** A skyscraper's photo takes about half of it. */
const SLIM_PHOTO_SHARES = [0.56, 0.52, 0.48, 0.44, 0.4, 0.36, 0.3, 0.24];
/** A photo that is lower or narrower than this share of the canvas is a strip. */
const PHOTO_SHARE_MIN = { across: 0.14, down: 0.1 } as const;
/** A wider photo leaves the words of a landscape or a square a narrow column. */
const BESIDE_SHARE_MAX = 0.7;
/** In a panel words have room that they lack on a photo: they may be this much larger, most of all in a slim column. */
const TYPE_TIMES = 1.4;
const SLIM_TYPE_TIMES = 1.8;
/** Between a framed photo and the canvas's edges, in margins. */
const FRAME_MARGINS = 0.85;
/** A larger headline than this, of the largest that the shape has on a photo, gains nothing: the photo takes the room. */
const HEADLINE_GOOD = 1.05;
/** A button on two lines shows that its column is too narrow. */
const BROKEN_BUTTON_WORTH = 0.4;

/**
 * The photo beside, over or under a panel with the words, edge to edge, or `framed` inside the page's margins. The edge
 * between them goes where the photo shows its subject whole: the panel takes what remains, and its words fill it. Null
 * where the words do not fit, or no place shows the subject whole.
 */
export function photoPanel(brief: Brief, side: PanelSide, isFramed = false): Design | null {
  const axis = side === "start" || side === "end" ? "across" : "down";
  const frame = isFramed ? Math.round(brief.scale.marginPx * FRAME_MARGINS) : 0;
  const wide = axis === "across";
  const isSlim = brief.shape === "skyscraper";
  const inPhoto = wholeLengths(brief, axis, (wide ? brief.height : brief.width) - frame * 2);
  const lengths = isSlim ? withSky(brief, inPhoto) : inPhoto;
  const whole = wide ? brief.width : brief.height;
  const most =
    wide && (brief.shape === "landscape" || brief.shape === "square") && !hasSmallSafeArea(brief)
      ? BESIDE_SHARE_MAX
      : Number.POSITIVE_INFINITY;
  const tried = new Set<number>();
  for (const share of isSlim ? SLIM_PHOTO_SHARES : PHOTO_SHARES) {
    const length = nearestLength(lengths, whole * share);
    if (length === null || length < whole * PHOTO_SHARE_MIN[axis] || length + frame * 2 > whole * most)
      continue;
    tried.add(length);
  }
  const found = [...tried].flatMap((length) =>
    panelsWith(brief, side, frame, roomOf(brief, side, length, frame)),
  );
  return bestScored(found, ({ worth }) => worth, 0)?.design ?? null;
}

/** How much higher than its photo a place may be whose plain sky or wall goes on over it (`extendedCrop`). */
const EXTENDED_TIMES = 1.35;

const withSky = ({ hero }: Brief, lengths: readonly LengthRange[]): readonly LengthRange[] =>
  hero?.ground?.plainSides.top === true
    ? lengths.map(({ least, most }) => ({ least, most: most * EXTENDED_TIMES }))
    : lengths;

const panelDesign = (brief: Brief, room: Box, panel: Panel, isFramed: boolean): Design => ({
  surface: "flat",
  pictures: picturesIn(brief, room, isFramed),
  scrims: [],
  scrimsOver: "pictures",
  ...panel,
});

/** The least headline of a slim canvas, as shares of its width: the first that fits fills the height. */
const SLIM_HEADLINES = [0.25, 0.22, 0.19, 0.16, 0];

/** Words of a skyscraper in one group between its photo and the logo at its end, as large as fit. */
function slimWords(brief: Brief, side: PanelSide, region: Box): Panel | null {
  for (const share of SLIM_HEADLINES) {
    const headlinePxMin = Math.max(brief.scale.headlinePxMin, Math.round(brief.width * share));
    const least = { ...brief, scale: { ...brief.scale, headlinePxMin } };
    const slim = side === "foot" ? panelOverLogo(least, region) : null;
    const panel =
      slim ?? fitPanel(least, { ...{ region, align: "start", stand: "middle", fillMax: 1 }, logoAt: "head" });
    if (panel !== null) return panel;
  }
  return null;
}

/** Heights of a print on its page, as shares of the canvas; a smaller one is a stamp. */
const PRINT_SHARES = [0.76, 0.7, 0.62, 0.54, 0.46, 0.38, 0.3];
/** Widths of a print beside its words, as shares of a wide canvas with the print's frame. */
const SIDE_PRINT_SHARES = [0.67, 0.6, 0.52];
/** Prose and a badge go before a print is smaller than this share of the canvas. */
const PRINT_WITH_EXTRAS_MIN = 0.4;

const hasExtras = ({ copy: { subheadline, disclaimer, badge } }: Brief): boolean =>
  [subheadline, disclaimer, badge].some((text) => text !== undefined);

/**
 * The photo as a print in the middle of its page, in proportions that show its subject whole, with centred words under it;
 * on a wide canvas beside them: for a photo that fits no place from edge to edge. Null where the words do not fit.
 */
export function photoPrint(brief: Brief): Design | null {
  const { look, width, height, scale } = brief;
  const centred = { ...brief, look: { ...look, layout: { ...look.layout, align: "center" } } } as const;
  const frame = Math.round(scale.marginPx * FRAME_MARGINS);
  const isWide = brief.shape === "landscape";
  const found = (isWide ? SIDE_PRINT_SHARES : PRINT_SHARES).flatMap((share) => {
    const tall = Math.round(height * share);
    const wide = isWide
      ? Math.round(width * share - frame)
      : nearestLength(wholeLengths(brief, "across", tall), width);
    const long = isWide && wide !== null ? nearestLength(wholeLengths(brief, "down", wide), height) : tall;
    if (wide === null || long === null || wide > width - frame * 2 || long > height - frame * 2) return [];
    if (hasExtras(brief) && wide * long < width * height * PRINT_WITH_EXTRAS_MIN) return [];
    const room = isWide
      ? { x: width - frame - wide, y: Math.round((height - long) / 2), width: wide, height: long }
      : { x: Math.round((width - wide) / 2), y: frame, width: wide, height: long };
    return panelsWith(isWide ? brief : centred, isWide ? "start" : "foot", frame, room, true);
  });
  return bestScored(found, ({ worth }) => worth, 0)?.design ?? null;
}

interface Laid {
  readonly design: Design;
  readonly worth: number;
}

/**
 * The compositions with a photo in its place and words in one block or in a bar; empty where neither fits beside it.
 */
function panelsWith(
  brief: Brief,
  side: PanelSide,
  frame: number,
  room: Box,
  isPrint = false,
): readonly Laid[] {
  const column = columnOf(brief, side, room);
  const isSlim = brief.shape === "skyscraper";
  const times = isSlim ? SLIM_TYPE_TIMES : TYPE_TIMES;
  const larger = withLargerType(brief, times);
  const fitted = column === null ? null : wordsIn(larger, side, column);
  const shown = (room.width * room.height) / (brief.width * brief.height);
  const laid = (panel: Panel): Laid => {
    const isBroken = (panel.button?.text?.set.lines.length ?? 1) > 1;
    const headline = Math.min(HEADLINE_GOOD, headlineScore(panel) * times);
    return {
      worth: (0.2 + headline) * (isPrint ? shown : Math.sqrt(shown)) * (isBroken ? BROKEN_BUTTON_WORTH : 1),
      design: panelDesign(brief, room, panel, frame > 0),
    };
  };
  const spread =
    fitted === null || column === null || isSlim ? fitted : spreadOver(fitted, column, brief.height);
  const isCramped =
    spread === null || (brief.shape !== "story" && headlineScore(spread) * times < BAR_HEADLINE_MAX);
  const low = side === "foot" && isCramped ? barUnder(larger, room, isPrint ? "print" : "split") : null;
  const isSmall = (panel: Panel): boolean =>
    isPrint && hasExtras(brief) && headlineScore(panel) < BAR_HEADLINE_MIN.split;
  return [spread, low].flatMap((panel) => (panel === null || isSmall(panel) ? [] : [laid(panel)]));
}

/** Words under a photo stand in a bar where they would be smaller than this one under the other. */
const BAR_HEADLINE_MAX = 0.8;
/** Prose and a badge go before a bar's headline has a lower score. */
const BAR_HEADLINE_MIN = { split: 0.42, print: 0.58 } as const;
/** Over and under the words of a bar, in margins: the first with which they fit. */
const BAR_MARGINS = [0.8, 0.55];

/** Words in a bar under a photo that leaves little of the canvas. */
function barUnder(brief: Brief, room: Box, kind: keyof typeof BAR_HEADLINE_MIN): Panel | null {
  const { scale, safe, shape } = brief;
  if (shape === "skyscraper" || shape === "landscape") return null;
  const isCrowded = hasExtras(brief);
  for (const margins of isCrowded ? BAR_MARGINS.slice(0, 1) : BAR_MARGINS) {
    const pad = Math.round(scale.marginPx * margins);
    const top = room.y + room.height + pad;
    const height = safe.y + safe.height - pad - top;
    const region = { ...inset(safe, scale.marginPx, 0), y: top, height };
    const panel = height < 8 ? null : barPanel(brief, region);
    if (panel !== null && headlineScore(panel) >= BAR_HEADLINE_MIN[isCrowded ? kind : "split"]) return panel;
  }
  return null;
}

const withLargerType = (brief: Brief, times: number): Brief => ({
  ...brief,
  scale: { ...brief.scale, headlinePxMax: brief.scale.headlinePxMax * times },
});

/** The photo's place, opposite the words. */
export function roomOf({ width, height }: Brief, side: PanelSide, lengthPx: number, frame: number): Box {
  const page = { x: frame, y: frame, width: width - frame * 2, height: height - frame * 2 };
  switch (side) {
    case "start":
      return { ...page, x: width - frame - lengthPx, width: lengthPx };
    case "end":
      return { ...page, width: lengthPx };
    case "head":
      return { ...page, y: height - frame - lengthPx, height: lengthPx };
    case "foot":
      return { ...page, height: lengthPx };
  }
}

/** What the photo leaves to the words, less their margins; null where that is nothing. */
function columnOf(brief: Brief, side: PanelSide, room: Box): Box | null {
  const { scale, safe } = brief;
  const isSmallSafe = hasSmallSafeArea(brief);
  // A small safe area has air around it: its words may come near to its head and foot.
  const content = inset(safe, scale.marginPx, scale.marginPx * (isSmallSafe ? 0.3 : 1));
  const gap = scale.marginPx * (isSmallSafe ? 1.6 : 1);
  const [left, top] = [content.x, content.y];
  const [right, bottom] = [content.x + content.width, content.y + content.height];
  const edges = { left, top, right, bottom };
  if (side === "start") edges.right = Math.min(right, room.x - gap);
  if (side === "end") edges.left = Math.max(left, room.x + room.width + gap);
  if (side === "head") edges.bottom = Math.min(bottom, room.y - gap);
  if (side === "foot") edges.top = Math.max(top, room.y + room.height + gap);
  const [width, height] = [edges.right - edges.left, edges.bottom - edges.top];
  return width < 8 || height < 8 ? null : { x: edges.left, y: edges.top, width, height };
}

function wordsIn(brief: Brief, side: PanelSide, column: Box): Panel | null {
  const request = { stand: "middle", fillMax: 1 } as const;
  if (side === "start" || side === "end") {
    return hasSmallSafeArea(brief) ? signedPanel(brief, column, request) : columnPanel(brief, column);
  }
  return brief.shape === "skyscraper" ? slimWords(brief, side, column) : signedPanel(brief, column, request);
}

/** The photos in their place; a subject stands where no edge is reserved. */
function picturesIn(brief: Brief, room: Box, isFramed: boolean): readonly PlacedPicture[] {
  const { safe } = brief;
  const top = Math.max(room.y, safe.y);
  const end = Math.min(room.y + room.height, safe.y + safe.height);
  const free =
    end - top < room.height * 0.4
      ? WHOLE
      : { x: 0, y: (top - room.y) / room.height, width: 1, height: (end - top) / room.height };
  const pictures = coverRegion(brief, room, free);
  return isFramed ? pictures.map((placed) => framed(brief, placed)) : pictures;
}

/** A photo as a flat card; a cut-out keeps its cell. */
const framed = ({ scale }: Brief, placed: PlacedPicture): PlacedPicture =>
  placed.fill === "cover" && placed.cell === null
    ? { ...placed, fill: "card", isFlat: true, cornerRadiusPx: Math.round(scale.cornerRadiusPx * 1.6) }
    : placed;

/** A design whose photos stand in from the canvas's edges as flat cards. */
export const framedDesign = (brief: Brief, design: Design, frame: number): Design => ({
  ...design,
  pictures: design.pictures.map((placed) =>
    framed(brief, { ...placed, box: inset(placed.box, frame, frame) }),
  ),
});
