import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import { inset, wholeBox } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import { type Brief, type Design, headlineScore, isCutByFoot, isStandingPerson } from "../design/design.ts";
import { standInRegion } from "../pictures/place-pictures.ts";
import { columnPanel, fitPanel, type Panel } from "../words/text-panel.ts";

/** How a panel divides a canvas: the tinted part, the product's region in and around it, and the text's region. */
interface Division {
  readonly cell: Box;
  readonly room: Box;
  readonly words: Box;
  readonly cornerRadiusPx?: number;
}

/** Sizes of a panel to try, as fractions of the canvas. */
const SHARES = [0.42, 0.5, 0.58];
const LEADERBOARD_SHARES = [0.34, 0.4, 0.46, 0.52];
/** Space above and below a picture on a leaderboard's panel, as a fraction of the canvas height. */
const LOW_AIR = 0.04;
/**
 * Widths of a slim panel, as fractions of the canvas, and the product's overhang at the panel's edge, as a fraction of
 * the panel's width.
 */
const SLIM_SHARES = [0.3, 0.38, 0.46];
const OVERLAP = 0.22;
/** The floor in front of a product takes this fraction of the canvas height. */
const FLOOR_SHARE = 0.055;

/** Split: the product on a tinted panel, from edge to edge; the text beside it, or below it on upright canvases. */
export const productOnPanel = (brief: Brief): Design | null =>
  bestOf(
    brief,
    sharesOf(brief).map((share) => {
      const { width, height, scale, safe } = brief;
      const m = scale.marginPx;
      const content = inset(safe, m, m);
      if (standsBeside(brief)) {
        const cell = { x: width * (1 - share), y: 0, width: width * share, height };
        const room = standingRoom(brief, { ...cell, x: cell.x + m * 0.7, width: cell.width - m * 1.4 });
        return { cell, room, words: { ...content, width: cell.x - m * 0.9 - content.x } };
      }
      const cell = { x: 0, y: 0, width, height: safe.y + safe.height * share };
      const top = safe.y + m * 0.7;
      const room = onFloor(brief, { x: m, y: top, width: width - m * 2, height: cell.height - top });
      const wordsTop = cell.height + m;
      return {
        cell,
        room,
        words: { ...content, y: wordsTop, height: content.y + content.height - wordsTop },
      };
    }),
  );

/** Framed: the product on a tile inside margins; the text beside or above it. */
export const productInTile = (brief: Brief): Design | null =>
  bestOf(
    brief,
    sharesOf(brief).map((share) => {
      const { width, height, scale, safe } = brief;
      const m = scale.marginPx;
      const content = inset(safe, m, m);
      const gap = Math.round(m * 0.8);
      const isBeside = standsBeside(brief);
      const wide = isBeside ? width * share : width - gap * 2;
      const tall = isBeside ? height - gap * 2 : safe.height * (share + 0.08);
      const foot = isBeside ? height - gap : Math.min(height - gap, safe.y + safe.height);
      const cell = { x: width - gap - wide, y: foot - tall, width: wide, height: tall };
      const air = m * 0.6;
      const room = onFloor(brief, {
        ...inset(cell, air, air / 2),
        y: cell.y + air,
        height: cell.height - air,
      });
      const words = isBeside
        ? { ...content, width: cell.x - m - content.x }
        : { ...content, height: cell.y - m * 0.9 - content.y };
      return { cell, room, words, cornerRadiusPx: Math.round(scale.cornerRadiusPx * 2) };
    }),
  );

/** Overlap: a slim panel at the end, and a larger product that overlaps its edge towards the text. */
export const productOverPanel = (brief: Brief): Design | null =>
  bestOf(
    brief,
    SLIM_SHARES.map((share) => {
      const { width, height, scale, safe } = brief;
      const m = scale.marginPx;
      const content = inset(safe, m, m);
      const cell = { x: width * (1 - share), y: 0, width: width * share, height };
      const start = cell.x - cell.width * OVERLAP;
      const top = safe.y + m * 0.5;
      const foot = isCutByFoot(brief) ? height : height - (height - safe.y - safe.height) * 0.45;
      const air = isCutByFoot(brief) ? 0 : m * 0.5;
      const free = { x: start, y: top, width: width - start - air, height: foot - top };
      const room = isCutByFoot(brief) ? free : onFloor(brief, free);
      return { cell, room, words: { ...content, width: start - m * 0.8 - content.x } };
    }),
  );

const sharesOf = ({ shape }: Brief): readonly number[] =>
  shape === "leaderboard" ? LEADERBOARD_SHARES : SHARES;

/** On a canvas of at least this aspect, a panel beside the text is wide enough for a product of any aspect. */
const WIDE_CANVAS_MIN = 1.6;

/**
 * Whether the panel is beside the text. A wide product's panel is above or below the text, unless the canvas is wide.
 */
function standsBeside({ shape, width, height, hero }: Brief): boolean {
  if (shape !== "landscape" && shape !== "square") return shape === "leaderboard";
  return width >= height * WIDE_CANVAS_MIN || (hero?.aspect ?? 1) < 1;
}

