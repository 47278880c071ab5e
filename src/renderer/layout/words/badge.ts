import { bestScored } from "#renderer/best-scored.ts";
import { unionOf } from "#renderer/box-geometry.ts";
import type { Box } from "#renderer/types.ts";
import { inset, isOverlapping } from "../design/boxes.ts";
import { isRow } from "../design/canvas-of-size.ts";
import { type Brief, boxesOf, type Design, type PlacedPicture } from "../design/design.ts";
import { logoClearancePx } from "../design/place-elements.ts";
import { protectedBoxes } from "../pictures/protected-area-damage.ts";
import { type BadgeSize, placeBadge, sizeBadge } from "./badge-size.ts";

/**
 * Type size of a badge, relative to the largest headline's; a few characters ("−40 %") catch the eye and may be larger.
 */
const TYPE_SHARE = 0.46;
const SHORT_CHARACTERS = 6;
const SHORT_TIMES = 1.4;
/** Size factors to try, and the minimum size in pixels. */
const TIMES_LEAST = 0.63;
const TIMES = [1, 0.86, 0.74, TIMES_LEAST];
const TYPE_PX_MIN = 10;
/** A badge outweighs its picture if its area is more than this fraction of the picture's longer side squared. */
const PICTURE_SHARE_MAX = 0.2;
/** Number of spots to try along each edge of a cut-out's surroundings. */
const STEPS = 12;
/**
 * Maximum fraction of the saliency that a badge beside a cut-out may cover. On a photo, the calmest corner is chosen.
 */
const ATTENTION_MAX = 0.58;
/**
 * A corner is not used if an app's controls push the badge further from the photo's edge than this fraction of the
 * canvas height.
 */
const CORNER_DEPTH_MAX = 0.15;
const ATTENTION_COST = { cutOut: 0.9, photo: 0.3 };
/** Cost of a badge between the parts of a cut-out: it looks like one of the parts. */
const INSIDE_COST = 0.2;
/** A badge further from its picture than this fraction of the picture's diagonal looks unrelated. */
const REACH = 0.5;
/** Minimum distance of a badge to the logo. */
const LOGO_CLEARANCE_PX = 8;

/**
 * Puts a finished design's badge on its picture's free corner, or beside a cut-out: never over text, logo, faces or the
 * product. Null if no spot is free at a legible size, and in strips, whose pictures are too short for a badge.
 */
export function withBadge(brief: Brief, design: Design, isMirrored: boolean): Design | null {
  const { badge: words } = brief.copy;
  if (words === undefined) return design;
  if (design.pictures.length === 0 || isRow(brief.shape)) return null;
  const around = surroundingsOf(brief, design, isMirrored);
  return placedBadge(brief, around, words);
}

/** The design with its badge at the largest size that has a free spot. */
function placedBadge(brief: Brief, around: Surroundings, words: string): Design | null {
  const { scale, typesetter, look } = brief;
  const { badge: badgeShape } = look;
  const wanted = wantedPx(scale.headlinePxMax, words);
  for (const times of TIMES) {
    const sizePx = Math.round(Math.max(TYPE_PX_MIN, scale.subheadlinePxMin * 0.9, wanted * times) * 2) / 2;
    for (const shape of new Set([badgeShape, badgeShape === "rule" ? badgeShape : "pill"] as const)) {
      const size = sizeBadge(typesetter, words, sizePx, shape);
      // A badge of the smallest size is accepted even if it looks large.
      if (size === null || (times !== TIMES_LEAST && isLargeFor(around.design, size))) continue;
      const box = freeSpot(around, size);
      if (box !== null) return { ...around.design, badge: placeBadge(size, box.x, box.y) };
    }
  }
  return null;
}

/** Whether a badge would look as large as its pictures. */
function isLargeFor({ pictures }: Design, { width, height }: BadgeSize): boolean {
  const longest = Math.max(...pictures.map(({ box }) => Math.max(box.width, box.height)));
  return width * height > longest * longest * PICTURE_SHARE_MAX;
}

const wantedPx = (headlinePxMax: number, words: string): number =>
  headlinePxMax * TYPE_SHARE * ([...words].length <= SHORT_CHARACTERS ? SHORT_TIMES : 1);

interface Spot {
  readonly box: Box;
  readonly score: number;
}

