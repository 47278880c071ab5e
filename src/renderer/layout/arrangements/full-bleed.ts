import { bestScored } from "#renderer/best-scored.ts";
import { unionOf } from "#renderer/box-geometry.ts";
import { under } from "#renderer/subjects/calm.ts";
import { type Box, PHOTO_FAMILIES } from "#renderer/types.ts";
import { covering, inset, WHOLE } from "../design/boxes.ts";
import { hasSmallSafeArea, isRow } from "../design/canvas-of-size.ts";
import {
  type Brief,
  boxesOf,
  type CopyBlock,
  type Design,
  headlineScore,
  isBeside,
  isHeroOnSurface,
  NO_TEXT,
  type PictureTraits,
  type Scrim,
  type Side,
  type TextBackground,
} from "../design/design.ts";
import { type Framing, framePhoto, isCalmSomewhere, type OnPhoto } from "../pictures/frame-photo.ts";
import { groupsWith, joined, spaced } from "../words/spread-words.ts";
import { columnPanel, fitPanel, shifted, signedPanel } from "../words/text-panel.ts";
import { slimHeadlineOf, withMinimumHeadlines } from "./photo-panels.ts";
import { STORY_AIR } from "./product-under-words.ts";
import { row } from "./row.ts";

/** A placed text block and its side, before the photo is moved under it. */
interface Placed {
  readonly block: CopyBlock;
  readonly side: Side;
}

/** Widths of a text column to try, as fractions of the safe area's width. */
const COLUMN_SHARES = [0.4, 0.52];
const PORTRAIT_COLUMN_SHARES = [0.52];
/** Minimum aspect (width / height) of a canvas with text columns. */
const COLUMNS_ASPECT_MIN = 0.75;
/** Widths of a strip's text to try, as fractions of the safe area's width. */
const ROW_SHARES = [0.7, 0.84];
/** Maximum heights to try for text across the full width, as fractions of the height. */
const FILL_MAX = 0.46;
const FILLS = [0.34, FILL_MAX];
/** `FILLS` for stories and skyscrapers, where text may be taller. */
const TALL_FILLS = [...FILLS, 0.58];
/** Added to the maximum height of text that has the logo above it. */
const LOGO_ABOVE_EXTRA = 0.1;
/**
 * Canvases on which a view would be an unrecognisable slice: their height is under `low` times their width, or their
 * width at most `slim` times their height.
 */
const SLICE_MAX = { low: 0.4, slim: 0.5 };
/** Minimum score of a headline on a leaderboard: below it, the headline would be lost on the photo. */
const LOW_HEADLINE_MIN = 0.62;
/** A photo on the whole canvas with text on its calm part; null if no calm part has room for the text. */
export function fullBleed(brief: Brief): Design | null {
  const { hero } = brief;
  if (hero === null || hero.textBackground === null || brief.hasBackground || brief.secondaryHero !== null)
    return null;
  // In a tiny strip text and logo would cover the whole calm part of the photo.
  if (brief.shape === "tiny_strip") return null;
  const isPhoto = PHOTO_FAMILIES.includes(brief.family) || brief.family === "product";
  const isUpright = brief.shape === "story" || brief.shape === "portrait";
  const isExtended = isUpright && canExtendUpwards(hero, hero.textBackground);
  if (!isPhoto || isHeroOnSurface(brief) || !(isExtended || isCalmSomewhere(hero.textBackground)))
    return null;
  const isSlice = brief.height < brief.width * SLICE_MAX.low || brief.width <= brief.height * SLICE_MAX.slim;
  if (hero.protectedAreas.length === 0 && isSlice) return null;
  // An upright crop could cut a subject that was not detected, so show nearly the whole photo.
  const protectedAreas = isUpright && hero.protectedAreas.length === 0 ? NEARLY_WHOLE : hero.protectedAreas;
  const plainSides = isExtended
    ? { ...hero.textBackground.plainSides, top: true }
    : hero.textBackground.plainSides;
  const seen = { ...hero, protectedAreas, textBackground: { ...hero.textBackground, plainSides } };
  const isSlim = brief.shape === "skyscraper";
  const found = (isSlim ? withMinimumHeadlines(brief) : [brief]).flatMap(placesOf).flatMap((placed) => {
    if (brief.shape === "leaderboard" && headlineScore(placed.block) < LOW_HEADLINE_MIN) return [];
    const framing = framePhoto(brief, seen, onPhotoOf(brief, placed.block));
    if (framing === null) return [];
    return [isSlim ? spreadOverHead(brief, seen, placed, framing) : { ...placed, framing }];
  });
  const best = bestScored(
    found,
    ({ block, framing, side }) =>
      (side === "end" && brief.shape === "leaderboard" ? LEADERBOARD_END_FACTOR : 1) *
      framing.score *
      (0.35 + (isSlim ? slimHeadlineOf(brief, block) * SLIM_TIMES : headlineScore(block))),
  );
  return best === null ? null : onPhoto(brief, best, best.framing);
}

