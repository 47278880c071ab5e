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

/** Text on the plain surface beside a photo with a sharp edge: nothing covers the photo. */

/** Lengths of the photo to try, as fractions of the canvas, the largest first. */
const PHOTO_SHARES = [0.72, 0.66, 0.6, 0.54, 0.48, 0.42, 0.36, 0.3, 0.24];
/**
 * Heights of a skyscraper's photo to try, as fractions of the canvas height, the largest first. The photo fills about
 * half.
 */
const SLIM_PHOTO_SHARES = [0.56, 0.52, 0.48, 0.44, 0.4, 0.36, 0.3, 0.24];
/** A photo shorter or narrower than this fraction of the canvas would be a sliver. */
const PHOTO_SHARE_MIN = { across: 0.14, down: 0.1 } as const;
/**
 * Maximum length of a photo, as a fraction of the canvas: on a landscape, in a `column` of a square, and across the
 * width of a `square`. A longer photo leaves too little room for text.
 */
const SPLIT_SHARE_MAX = { landscape: 0.7, column: 0.72, square: 0.82 } as const;
/**
 * On a square, a photo too wide for a column is shrunk to `share` of the canvas width, and its plain background fills
 * the area above it. This is done only if the shrunk width is at least `least` times the smallest width at which a
 * full-height photo shows its subject whole.
 */
const NARROWED = { share: 0.62, least: 0.66 } as const;
/**
 * Minimum size of the photo on a landscape or square with a subheadline, disclaimer or badge, as a fraction of the
 * canvas. These are dropped before the photo is made smaller.
 */
export const PHOTO_WITH_EXTRAS_MIN = 0.36;
/**
 * Factors by which the largest headline on a panel exceeds the largest on a photo: usually, on a skyscraper and on a
 * leaderboard.
 */
const TYPE_TIMES = 1.4;
const SLIM_TYPE_TIMES = 1.8;
const LOW_TYPE_TIMES = 1.25;
/** Gap between a framed photo and the canvas edges, as a multiple of the margin. */
const FRAME_MARGINS = 0.85;
/**
 * A headline larger than this, relative to the largest on a photo, does not score higher, so the room goes to the
 * photo.
 */
const HEADLINE_GOOD = 1.05;
/** Factor of the score if the button has two lines, because its column is too narrow. */
const BROKEN_BUTTON_WORTH = 0.4;

/**
 * The photo beside, above or below a text panel, edge to edge, or `framed` inside margins. The photo's region shows its
 * subject whole; the panel takes the rest, and its text fills it. Null if the text does not fit, or no region shows the
 * subject whole.
 */
export function photoPanel(brief: Brief, side: Side, isFramed = false): Design | null {
  const isWished = brief.composition === "framed" || brief.look.layout.framesPhotos;
  // On a square, drop the extras (`hasExtras`) rather than frame the photo.
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
  // The photo is too wide for a column: shrink it, and extend its plain background upwards.
  const narrow = Math.round(whole * NARROWED.share);
  const mayExtend =
    tried.size === 0 && low === "square" && wide && brief.hero?.textBackground?.plainSides.top === true;
  if (mayExtend && lengths.some((one) => one.least * NARROWED.least <= narrow)) tried.add(narrow);
  const found = [...tried].flatMap(
    (length) => besidePhoto(brief, side, frame, roomOf(brief, side, length, frame)) ?? [],
  );
  return bestScored(found, ({ worth }) => worth, 0)?.design ?? null;
}

/** Minimum sizes to try for the headline of a skyscraper, as fractions of its width; 0 stands for the usual minimum. */
const SLIM_HEADLINES = [0.34, 0.3, 0.27, 0.25, 0.22, 0.19, 0.16, 0];
/** Lines with a lower line-break score are a stack of single words: a smaller headline reads better. */
const SLIM_BREAKS_MIN = 0.45;
const BROKEN_WORTH = 0.6;

/**
 * A skyscraper's brief with each minimum headline size to try, largest first. A larger headline leaves less empty
 * height.
 */
