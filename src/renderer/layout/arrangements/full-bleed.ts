import { bestScored } from "#renderer/best-scored.ts";
import { unionOf } from "#renderer/box-geometry.ts";
import { type Box, PHOTO_FAMILIES } from "#renderer/types.ts";
import { covering, inset, WHOLE } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import {
  type Brief,
  boxesOf,
  type CopyBlock,
  type Design,
  headlineScore,
  type Scrim,
  standsOnSurface,
} from "../design/design.ts";
import { isRow } from "../design/shape-from-size.ts";
import { type Framing, framePhoto, isCalmSomewhere, type OnPhoto } from "../pictures/frame-photo.ts";
import { columnPanel, fitPanel, shifted, signedPanel } from "../words/text-panel.ts";
import { STORY_AIR } from "./product-corner.ts";
import { row } from "./row.ts";

/** Words of a canvas, before the photo is laid under them, and the sides that they stand at. */
interface Placed {
  readonly block: CopyBlock;
  readonly sides: readonly Side[];
}

type Side = "start" | "end" | "head" | "foot";

/** Shares of the safe area's width that a column of words may take. */
const COLUMN_SHARES = [0.4, 0.52];
/** Slimmer canvases (width / height) have no columns. */
const COLUMNS_ASPECT_MIN = 0.75;
/** Share of the width that words of a strip may take. */
const ROW_SHARES = [0.7, 0.84];
/** Shares of the height that words over the width may take. */
const FILL_MAX = 0.46;
const STORY_FILLS = [0.38, 0.46, 0.58];
/** A logo at the words' head takes more. */
const HEAD_MORE = 0.1;
/** Of a story's safe area, what the headline at its head and the button at its foot may take. */
const HEAD_MAX = 0.5;
const FOOT_MAX = 0.24;
/** A canvas lower than this share of its width, or slimmer than this of its height, shows only a slice of a view, in which nothing is recognised. */
const SLICE_MAX = { low: 0.4, slim: 0.5 };
/** On a low canvas a headline of a lower score is lost beside its photo. */
const LOW_HEADLINE_MIN = 0.62;
/** How much better a story is with its subject between headline and button. */
const APART_TIMES = 1.2;
/** And how much less good one whose photo fades under words at its foot: below them lies what the network reserves. */
const AT_FOOT_TIMES = 0.75;

/** A photo on the whole canvas, its words where it is calm; null where it has no such place, or the words do not fit it. */
export function fullBleed(brief: Brief): Design | null {
  const { hero } = brief;
  if (hero === null || hero.ground === null || brief.hasBackground || brief.secondaryHero !== null)
    return null;
  // In a tiny strip words and logo would leave nothing of the photo calm.
  if (brief.shape === "tiny_strip") return null;
  const isPhoto = PHOTO_FAMILIES.includes(brief.family) || brief.family === "product";
  const fades = brief.shape === "story" || brief.shape === "portrait";
  const isCalm = isCalmSomewhere(hero.ground);
  if (!isPhoto || standsOnSurface(brief) || !(brief.shape === "story" || isCalm)) return null;
  const isSlice = brief.height < brief.width * SLICE_MAX.low || brief.width <= brief.height * SLICE_MAX.slim;
  if (hero.protectedAreas.length === 0 && isSlice) return null;
  // A tall slice of a view would cut what it is about, and where that is is unknown.
  const seen = fades && hero.protectedAreas.length === 0 ? { ...hero, protectedAreas: NEARLY_WHOLE } : hero;
  const found = placesOf(brief).flatMap((placed) => {
    if (brief.shape === "leaderboard" && headlineScore(placed.block) < LOW_HEADLINE_MIN) return [];
    const on = onPhotoOf(brief, placed);
    const calm = isCalm ? framePhoto(brief, seen, on) : null;
    if (calm !== null || brief.shape !== "story")
      return calm === null ? [] : [{ ...placed, framing: calm, isFading: false }];
    const [isAtHead, isAtFoot] = [hasWordsAt(brief, placed, "head"), hasWordsAt(brief, placed, "foot")];
    if (isAtHead === isAtFoot) return [];
    const fade = brief.height * FADE_SHARE;
    const faded = on.map((one) => (one.isFilled ? one : { ...one, box: inset(one.box, 0, -fade) }));
    const { y, height } = unionOf(seen.protectedAreas.map(({ whole }) => whole));
    // What the photo itself cuts does not go on beyond it.
    const framing = framePhoto(brief, seen, faded, {
      top: isAtHead && y > CUT_SLACK,
      bottom: y + height < 1 - CUT_SLACK,
    });
    return framing === null ? [] : [{ ...placed, framing, isFading: true }];
  });
  const best = bestScored(
    found,
    ({ block, framing, sides, isFading }) =>
      framing.score *
      (0.35 + headlineScore(block)) *
      (sides.length > 1 ? APART_TIMES : isFading && sides[0] === "foot" ? AT_FOOT_TIMES : 1),
  );
  return best === null ? null : onPhoto(brief, best, best.framing, best.isFading);
}