/**
 * Moves a skyscraper's logo to the top and its text to the middle between logo and subject. Changes nothing if the
 * photo is not calm there.
 */
function spreadOverHead(brief: Brief, traits: PictureTraits, placed: Placed, framing: Framing) {
  const { safe, scale } = brief;
  const top = safe.y + scale.marginPx;
  const height = (framing.subject?.y ?? top) - scale.marginPx - top;
  if (height < unionOf(boxesOf(placed.block)).height) return { ...placed, framing };
  const groups = groupsWith([
    { ...NO_TEXT, logo: placed.block.logo },
    { ...placed.block, logo: null },
  ]);
  const gap = (height - groups.reduce((sum, { box }) => sum + box.height, 0)) / groups.length;
  const block = joined(placed.block, spaced(groups, "y", top, gap));
  const over = framePhoto(brief, traits, onPhotoOf(brief, block));
  return over === null ? { ...placed, framing } : { ...placed, block, framing: over };
}

/** Score factor for text at the end of a leaderboard, where readers would see the photo first. */
const LEADERBOARD_END_FACTOR = 0.85;
/** Factor that turns the size of a skyscraper's headline, as a fraction of the canvas width, into a score. */
const SLIM_TIMES = 3;

/**
 * The strip along a photo's upper edge, divided into columns. The photo is extended upwards only if every column is
 * calm.
 */
const HEAD_STRIP = { height: 0.07, columns: 10, textureMax: 0.3 } as const;

/**
 * Whether a photo may be extended upwards in the colours of its upper edge: that edge must be calm and cut no protected
 * area.
 */
function canExtendUpwards({ protectedAreas }: PictureTraits, { calm }: TextBackground): boolean {
  const { height, columns, textureMax } = HEAD_STRIP;
  const width = 1 / columns;
  const isCalm = Array.from({ length: columns }, (_, at) =>
    under(calm, { x: at * width, y: 0, width, height }),
  ).every(({ texture }) => texture <= textureMax);
  return isCalm && protectedAreas.every(({ whole }) => whole.y > CUT_SLACK);
}

/** The text blocks to try, at each side that the canvas shape allows. */
function placesOf(brief: Brief): readonly Placed[] {
  const { safe, scale, shape } = brief;
  const m = scale.marginPx;
  const content = inset(safe, m, hasSmallSafeArea(brief) ? m * 0.5 : shape === "story" ? m * STORY_AIR : m);
  if (isRow(shape)) return ROW_SHARES.flatMap((share) => atBothEnds(brief, content, rowIn(brief, share)));
  const columns =
    brief.width < brief.height * COLUMNS_ASPECT_MIN
      ? []
      : (shape === "portrait" ? PORTRAIT_COLUMN_SHARES : COLUMN_SHARES).flatMap((share) =>
          atBothEnds(brief, content, columnPanel(brief, { ...content, width: content.width * share })),
        );
  if (shape === "landscape" || shape === "leaderboard") {
    const request = { stand: "bottom", fillMax: FILL_MAX } as const;
    const foot = hasSmallSafeArea(brief) ? null : signedPanel(brief, content, request);
    return [...columns, ...placedAt(foot, "foot")];
  }
  const fills = shape === "story" || shape === "skyscraper" ? TALL_FILLS : FILLS;
  return [
    ...fills.flatMap((share) => [
      ...placedAt(signedPanel(brief, content, { stand: "bottom", fillMax: share }), "foot"),
      ...placedAt(atHead(brief, content, share + LOGO_ABOVE_EXTRA), "head"),
      ...placedAt(
        shape !== "square"
          ? signedPanel(brief, content, { stand: "top", disclaimerAt: "words", fillMax: share })
          : null,
        "head",
      ),
    ]),
    ...columns,
  ];
}

/** The text of an upright canvas over its photo, with the logo at the top. */
const atHead = (brief: Brief, content: Box, share: number): CopyBlock | null =>
  fitPanel(brief, {
    region: { ...content, height: content.height * share },
    align: "start",
    stand: "top",
    logoAt: "head",
    fillMax: 1,
    disclaimerAt: "words",
  });

const placedAt = (block: CopyBlock | null, side: Side): readonly Placed[] =>
  block === null ? [] : [{ block, side }];