export const withMinimumHeadlines = (brief: Brief): readonly Brief[] =>
  SLIM_HEADLINES.map((share) => {
    const headlinePxMin = Math.max(brief.scale.headlinePxMin, Math.round(brief.width * share));
    const headlinePxMax = Math.max(headlinePxMin, brief.scale.headlinePxMax * SLIM_TYPE_TIMES);
    return { ...brief, scale: { ...brief.scale, headlinePxMin, headlinePxMax } };
  });

/**
 * A skyscraper's text, as large as good line breaks allow. Below a photo, the text is centred between the photo and the
 * logo at the bottom if that fits.
 */
function slimWords(brief: Brief, side: Side, region: Box): Panel | null {
  const headed = { region, align: "start", stand: "middle", logoAt: "head", fillMax: 1 } as const;
  const bestOf = (fit: (least: Brief) => Panel | null) =>
    bestScored(
      withMinimumHeadlines(brief).flatMap((least) => fit(least) ?? []),
      (panel) => slimHeadlineOf(brief, panel),
    );
  const signed = side === "foot" ? bestOf((least) => panelOverLogo(least, region)) : null;
  return signed ?? bestOf((least) => fitPanel(least, headed));
}

/** The headline's size as a fraction of the canvas width; less if its lines break badly. */
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

/** The composition with the photo in its region and the text beside it; null if the text does not fit. */
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

/** Minimum score of a headline above or below a photo. At a lower score the extras (`hasExtras`) are dropped. */
const CROWDED_HEADLINE_MIN = 0.46;

/** Text beside a photo on a square or 4:5 is one vertically centred group, with the logo above it. */
const isBlockColumn = ({ shape }: Brief, side: Side): boolean =>
  isBeside(side) && (shape === "square" || shape === "portrait");

/**
 * A photo larger than this fraction of a landscape or square crowds its text; a photo smaller than `PHOTO_SHARE_GOOD`
 * looks like a stamp.
 */
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

/** The photo's region, opposite the text. */
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

/** Gap between a photo and the text beside it on a square or 4:5, as a multiple of the margin. */
const COLUMN_GAP = 0.7;
/** Space above and below text under the photo of a landscape or square, as a fraction of the usual space. */
const FOOT_MARGINS = 0.62;

/** The region for text beside the photo, inside its margins; null if it is empty. */
function columnOf(brief: Brief, side: Side, room: Box): Box | null {
  const { scale, safe } = brief;
  const isSmallSafe = hasSmallSafeArea(brief);
  // A small safe area has space around it, so text may come close to its top and bottom.
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

/** In a band of less than this fraction of a square's height, text is in one row, as in a strip. */
const ROW_HEIGHT_MAX = 0.12;
/**
 * Margins that `row` keeps around its text, relative to the text's height. The row's canvas is enlarged by them, so
 * that the text fills the column.
 */
const ROW_AIR = { across: 0.264, down: 0.16 };

function rowIn(brief: Brief, column: Box): CopyBlock | null {
  const { x, y, ...size } = inset(column, -column.height * ROW_AIR.across, -column.height * ROW_AIR.down);
  const scale = { ...brief.scale, marginPx: 0 };
  const safe = { x: 0, y: 0, ...size };
  const design = row({ ...brief, ...size, hero: null, safe, scale, shape: "leaderboard" });
  return design === null ? null : shifted(design, Math.round(x), Math.round(y));
}

/** The photos in their region, with each subject inside the safe area. */
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

/** A photo as a flat card; a cut-out stays on its tinted cell. */
const framed = ({ scale }: Brief, placed: PlacedPicture): PlacedPicture =>
  placed.fill === "cover" && placed.cell === null
    ? { ...placed, fill: "card", isFlat: true, cornerRadiusPx: Math.round(scale.cornerRadiusPx * 1.6) }
    : placed;

/** A design whose photos are flat cards away from the canvas edges. */
export const framedDesign = (brief: Brief, design: Design, frame: number): Design => ({
  ...design,
  pictures: design.pictures.map((placed) =>
    framed(brief, { ...placed, box: inset(placed.box, frame, frame) }),
  ),
});
