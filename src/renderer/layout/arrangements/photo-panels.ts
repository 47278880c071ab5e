import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import { inset, WHOLE } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import {
  type Brief,
  type CopyBlock,
  type Design,
  headlineScore,
  isBeside,
  NO_SCRIMS,
  type PlacedPicture,
  type Side,
} from "../design/design.ts";
import { coverRegion } from "../pictures/place-pictures.ts";
import { nearestLength, wholeLengths } from "../pictures/whole-subject-range.ts";
import { spreadOver } from "../words/spread-words.ts";
import { columnPanel, fitPanel, type Panel, shifted, signedPanel } from "../words/text-panel.ts";
import { panelOverLogo } from "./panel-over-logo.ts";
import { row } from "./row.ts";

/** Words on the plain surface and a photo with a sharp edge: nothing lies on the photo, so nothing on it is covered. */

/** Shares of the canvas that the photo may take, the largest first. */
const PHOTO_SHARES = [0.72, 0.66, 0.6, 0.54, 0.48, 0.42, 0.36, 0.3, 0.24];
/** A skyscraper's photo takes about half of it. */
const SLIM_PHOTO_SHARES = [0.56, 0.52, 0.48, 0.44, 0.4, 0.36, 0.3, 0.24];
/** A photo that is lower or narrower than this share of the canvas is a strip. */
const PHOTO_SHARE_MIN = { across: 0.14, down: 0.1 } as const;
/** Largest photo of a landscape, of a column on a square, and of a band on a square: a larger one leaves too little for words. */
const SPLIT_SHARE_MAX = { landscape: 0.7, column: 0.72, square: 0.82 } as const;
/**
 * A photo too wide for a column of a square is narrowed to this share of the canvas's width, if that is at least `least` of
 * the width that shows its subject whole at full height. Its plain background fills the place over it.
 */
const NARROWED = { share: 0.62, least: 0.66 } as const;
/** Fine print and prose go before the photo of a landscape or square is smaller than this share of it. */
export const PHOTO_WITH_EXTRAS_MIN = 0.36;
/** Words have more room on a panel than on a photo, and may be this much larger: usually, on a skyscraper, on a leaderboard. */
const TYPE_TIMES = 1.4;
const SLIM_TYPE_TIMES = 1.8;
const LOW_TYPE_TIMES = 1.25;
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
export function photoPanel(brief: Brief, side: Side, isFramed = false): Design | null {
  const isWished = brief.composition === "framed" || brief.look.layout.framesPhotos;
  // A photo from edge to edge is worth its prose.
  if (isFramed && !isWished && brief.shape === "square" && hasExtras(brief)) return null;
  const axis = isBeside(side) ? "across" : "down";
  const frame = isFramed ? Math.round(brief.scale.marginPx * FRAME_MARGINS) : 0;
  const wide = axis === "across";
  const isSlim = brief.shape === "skyscraper";
  const lengths = wholeLengths(brief, axis, (wide ? brief.height : brief.width) - frame * 2);
  const whole = wide ? brief.width : brief.height;
  const low = brief.shape === "landscape" || brief.shape === "square" ? brief.shape : null;
  const most =
    low === null || hasSmallSafeArea(brief)
      ? Number.POSITIVE_INFINITY
      : SPLIT_SHARE_MAX[wide && low === "square" ? "column" : low];
  const least = Math.max(PHOTO_SHARE_MIN[axis], low !== null && hasExtras(brief) ? PHOTO_WITH_EXTRAS_MIN : 0);
  const tried = new Set<number>();
  for (const share of isSlim ? SLIM_PHOTO_SHARES : PHOTO_SHARES) {
    const length = nearestLength(lengths, whole * share);
    if (length === null || length < whole * least || length + frame * 2 > whole * most) continue;
    tried.add(length);
  }
  // The photo is too wide for a column: narrow it, and let its plain background go on over it.
  const narrow = Math.round(whole * NARROWED.share);
  const goesOn = tried.size === 0 && low === "square" && wide && brief.hero?.ground?.plainSides.top === true;
  if (goesOn && lengths.some((one) => one.least * NARROWED.least <= narrow)) tried.add(narrow);
  const found = [...tried].flatMap(
    (length) => besidePhoto(brief, side, frame, roomOf(brief, side, length, frame)) ?? [],
  );
  return bestScored(found, ({ worth }) => worth, 0)?.design ?? null;
}

