import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import { inset } from "../design/boxes.ts";
import { isRow } from "../design/canvas-of-size.ts";
import {
  ARROW,
  type Brief,
  type CopyBlock,
  type Design,
  evenScrim,
  hasKeyAreas,
  headlineScore,
  isHeroOnSurface,
  isWordless,
  NO_TEXT,
  type PlacedText,
  type Scrim,
} from "../design/design.ts";
import { logoClearancePx, SHRUNK_LOGO_SHARE, sizeLogo } from "../design/place-elements.ts";
import { showsProtectedAreas } from "../pictures/protected-area-damage.ts";
import { rowPictures } from "../pictures/row-pictures.ts";
import { nearestLength, wholeLengths } from "../pictures/whole-subject-range.ts";
import { placeButton, sizeButton } from "../words/button.ts";
import { badgeInRow, rowWords, wordsAndBadge } from "../words/row-text.ts";
import { groupsWith, joined, spaced } from "../words/spread-words.ts";
import { smallerLogoArea } from "../words/text-panel.ts";
import { stackedRow } from "./row-stack.ts";

/**
 * Widths of the picture to try, the preferred one first: fractions of the canvas width, and multiples of the canvas
 * height.
 */
const PICTURE_SHARES = [0.32, 0.27];
const PICTURE_WIDTHS = [1.5, 1.1, 0.9];
/** Minimum visible fraction of a photo's height: less looks like a slice. */
const HEIGHT_KEPT_MIN = 0.62;
/**
 * Gap between the button of a design without a picture and the edge of the field behind it, as a fraction of the canvas
 * height.
 */
export const ROW_FIELD_GAP = 0.11;
/** `HEIGHT_KEPT_MIN` for a photo of people: showing the heads is enough. */
const PEOPLE_KEPT_MIN = 0.45;
/**
 * Minimum width of each picture of a duo, as a multiple of the canvas height. A single picture may shrink to this width
 * before text is dropped.
 */
const TILE_WIDTH_MIN = 0.68;
/** Strips under this width have smaller margins and buttons. */
const COMPACT_WIDTH_MAX = 420;
/**
 * Width of the picture in a row without text, as a multiple of the canvas height. It exceeds all the room beside the
 * logo.
 */
const WORDLESS_PICTURE_WIDTH = 12;
const HEADLINE_SIZE_GOOD = 0.75;
/**
 * Minimum width of a picture in a row with a subheadline, disclaimer or badge, as a fraction of the canvas width. These
 * are dropped before the picture is made narrower.
 */
const SHARE_WITH_EXTRAS_MIN = 0.22;

/** Strips and banners: picture, logo, text and button in one row, from start to end. */
export function row(brief: Brief): Design | null {
  const hasPicture = brief.hero !== null && brief.family !== "scenery";
  const hasWords = !isWordless(brief.copy);
  let best: Design | null = null;
  let bestScore = 0;
  const widths = pictureWidths(brief);
  for (const heights of hasPicture ? (hasWords ? widths : [WORDLESS_PICTURE_WIDTH]) : [0]) {
    const design = (isLargeMarked(brief) ? largeMarked(brief, heights) : null) ?? rowWith(brief, heights, 1);
    if (design === null) continue;
    const score = scoreOf(design) * worthOf(brief, design);
    if (best === null || score > bestScore * 1.05) [best, bestScore] = [design, score];
    if (bestScore >= HEADLINE_SIZE_GOOD) break;
  }
  return best ?? stackedRow(brief, scrimsOf(brief));
}

/** Score added for each doubling of a leaderboard logo's area; the largest headline scores 1. */
const LOGO_SCORE = 0.1;

/** Whether to try larger logos: without a picture, and on a leaderboard whose photo has faces or areas to keep. */
const isLargeMarked = ({ family, shape, hero }: Brief): boolean =>
  family === "brand" || (shape === "leaderboard" && hasKeyAreas(hero));
const LONE_LOGO_TIMES: readonly LogoTimes[] = [5, 3, 1.7, 1];
const LOGO_TIMES: readonly LogoTimes[] = [2.4, 1.7, 1];

function largeMarked(brief: Brief, heights: number): Design | null {
  if (brief.shape !== "leaderboard") {
    const design = rowWith(brief, heights, 1.7);
    return design !== null && scoreOf(design) >= HEADLINE_SIZE_GOOD ? design : null;
  }
  const designs = (brief.hero === null ? LONE_LOGO_TIMES : LOGO_TIMES).flatMap((logoTimes) => {
    const design = rowWith(brief, heights, logoTimes);
    return design === null
      ? []
      : [{ design, score: scoreOf(design) + LOGO_SCORE * LOGO_DOUBLINGS[logoTimes] }];
  });
  return bestScored(designs, ({ score }) => score)?.design ?? null;
}