/** The surroundings of a badge on a design, independent of its size. */
interface Surroundings {
  readonly design: Design;
  readonly isMirrored: boolean;
  readonly brief: Brief;
  /** The area for the badge. */
  readonly within: Box;
  /** Boxes that it must not overlap. */
  readonly taken: readonly Box[];
  /** Photos and panels. A badge is inside or beside them, never across their edges. */
  readonly seams: readonly Box[];
  /** The uppermost text. */
  readonly wordsTop: Box | null;
  readonly attentionUnder: (box: Box) => number;
}

function surroundingsOf(brief: Brief, design: Design, isMirrored: boolean): Surroundings {
  const edge = Math.max(3, Math.round(brief.scale.marginPx * 0.6));
  const attentions = design.pictures.map((picture) => brief.attentionOf(picture));
  return {
    design,
    isMirrored,
    brief,
    within: inset(brief.safe, edge, edge),
    taken: takenBy(brief, design),
    seams: design.pictures.flatMap(({ cell, fill, box }) => cell ?? (fill === "cover" ? [box] : [])),
    wordsTop: bestScored(
      design.texts.map(({ ink }) => ink),
      ({ y }) => -y,
    ),
    attentionUnder: (box) => attentions.reduce((most, attention) => Math.max(most, attention(box)), 0),
  };
}

function freeSpot(
  { design, isMirrored, brief, within, taken, seams, wordsTop, attentionUnder }: Surroundings,
  size: BadgeSize,
): Box | null {
  const whole = unionOf(design.pictures.map(({ cell, box }) => cell ?? box));
  const air = airOf(brief);
  const spots = design.pictures.flatMap((picture) =>
    spotsAround(picture, brief, within, size).flatMap((box): readonly Spot[] => {
      if (taken.some((other) => isOverlapping(box, other)) || seams.some((seam) => isCrossing(box, seam)))
        return [];
      const isCutOut = picture.fill === "cut_out";
      const distance = cornerDistance(box, isCutOut ? picture.box : whole, isMirrored);
      if (distance > REACH) return [];
      // Under text on the photo a badge would look like its last line.
      const isUnderWords =
        wordsTop !== null && isOverlapping(picture.box, wordsTop) && box.y + box.height > wordsTop.y;
      if (isUnderWords || looksLikeButton(box, design)) return [];
      if (isCutOut && isBetween(box, picture.box, wordsTop)) return [];
      if (isBesideOne(box, design.button?.box, 1) || isBesideOne(box, design.logo, LOGO_ROW)) return [];
      const isInside = isCutOut && isOverlapping(box, inset(picture.box, size.width * 0.3, 0));
      const attention = attentionUnder(isCutOut ? inset(box, -air, -air) : box);
      if (isCutOut && attention > ATTENTION_MAX) return [];
      const cost = attention * ATTENTION_COST[isCutOut ? "cutOut" : "photo"] + (isInside ? INSIDE_COST : 0);
      return [{ box, score: -distance - cost }];
    }),
  );
  return bestScored(spots, ({ score }) => score)?.box ?? null;
}

/** Whether a badge would be between a cut-out and the text beside it, where it seems to belong to neither. */
function isBetween(badge: Box, cutOut: Box, words: Box | null): boolean {
  if (words === null) return false;
  const [middle, at] = [cutOut.x + cutOut.width / 2, badge.x + badge.width / 2];
  return words.x + words.width < middle ? at < middle : words.x > middle && at > middle;
}

/** Whether a badge would lie on a box's edge. */
const isCrossing = (badge: Box, box: Box): boolean =>
  isOverlapping(badge, box) &&
  (badge.x < box.x ||
    badge.y < box.y ||
    badge.x + badge.width > box.x + box.width ||
    badge.y + badge.height > box.y + box.height);

/**
 * Whether a badge would be below the button of a text column, or close below its text or logo, like a second button.
 */
const looksLikeButton = (badge: Box, { button, texts, logo }: Design): boolean =>
  (button !== null && isUnder(badge, button.box)) ||
  [...texts.map(({ ink }) => ink), ...(logo === null ? [] : [logo])].some(
    (box) => isUnder(badge, box) && badge.y < box.y + box.height + badge.height * 1.2,
  );

const isUnder = (badge: Box, box: Box): boolean =>
  badge.y >= box.y + box.height && badge.x < box.x + box.width && badge.x + badge.width > box.x;