/** Whether more than a filled button stands at a side: that needs no scrim. */
const hasWordsAt = (brief: Brief, placed: Placed, side: Side): boolean =>
  placed.sides.includes(side) && onPhotoAt(brief, placed, side).some(({ isFilled }) => !isFilled);

/** The words of a canvas at each side that its shape allows. */
function placesOf(brief: Brief): readonly Placed[] {
  const { safe, scale, shape } = brief;
  const m = scale.marginPx;
  const content = inset(safe, m, hasSmallSafeArea(brief) ? m * 0.5 : shape === "story" ? m * STORY_AIR : m);
  if (isRow(shape)) return ROW_SHARES.flatMap((share) => atBothEnds(brief, content, rowIn(brief, share)));
  const columns =
    brief.width < brief.height * COLUMNS_ASPECT_MIN
      ? []
      : COLUMN_SHARES.flatMap((share) =>
          atBothEnds(brief, content, columnPanel(brief, { ...content, width: content.width * share })),
        );
  if (shape === "landscape" || shape === "leaderboard") {
    const request = { stand: "bottom", fillMax: FILL_MAX } as const;
    const foot = hasSmallSafeArea(brief) ? null : signedPanel(brief, content, request);
    return [...columns, ...placedAt(foot, "foot")];
  }
  const isStory = shape === "story";
  return [
    ...placedAt(isStory ? headAndFoot(brief, content) : null, "head", "foot"),
    ...(isStory ? STORY_FILLS : [FILL_MAX]).flatMap((share) => [
      ...placedAt(signedPanel(brief, content, { stand: "bottom", fillMax: share }), "foot"),
      ...placedAt(atHead(brief, content, share + HEAD_MORE), "head"),
      ...placedAt(
        isStory ? signedPanel(brief, content, { stand: "top", disclaimerAt: "words", fillMax: share }) : null,
        "head",
      ),
    ]),
    ...columns,
  ];
}

/** The words of an upright canvas over its photo, the logo at their head. */
const atHead = (brief: Brief, content: Box, share: number): CopyBlock | null =>
  fitPanel(brief, {
    ...{ region: { ...content, height: content.height * share }, align: "start", fillMax: 1 },
    ...{ stand: "top", disclaimerAt: "words", logoAt: "head" },
  });

const placedAt = (block: CopyBlock | null, ...sides: readonly Side[]): readonly Placed[] =>
  block === null ? [] : [{ block, sides }];

/** A story's words at the head of the safe area, its button alone at the foot; a price keeps its button. */
function headAndFoot(brief: Brief, content: Box): CopyBlock | null {
  const { cta, ...words } = brief.copy;
  if (cta === undefined || words.headline === undefined || words.price !== undefined) return null;
  const head = atHead({ ...brief, copy: words }, content, HEAD_MAX);
  const call: Brief = { ...brief, logo: null, copy: { cta, language: words.language } };
  const foot = signedPanel(call, content, { stand: "bottom", fillMax: FOOT_MAX });
  return head === null || foot === null ? null : { ...head, button: foot.button };
}