/** Factor of the score: a cut protected area outweighs any gain in the headline's size. */
const worthOf = (brief: Brief, { pictures }: Design): number =>
  showsProtectedAreas(brief, pictures) ? 1 : 0.3;

/** Picture widths to try, as multiples of the canvas height. At each, a photo shows its subject whole. */
function pictureWidths(brief: Brief): readonly number[] {
  const { width, height } = brief;
  const kept = hasKeyAreas(brief.hero) ? PEOPLE_KEPT_MIN : HEIGHT_KEPT_MIN;
  const most = ((brief.hero?.aspect ?? 0) + (brief.secondaryHero?.aspect ?? 0)) / kept;
  const shares = PICTURE_SHARES.map((share) => (share * width) / height);
  const wanted = [...shares, ...PICTURE_WIDTHS, ...(brief.isShrunk ? [TILE_WIDTH_MIN] : [])];
  const lengths = isHeroOnSurface(brief) ? null : wholeLengths(brief, "across", height);
  const whole = (heights: number) =>
    lengths === null ? heights : (nearestLength(lengths, Math.min(heights, most) * height) ?? 0) / height;
  const widths = [...new Set(wanted.map(whole))];
  const { subheadline, disclaimer, badge } = brief.copy;
  if ((subheadline ?? disclaimer ?? badge) === undefined) return widths;
  const least = Math.min(Math.max(...widths), (SHARE_WITH_EXTRAS_MIN * width) / height);
  return widths.filter((heights) => heights >= least);
}

/** Factor of the score for a headline of three or more lines, which looks like a paragraph in a strip. */
const THIRD_LINE = 0.7;

function scoreOf(design: Design): number {
  const lines = design.texts.find(({ role }) => role === "headline")?.set.lines.length ?? 1;
  return headlineScore(design) * (lines > 2 ? THIRD_LINE : 1);
}

function rowWith(brief: Brief, pictureHeights: number, logoTimes: number): Design | null {
  const { width, height, scale, safe, copy, typesetter } = brief;
  const m = scale.marginPx;
  // Two lines on a leaderboard need empty space above and below.
  const content = inset(
    safe,
    Math.max(m, Math.round(height * (width > COMPACT_WIDTH_MAX ? 0.2 : 0.13))),
    brief.shape === "leaderboard" ? Math.max(m, Math.round(height * 0.12)) : m,
  );
  const gap = Math.max(m, Math.round(height * 0.2));
  let left = content.x;
  let right = content.x + content.width;

  const shareMax = pictureHeights === WORDLESS_PICTURE_WIDTH ? 0.66 : 0.32;
  const pictureWidth = Math.min(width * shareMax, height * pictureHeights);
  const isOnSurface = isHeroOnSurface(brief);
  const pictures = rowPictures(brief, pictureWidth, isOnSurface);
  if (pictures.length > 1 && pictures.some(({ box }) => box.width < height * TILE_WIDTH_MIN)) return null;
  const last = pictures[pictures.length - 1];
  const pictureEnd = last === undefined || brief.family === "scenery" ? null : endOf(last.cell ?? last.box);
  if (pictureEnd !== null) left = Math.max(left, pictureEnd + gap);

  let logo: Box | null = null;
  if (brief.logo !== null) {
    const size = logoInRow(
      brief,
      brief.logo.aspect,
      scale.logoArea * logoTimes * (brief.isShrunk ? SHRUNK_LOGO_SHARE * SHRUNK_LOGO_SHARE : 1),
      right - left,
      content.height,
    );
    if (size === null) return null;
    logo = { x: Math.round(left), y: Math.round(content.y + (content.height - size.height) / 2), ...size };
    left = logo.x + logo.width + Math.max(gap, logoClearancePx(logo.height) + 1);
  }

  const isCompact = height < 70 || width < COMPACT_WIDTH_MAX;
  // On a leaderboard without a picture a larger button would outweigh the logo.
  const times = brief.shape === "leaderboard" ? 1.7 : 2.2;
  const ctaPx = Math.max(
    scale.ctaPxMin,
    Math.round(Math.min(height * 0.155, width * 0.034, scale.ctaPxMin * times) * 2) / 2,
  );
  const size =
    copy.cta === undefined ? null : sizeButton(typesetter, copy.cta, ctaPx, (right - left) * 0.5, isCompact);
  if (copy.cta !== undefined && (size === null || size.height > content.height)) return null;
  const button =
    size === null
      ? null
      : placeButton(size, right - size.width, content.y + (content.height - size.height) / 2);
  const isOnField = brief.family === "brand" && isRow(brief.shape);
  if (button !== null) right = button.box.x - gap - (isOnField ? height * ROW_FIELD_GAP : 0);

  const hasBadge = copy.badge !== undefined && copy.headline !== undefined;
  const badge = hasBadge ? badgeInRow(brief, content) : null;
  if (hasBadge && badge === null) return null;
  const region: Box = { x: left, y: content.y, width: right - left, height: content.height };
  const words = badge === null ? rowWords(brief, region) : wordsAndBadge(brief, region, badge, gap * 0.8);
  if (words === null) return null;
  // Null leads to a retry with an arrow instead of the button's text, which may leave enough room for whole words.
  if (copy.cta !== undefined && copy.cta !== ARROW && isHeadlineBroken(words.texts)) return null;
  if (words.texts.length === 0 && logo !== null && brief.family !== "scenery") {
    logo = { ...logo, x: Math.round((logo.x + right - logo.width) / 2) };
  }
  const smaller = smallerLogoArea(brief, { logo, texts: words.texts });
  if (smaller !== null) return rowWith(brief, pictureHeights, smaller / scale.logoArea);
  return {
    surface: isOnSurface || brief.hero === null ? "lit" : "flat",
    pictures,
    scrims: scrimsOf(brief),
    scrimsOver: brief.hasBackground ? "background" : "pictures",
    ...evenlySpaced({ ...words, logo }, { from: pictureEnd, start: content.x, end: right }, gap),
    button,
  };
}