/**
 * Whether a badge would be in a row with the button or logo `one`, closer to it than the fraction `share` of the width
 * of `one`.
 */
const isBesideOne = (badge: Box, one: Box | null | undefined, share: number): boolean =>
  one !== null && one !== undefined && isOverlapping(badge, inset(one, -one.width * share, 0));
/** Fraction of a logo's width for `isBesideOne`. */
const LOGO_ROW = 0.6;

/** Clear space around a badge, towards text and a cut-out. */
const airOf = ({ scale }: Brief): number => Math.max(3, scale.marginPx * 0.45);

/** All boxes that a badge must not overlap, with clear space. */
function takenBy(brief: Brief, design: Design): readonly Box[] {
  const air = airOf(brief);
  const { logo, textCard } = design;
  const clear = logo === null ? 0 : -Math.max(air, LOGO_CLEARANCE_PX, logoClearancePx(logo.height));
  return [
    ...boxesOf({ ...design, badge: undefined }).map((box) => inset(box, -air, -air)),
    ...(logo === null ? [] : [inset(logo, clear, clear)]),
    ...(textCard === undefined ? [] : [textCard.box]),
    // A small face has little saliency, but a badge must not cover it.
    ...design.pictures.flatMap((picture) =>
      protectedBoxes(picture, brief).map((box) => inset(box, -air, -air)),
    ),
  ];
}

/**
 * The corners of a card or of a photo on the canvas edges, or a grid on and around a cut-out, inside the area for
 * badges.
 */
function spotsAround(
  { box, fill, cell }: PlacedPicture,
  canvas: Pick<Brief, "width" | "height">,
  within: Box,
  size: BadgeSize,
): readonly Box[] {
  const edge = Math.max(2, Math.round(size.height * 0.22));
  const around =
    fill === "cut_out" && cell === null
      ? inset(box, -size.width, -size.height)
      : inset(cell ?? box, edge, edge);
  const left = Math.max(around.x, within.x);
  const top = Math.max(around.y, within.y);
  const right = Math.min(around.x + around.width, within.x + within.width) - size.width;
  const bottom = Math.min(around.y + around.height, within.y + within.height) - size.height;
  if (right < left || bottom < top) return [];
  if (fill !== "cut_out") {
    const depth = canvas.height * CORNER_DEPTH_MAX;
    const isOuter = (x: number, y: number): boolean =>
      fill === "card" ||
      ((x === left ? box.x <= 0 : box.x + box.width >= canvas.width) &&
        (y === top ? box.y <= 0 : box.y + box.height >= canvas.height));
    const foot = box.y + box.height - size.height;
    const isNear = (y: number) => (y === top ? y <= box.y + depth : y >= foot - depth);
    return [top, bottom]
      .filter(isNear)
      .flatMap((y) =>
        [left, right]
          .filter((x) => isOuter(x, y))
          .map((x) => ({ x: Math.round(x), y: Math.round(y), width: size.width, height: size.height })),
      );
  }
  const at = (from: number, to: number) =>
    Array.from({ length: STEPS + 1 }, (_, step) => Math.round(from + ((to - from) * step) / STEPS));
  const { width, height } = size;
  return at(top, bottom).flatMap((y) => at(left, right).map((x) => ({ x, y, width, height })));
}

/** The cost of each corner of a picture; the corner at its top and end is the best. */
const CORNERS = [
  { x: 1, y: 0, cost: 0 },
  { x: 0, y: 0, cost: 0.07 },
  { x: 1, y: 1, cost: 0.14 },
  { x: 0, y: 1, cost: 0.17 },
];

/**
 * Distance of a badge's centre to the picture's nearest corner, relative to the picture's diagonal, plus the corner's
 * cost.
 */
function cornerDistance(badge: Box, picture: Box, isMirrored: boolean): number {
  const diagonal = Math.sqrt(picture.width * picture.width + picture.height * picture.height);
  let least = Number.POSITIVE_INFINITY;
  for (const { x, y, cost } of CORNERS) {
    const across = picture.x + picture.width * (isMirrored ? 1 - x : x) - badge.x - badge.width / 2;
    const down = picture.y + picture.height * y - badge.y - badge.height / 2;
    least = Math.min(least, Math.sqrt(across * across + down * down) / diagonal + cost);
  }
  return least;
}