/** A text block at the start of the canvas. It is also tried at the end if the two places are far enough apart. */
function atBothEnds(brief: Brief, content: Box, block: CopyBlock | null): readonly Placed[] {
  if (block === null) return [];
  const reach = unionOf(boxesOf(block));
  const dx = Math.floor(content.x + content.width - reach.x - reach.width);
  const start = placedAt(block, "start");
  return dx < brief.width * 0.08 ? start : [...start, ...placedAt(shifted(block, dx), "end")];
}

/** The text of a strip in one row, which takes up the fraction `share` of the strip's width. */
function rowIn(brief: Brief, share: number): CopyBlock | null {
  const safe = { ...brief.safe, width: Math.round(brief.safe.width * share) };
  return row({ ...brief, hero: null, safe, family: "campaign" });
}

/** The elements of a block that cover the photo: its text as one box, and its logo. */
function onPhotoOf({ scale, look }: Brief, { logo, button, ...words }: CopyBlock): readonly OnPhoto[] {
  const pad = scale.marginPx * 0.4;
  const boxes = boxesOf({ ...words, button, logo: null });
  // A filled button is legible on any photo.
  const isFilled = boxes.length === 1 && button !== null && look.button.fill === "solid";
  return [
    ...(boxes.length === 0 ? [] : [{ box: unionOf(boxes), isFilled }]),
    ...(logo === null ? [] : [{ box: logo, isFilled: false }]),
  ].map((one) => ({ ...one, box: inset(one.box, -pad, -pad) }));
}

/** The part of a photo without a subject that must stay visible. */
const MOST_OF_PHOTO: Box = { x: 0.07, y: 0.03, width: 0.86, height: 0.94 };
const NEARLY_WHOLE = [{ kind: "subject", whole: MOST_OF_PHOTO, core: MOST_OF_PHOTO }] as const;
/** A subject closer to an edge of its photo than this fraction counts as cut by that edge. */
const CUT_SLACK = 0.008;
/** Minimum and maximum length of a scrim's ramp, as fractions of the canvas. A shorter ramp would look like an edge. */
const RAMP = { least: 0.14, leastUpright: 0.22, most: 0.4 } as const;

/** Text on a photo that fills the canvas, with the scrims for its contrast. */
function onPhoto(brief: Brief, placed: Placed, framing: Framing): Design {
  const { width, height } = brief;
  const { block, side } = placed;
  const { logo, texts, button, badge, headlineSizeShare, lineBreakScore } = block;
  return {
    surface: "flat",
    pictures: [{ ...covering("hero", { x: 0, y: 0, width, height }, WHOLE), shown: framing.shown }],
    scrims: onPhotoOf(brief, block).every(({ isFilled }) => isFilled)
      ? []
      : [scrimAt(brief, unionOf(boxesOf(block)), framing, side)],
    scrimsOver: "pictures",
    photoInk: framing.ink,
    ...{ logo, texts, button, badge, headlineSizeShare, lineBreakScore },
  };
}

/**
 * A scrim from the canvas edge over the text. Its ramp ends near the subject, unless the ramp would then be too short
 * to look soft.
 */
function scrimAt(brief: Brief, words: Box, { subject, opacity, opacityMin }: Framing, side: Side): Scrim {
  const { width, height, scale } = brief;
  const isAcross = isBeside(side);
  const [edge, from, length] = isAcross ? [width, words.x, words.width] : [height, words.y, words.height];
  const isAtStart = side === "start" || side === "head";
  const held = Math.min(edge, (isAtStart ? from + length : edge - from) + scale.marginPx * 0.5);
  const away =
    subject === null || brief.isMirrored === true
      ? edge
      : isAcross
        ? isAtStart
          ? subject.x - held
          : width - held - subject.x - subject.width
        : isAtStart
          ? subject.y - held
          : height - held - subject.y - subject.height;
  const ramp = Math.max(
    edge * (height > width ? RAMP.leastUpright : RAMP.least),
    Math.min(edge * RAMP.most, away * 1.3),
  );
  const reach = Math.min(edge, held + ramp);
  const stops: Scrim["stops"] = [
    { at: 0, opacity: "adaptive" },
    { at: Math.min(0.95, held / reach), opacity: "adaptive" },
    { at: 1, opacity: 0 },
  ];
  const box: Box = isAcross
    ? { x: isAtStart ? 0 : width - reach, y: 0, width: reach, height }
    : { x: 0, y: isAtStart ? 0 : height - reach, width, height: reach };
  return {
    box,
    axis: isAcross ? "across" : "down",
    stops: isAtStart ? stops : stops.map(({ at, opacity }) => ({ at: 1 - at, opacity })).reverse(),
    adaptiveOpacityMin: opacityMin,
    expectedOpacity: opacity,
  };
}