/**
 * The part of a row to space evenly: from the picture's end, or the margin without a picture, to the gap before the
 * button.
 */
interface Stretch {
  readonly from: number | null;
  readonly start: number;
  readonly end: number;
}

/** Logo, text, badge and price of a row. The same gap separates them from each other, the picture and the button. */
function evenlySpaced(block: Omit<CopyBlock, "button">, { from, start, end }: Stretch, gap: number) {
  const isPrice = ({ role }: PlacedText): boolean => role === "price" || role === "old_price";
  const parts = groupsWith([
    { ...NO_TEXT, logo: block.logo },
    { ...NO_TEXT, logo: null, texts: block.texts.filter((text) => !isPrice(text)) },
    { ...NO_TEXT, logo: null, badge: block.badge },
    { ...NO_TEXT, logo: null, texts: block.texts.filter(isPrice) },
  ]);
  const taken = parts.reduce((sum, { box }) => sum + box.width, 0);
  const space = (end + gap - (from ?? start) - taken) / Math.max(1, parts.length + (from === null ? 0 : 1));
  return joined({ ...block, button: null }, spaced(parts, "x", from === null ? start : from + space, space));
}

const endOf = ({ x, width }: Box): number => x + width;

const isHeadlineBroken = (texts: readonly PlacedText[]): boolean =>
  texts.some(({ role, set }) => role === "headline" && set.lines.some(({ isBroken }) => isBroken));

/**
 * Maximum width of a logo, as a fraction of the row. Without a picture, a logo that would otherwise be too small may be
 * wider (`LONE_LOGO_WIDTH_MAX`).
 */
const LOGO_WIDTH_MAX = 0.34;
const LONE_LOGO_WIDTH_MAX = 0.5;
/**
 * Maximum width of a logo beside a strip's text, as a fraction of the canvas: a wider logo draws the eye before the
 * headline. `tiny` is for tiny strips with a picture.
 */
const LOGO_BESIDE_HEADLINE_MAX = { tiny: 0.15, other: 0.18 } as const;

function logoInRow(
  { copy, hero, shape, isShrunk, width: canvasWidth }: Brief,
  aspect: number,
  area: number,
  width: number,
  height: number,
) {
  const share = isWordless(copy) ? 0.9 : LOGO_WIDTH_MAX;
  // In a tiny strip with a picture, a logo of the usual minimum height would outweigh the headline.
  const isLow = isShrunk || (shape === "tiny_strip" && hero !== null);
  const led =
    canvasWidth * LOGO_BESIDE_HEADLINE_MAX[shape === "tiny_strip" && hero !== null ? "tiny" : "other"];
  const wanted = isRow(shape) && !isWordless(copy) ? Math.min(area, (led * led) / aspect) : area;
  const within = (widthShare: number) => sizeLogo(aspect, wanted, width * widthShare, height * 0.8, isLow);
  return within(share) ?? (hero === null ? within(LONE_LOGO_WIDTH_MAX) : null);
}

const scrimsOf = (brief: Brief): readonly Scrim[] =>
  brief.hasBackground || brief.family === "scenery" ? [evenScrim(brief, 0.34)] : [];

/**
 * Binary logarithms of the multiples of a logo's usual area. They are constants because engines may differ in the last
 * bit of Math.log2, which would change the chosen size of a logo.
 */
const LOGO_DOUBLINGS = {
  1: 0,
  1.7: 0.765534746362977,
  2.4: 1.2630344058337937,
  3: 1.584962500721156,
  5: 2.321928094887362,
} as const;

/** Area of a logo as a multiple of its usual area. */
type LogoTimes = keyof typeof LOGO_DOUBLINGS;