/** The part of a region above the floor in front of the product. A person has no floor and uses the whole region. */
const onFloor = (brief: Brief, room: Box): Box =>
  isStandingPerson(brief) ? room : { ...room, height: room.height - brief.height * FLOOR_SHARE };

/**
 * The product's region in an edge-to-edge panel. For an upright device it reaches the canvas edge, which cuts the
 * device.
 */
const standingRoom = (brief: Brief, room: Box): Box => {
  const isLow = brief.shape === "leaderboard";
  const pad = isLow ? brief.height * LOW_AIR : brief.scale.marginPx * 0.7;
  const lower = { ...room, y: room.y + pad, height: room.height - pad };
  if (isCutByFoot(brief)) return lower;
  return isLow ? { ...lower, height: lower.height - pad } : onFloor(brief, lower);
};

function bestOf(brief: Brief, divisions: readonly Division[]): Design | null {
  if (brief.hasBackground || brief.secondaryHero !== null || brief.hero?.isCutOut !== true) return null;
  if (brief.shape === "skyscraper" && divisions.some(({ words }) => words.width < brief.width * 0.7))
    return null;
  const designs = divisions.flatMap((division) => {
    const panel = wordsIn(brief, division.words);
    return panel === null || division.room.height < 8 ? [] : [designOf(brief, division, panel)];
  });
  return bestScored(designs, (design) => scoreProductOnSurface(brief, design));
}

function wordsIn(brief: Brief, region: Box): Panel | null {
  if (isWide(brief)) return columnPanel(brief, region);
  return fitPanel(brief, { region, align: "start", stand: "middle", logoAt: "head", fillMax: 1 });
}

function designOf(brief: Brief, { cell, room, cornerRadiusPx = 0 }: Division, panel: Panel): Design {
  const pictures = standInRegion(brief, room, brief.scale.cornerRadiusPx).map((picture) => ({
    ...picture,
    cell: wholeBox(cell),
    cornerRadiusPx,
  }));
  return { surface: "lit", pictures, scrims: [], scrimsOver: "background", ...panel };
}

/** Score of an arrangement. It is highest for a large picture and a large headline without a wide gap between them. */
export function scoreProductOnSurface(brief: Brief, design: Design): number {
  const idle = idleOf(brief, design);
  // If some space is empty anyway, a button below the pictures scores higher.
  const isClosed = idle > 0 && design.button !== null && isUnderPictures(design.button.box, design);
  return scoreSizes(brief, design) * (1 - idle) * (isClosed ? CLOSED_FOOT_FACTOR : 1);
}

/** Whether a canvas is wide enough for text and picture side by side. */
export const isWide = ({ shape }: Brief): boolean => shape === "landscape" || shape === "leaderboard";

/** The headline's size outweighs the picture's: a large picture does not make up for small text. */
const HEADLINE_WEIGHT = 1.4;

/** The picture's target area, as a fraction of the canvas; a larger picture does not score higher. */
const PICTURE_SHARE_WANTED = 0.38;

/** Rises with the sizes of picture and headline; low if either is small. */
function scoreSizes(brief: Brief, design: Design): number {
  const shown = design.pictures.reduce((sum, picture) => sum + picture.box.width * picture.box.height, 0);
  // Around a small safe area the picture has plenty of room, so it is compared with the safe area instead of the
  // canvas.
  const { safe } = brief;
  const wanted = hasSmallSafeArea(brief)
    ? safe.width * safe.height * 0.3
    : brief.width * brief.height * PICTURE_SHARE_WANTED;
  return (
    Math.sqrt(Math.min(1, shown / wanted)) * Math.min(1, 0.05 + headlineScore(design)) ** HEADLINE_WEIGHT
  );
}

const CLOSED_FOOT_FACTOR = 1.06;
const isUnderPictures = (box: Box, { pictures }: Design): boolean =>
  pictures.every((picture) => box.y >= picture.box.y + picture.box.height);

/** The largest gap that looks intended, as a fraction of the height, and the cost of any excess. */
const AIR_SHARE = 0.07;
const IDLE_COST = 0.8;

/** The cost of the largest gap above or below the picture of an upright design, 0..1. */
function idleOf(brief: Brief, { pictures, texts, button }: Design): number {
  const [picture] = pictures;
  if (isWide(brief) || hasSmallSafeArea(brief) || picture === undefined) return 0;
  const top = Math.min(...pictures.map(({ box }) => box.y));
  const bottom = Math.max(...pictures.map(({ box }) => box.y + box.height));
  const boxes = [...texts.map(({ ink }) => ink), ...(button === null ? [] : [button.box])];
  const above = boxes.filter((box) => box.y + box.height <= top);
  if (above.length === 0) return 0;
  const below = boxes.filter((box) => box.y >= bottom).map((box) => box.y);
  const over = top - Math.max(...above.map((box) => box.y + box.height));
  const under = Math.min(brief.safe.y + brief.safe.height - brief.scale.marginPx, ...below) - bottom;
  return IDLE_COST * Math.max(0, Math.max(over, under) / brief.height - AIR_SHARE);
}