/** The least headline of a slim canvas, as shares of its width. */
const SLIM_HEADLINES = [0.34, 0.3, 0.27, 0.25, 0.22, 0.19, 0.16, 0];
/** Lines with a lower score are a heap of single words: a smaller headline reads better. */
const SLIM_BREAKS_MIN = 0.45;
const BROKEN_WORTH = 0.6;

/** A skyscraper's brief with ever smaller least headlines: the larger one is, the less height stays empty. */
export const withLeastHeadlines = (brief: Brief): readonly Brief[] =>
  SLIM_HEADLINES.map((share) => {
    const headlinePxMin = Math.max(brief.scale.headlinePxMin, Math.round(brief.width * share));
    const headlinePxMax = Math.max(headlinePxMin, brief.scale.headlinePxMax * SLIM_TYPE_TIMES);
    return { ...brief, scale: { ...brief.scale, headlinePxMin, headlinePxMax } };
  });

/** Words of a skyscraper between its photo and the logo at its end, as large as their lines break well. */
function slimWords(brief: Brief, side: Side, region: Box): Panel | null {
  const headed = { region, align: "start", stand: "middle", logoAt: "head", fillMax: 1 } as const;
  const bestOf = (fit: (least: Brief) => Panel | null) =>
    bestScored(
      withLeastHeadlines(brief).flatMap((least) => fit(least) ?? []),
      (panel) => slimHeadlineOf(brief, panel),
    );
  const signed = side === "foot" ? bestOf((least) => panelOverLogo(least, region)) : null;
  return signed ?? bestOf((least) => fitPanel(least, headed));
}

/** A slim headline's size as a share of the canvas's width; less where its lines break badly. */
export function slimHeadlineOf({ width }: Brief, { texts, lineBreakScore }: CopyBlock): number {
  const px = texts.find(({ role }) => role === "headline")?.set.fontSizePx ?? 0;
  return (px / width) * (lineBreakScore < SLIM_BREAKS_MIN ? BROKEN_WORTH : 1);
}

export const hasExtras = ({ copy: { subheadline, disclaimer, badge } }: Brief): boolean =>
  [subheadline, disclaimer, badge].some((text) => text !== undefined);

interface Laid {
  readonly design: Design;
  readonly worth: number;
}

/** The composition with a photo in its place and the words beside it; null where they do not fit. */
export function besidePhoto(brief: Brief, side: Side, frame: number, room: Box): Laid | null {
  const column = columnOf(brief, side, room);
  const isSlim = brief.shape === "skyscraper";
  const isLow = brief.shape === "leaderboard";
  const times = isSlim ? SLIM_TYPE_TIMES : isLow ? LOW_TYPE_TIMES : TYPE_TIMES;
  const larger = isSlim ? brief : withLargerType(brief, times);
  const fitted = column === null ? null : wordsIn(larger, side, column);
  if (fitted === null || column === null) return null;
  const isGroup = isSlim || isLow || isBlockColumn(brief, side);
  const panel = isGroup ? fitted : spreadOver(fitted, column, brief.height);
  const isOverWords = !isBeside(side) && !UPRIGHT_SHAPES.includes(brief.shape);
  if (isOverWords && hasExtras(brief) && headlineScore(panel) < CROWDED_HEADLINE_MIN) return null;
  const shown = (room.width * room.height) / (brief.width * brief.height);
  const isBroken = (panel.button?.text?.set.lines.length ?? 1) > 1;
  const headline = Math.min(HEADLINE_GOOD, headlineScore(panel) * times);
  const worth = (0.2 + headline) * photoWorthOf(brief, shown) * (isBroken ? BROKEN_BUTTON_WORTH : 1);
  const pictures = picturesIn(brief, room, frame > 0);
  return { worth, design: { ...panel, surface: "flat", pictures, ...NO_SCRIMS } };
}

/** Extras (`hasExtras`) are dropped before the headline under a photo scores lower. */
const CROWDED_HEADLINE_MIN = 0.46;

/** Words beside a photo on a square or 4:5 are one group in the middle of the height, the logo over it. */
const isBlockColumn = ({ shape }: Brief, side: Side): boolean =>
  isBeside(side) && (shape === "square" || shape === "portrait");