/** A block at the start of a canvas, and the same at its end. */
function atBothEnds(brief: Brief, content: Box, block: CopyBlock | null): readonly Placed[] {
  if (block === null) return [];
  const reach = unionOf(boxesOf(block));
  const dx = Math.floor(content.x + content.width - reach.x - reach.width);
  const start = placedAt(block, "start");
  return dx < brief.width * 0.08 ? start : [...start, ...placedAt(shifted(block, dx), "end")];
}

/** The words of a strip in one row, in a share of its width. */
function rowIn(brief: Brief, share: number): CopyBlock | null {
  const safe = { ...brief.safe, width: Math.round(brief.safe.width * share) };
  return row({ ...brief, hero: null, safe, family: "campaign" });
}

/** What a block lays on the photo: its words as one box at each side, and a logo that is apart from them. */
const onPhotoOf = (brief: Brief, placed: Placed): readonly OnPhoto[] =>
  placed.sides.flatMap((side) => onPhotoAt(brief, placed, side));

function onPhotoAt({ scale, look, height }: Brief, { block, sides }: Placed, side: Side): readonly OnPhoto[] {
  const pad = scale.marginPx * 0.4;
  const { logo, button } = block;
  const boxes = boxesAt(side, sides, boxesOf({ ...block, logo: null }), height);
  const isLone = boxes.length === 1 && boxes[0] === button?.box;
  const words =
    boxes.length === 0 ? [] : [{ box: unionOf(boxes), isFilled: isLone && look.button.fill === "solid" }];
  const logos = logo === null ? [] : boxesAt(side, sides, [logo], height);
  return [...words, ...logos.map((box) => ({ box, isFilled: false }))].map((one) => ({
    ...one,
    box: inset(one.box, -pad, -pad),
  }));
}

/** The boxes that stand at a side: where words are at head and foot, those of its half of the canvas. */
const boxesAt = (
  side: Side,
  sides: readonly Side[],
  boxes: readonly Box[],
  height: number,
): readonly Box[] =>
  sides.length === 1 ? boxes : boxes.filter(({ y }) => y < height / 2 === (side === "head"));

/** What stays in sight of a view without a subject. */
const MOST: Box = { x: 0.07, y: 0.03, width: 0.86, height: 0.94 };
const NEARLY_WHOLE = [{ kind: "subject", whole: MOST, core: MOST }] as const;
/** A subject this near to an edge of its photo, in shares, is cut by it. */
const CUT_SLACK = 0.008;
/** Under words a fading photo goes over into its scrim within this share of the height at least. */
const FADE_SHARE = 0.05;

/** The length of a scrim's ramp: as shares of the canvas; a shorter one shows as an edge. */
const RAMP = { least: 0.14, most: 0.4 } as const;

/** Words on a photo that fills the canvas, with the scrims that their contrast may need. */
function onPhoto(brief: Brief, placed: Placed, framing: Framing, isFading: boolean): Design {
  const { width, height } = brief;
  const { block, sides } = placed;
  const { logo, texts, button, badge, headlineSizeShare, lineBreakScore } = block;
  return {
    surface: "flat",
    pictures: [
      {
        ...covering("hero", { x: 0, y: 0, width, height }, WHOLE),
        shown: framing.shown,
        ...(isFading ? { isFading } : {}),
      },
    ],
    scrims: sides.flatMap((side) => {
      const boxes = boxesAt(side, sides, boxesOf(block), height);
      return !hasWordsAt(brief, placed, side)
        ? []
        : [scrimAt(brief, unionOf(boxes), framing, side, isFading)];
    }),
    scrimsOver: "pictures",
    photoInk: framing.ink,
    ...{ logo, texts, button, badge, headlineSizeShare, lineBreakScore },
  };
}

/** A scrim from the canvas's edge over the words, with a ramp that ends before the subject where that leaves it soft. */
function scrimAt(
  brief: Brief,
  words: Box,
  { subject, opacity, opacityMin }: Framing,
  side: Side,
  isFading: boolean,
): Scrim {
  const { width, height, scale } = brief;
  const isAcross = side === "start" || side === "end";
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
  const least = isFading ? FADE_SHARE * 1.3 : RAMP.least;
  const ramp = Math.max(edge * least, Math.min(edge * RAMP.most, away * 1.3));
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