/** From this share of a landscape or square on, a larger photo only crowds its words; a smaller share than the least looks like a stamp. */
const PHOTO_SHARE_ENOUGH = 0.55;
const PHOTO_SHARE_GOOD = 0.45;
const UPRIGHT_SHAPES: readonly Brief["shape"][] = ["portrait", "story", "skyscraper"];

const photoWorthOf = ({ shape }: Brief, shown: number): number =>
  UPRIGHT_SHAPES.includes(shape)
    ? Math.sqrt(shown)
    : Math.sqrt(Math.min(PHOTO_SHARE_ENOUGH, shown)) * Math.min(1, shown / PHOTO_SHARE_GOOD);

const withLargerType = (brief: Brief, times: number): Brief => ({
  ...brief,
  scale: { ...brief.scale, headlinePxMax: brief.scale.headlinePxMax * times },
});

/** The photo's place, opposite the words. */
export function roomOf({ width, height }: Brief, side: Side, lengthPx: number, frame: number): Box {
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

/** Between a photo and words beside it on a square or 4:5, in margins. */
const COLUMN_GAP = 0.7;
/** Over and under words at the foot of a landscape or square, in margins. */
const FOOT_MARGINS = 0.62;

/** What the photo leaves to the words, less their margins; null where that is nothing. */
function columnOf(brief: Brief, side: Side, room: Box): Box | null {
  const { scale, safe } = brief;
  const isSmallSafe = hasSmallSafeArea(brief);
  // A small safe area has air around it: its words may come near to its head and foot.
  const content = inset(safe, scale.marginPx, scale.marginPx * (isSmallSafe ? 0.3 : 1));
  const gap = scale.marginPx * (isSmallSafe ? 1.6 : isBlockColumn(brief, side) ? COLUMN_GAP : 1);
  const [left, top] = [content.x, content.y];
  const [right, bottom] = [content.x + content.width, content.y + content.height];
  const edges = { left, top, right, bottom };
  if (side === "start") edges.right = Math.min(right, room.x - gap);
  if (side === "end") edges.left = Math.max(left, room.x + room.width + gap);
  if (side === "head") edges.bottom = Math.min(bottom, room.y - gap);
  if (side === "foot") {
    const pad = UPRIGHT_SHAPES.includes(brief.shape) ? gap : gap * FOOT_MARGINS;
    edges.top = Math.max(top, room.y + room.height + pad);
    edges.bottom += gap - pad;
  }
  const [width, height] = [edges.right - edges.left, edges.bottom - edges.top];
  return width < 8 || height < 8 ? null : { x: edges.left, y: edges.top, width, height };
}

function wordsIn(brief: Brief, side: Side, column: Box): CopyBlock | null {
  const request = { stand: "middle", fillMax: 1 } as const;
  if (brief.shape === "square" && side === "foot" && column.height < brief.height * ROW_HEIGHT_MAX)
    return rowIn(brief, column);
  if (isBlockColumn(brief, side))
    return fitPanel(brief, { ...request, region: column, align: "start", logoAt: "lead" });
  if (isBeside(side)) {
    return hasSmallSafeArea(brief) ? signedPanel(brief, column, request) : columnPanel(brief, column);
  }
  return brief.shape === "skyscraper" ? slimWords(brief, side, column) : signedPanel(brief, column, request);
}

/** In a band lower than this share of a square, words stand in one row, as in a strip. */
const ROW_HEIGHT_MAX = 0.12;
/** Margins that `row` keeps around its words, as shares of the words' height: the row is laid out that much larger. */
const ROW_AIR = { across: 0.264, down: 0.16 };

function rowIn(brief: Brief, column: Box): CopyBlock | null {
  const { x, y, ...size } = inset(column, -column.height * ROW_AIR.across, -column.height * ROW_AIR.down);
  const scale = { ...brief.scale, marginPx: 0 };
  const safe = { x: 0, y: 0, ...size };
  const design = row({ ...brief, ...size, hero: null, safe, scale, shape: "leaderboard" });
  return design === null ? null : shifted(design, Math.round(x), Math.round(y));
}

/** The photos in their place, each subject outside the reserved edges. */
export function picturesIn(brief: Brief, room: Box, isFramed: boolean): readonly PlacedPicture[] {
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
