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
} from "../design/design.ts";
import { isRow } from "../design/shape-from-size.ts";
import { type Framing, framePhoto } from "../pictures/frame-photo.ts";
import { columnPanel, fitPanel, shifted, signedPanel } from "../words/text-panel.ts";
import { row } from "./row.ts";

/** Words at one side of a canvas, before the photo is laid under them. */
interface Placed {
  readonly block: CopyBlock;
  readonly side: "start" | "end" | "head" | "foot";
}

/** Shares of the safe area's width that a column of words may take. */
const COLUMN_SHARES = [0.4, 0.52];
/** Share of the width that words of a strip may take. */
const ROW_SHARES = [0.7, 0.84];
/** Shares of the height that words over the width may take. */
const FILL_MAX = 0.46;

/** A photo on the whole canvas, its words where it is calm; null where it has no such place, or the words do not fit it. */
export function fullBleed(brief: Brief): Design | null {
  const { hero } = brief;
  if (hero === null || hero.ground === null || brief.hasBackground || brief.secondaryHero !== null)
    return null;
  if (!PHOTO_FAMILIES.includes(brief.family)) return null;
  const found = placesOf(brief).flatMap((placed) => {
    const framing = framePhoto(brief, hero, groupsOf(brief, placed.block));
    return framing === null ? [] : [{ ...placed, framing }];
  });
  const best = bestScored(found, ({ block, framing }) => framing.score * (0.35 + headlineScore(block)));
  return best === null ? null : onPhoto(brief, best.block, best.framing, best.side);
}

/** The words of a canvas at each side that its shape allows. */
function placesOf(brief: Brief): readonly Placed[] {
  const { safe, scale, shape } = brief;
  const m = scale.marginPx;
  const content = inset(safe, m, hasSmallSafeArea(brief) ? m * 0.5 : m);
  if (isRow(shape)) return ROW_SHARES.flatMap((share) => atBothEnds(brief, content, rowIn(brief, share)));
  const columns = COLUMN_SHARES.flatMap((share) => {
    const region = { ...content, width: content.width * share };
    return atBothEnds(brief, content, columnPanel(brief, region));
  });
  if (shape === "landscape" || shape === "leaderboard") {
    const foot = hasSmallSafeArea(brief)
      ? null
      : signedPanel(brief, content, { stand: "bottom", fillMax: FILL_MAX });
    return [...columns, ...(foot === null ? [] : [{ block: foot, side: "foot" } as const])];
  }
  const foot = signedPanel(brief, content, { stand: "bottom", fillMax: FILL_MAX });
  const upper = { ...content, height: content.height * (FILL_MAX + 0.1) };
  const head = fitPanel(brief, {
    region: upper,
    align: "start",
    stand: "top",
    logoAt: "head",
    fillMax: 1,
    disclaimerAt: "words",
  });
  return [
    ...(foot === null ? [] : [{ block: foot, side: "foot" } as const]),
    ...(head === null ? [] : [{ block: head, side: "head" } as const]),
    ...(shape === "square" ? columns : []),
  ];
}

/** A block at the start of a canvas, and the same at its end. */
function atBothEnds(brief: Brief, content: Box, block: CopyBlock | null): readonly Placed[] {
  if (block === null) return [];
  const reach = unionOf(boxesOf(block));
  const dx = Math.floor(content.x + content.width - reach.x - reach.width);
  const start: Placed = { block, side: "start" };
  return dx < brief.width * 0.08 ? [start] : [start, { block: shifted(block, dx), side: "end" }];
}

/** The words of a strip in one row, in a share of its width. */
function rowIn(brief: Brief, share: number): CopyBlock | null {
  const safe = { ...brief.safe, width: Math.round(brief.safe.width * share) };
  const design = row({ ...brief, hero: null, safe, family: "campaign" });
  if (design === null) return null;
  const { logo, texts, button, badge, headlineSizeShare, lineBreakScore } = design;
  return { logo, texts, button, badge, headlineSizeShare, lineBreakScore };
}

/** What words take of the canvas: all of them as one box, and a logo that is apart from them. */
function groupsOf({ scale }: Brief, block: CopyBlock): readonly Box[] {
  const pad = scale.marginPx * 0.4;
  const words = boxesOf({ ...block, logo: null });
  const { logo } = block;
  if (words.length === 0) return logo === null ? [] : [inset(logo, -pad, -pad)];
  const group = unionOf(words);
  if (logo === null) return [inset(group, -pad, -pad)];
  const isNear = logo.y + logo.height + scale.marginPx * 2 > group.y;
  return (isNear ? [unionOf([group, logo])] : [group, logo]).map((box) => inset(box, -pad, -pad));
}

/** The length of a scrim's ramp: as shares of the canvas; a shorter one shows as an edge. */
const RAMP = { least: 0.14, most: 0.4 } as const;

/** Words on a photo that fills the canvas, with the scrim that their contrast may need. */
function onPhoto(brief: Brief, block: CopyBlock, framing: Framing, side: Placed["side"]): Design {
  const { width, height } = brief;
  const canvas = { x: 0, y: 0, width, height };
  return {
    surface: "flat",
    pictures: [{ ...covering("hero", canvas, WHOLE), shown: framing.shown }],
    scrims: [scrimAt(brief, unionOf(boxesOf(block)), framing, side)],
    scrimsOver: "pictures",
    photoInk: framing.ink,
    logo: block.logo,
    texts: block.texts,
    button: block.button,
    badge: block.badge,
    headlineSizeShare: block.headlineSizeShare,
    lineBreakScore: block.lineBreakScore,
  };
}

/** A scrim from the canvas's edge over the words, with a ramp that ends before the subject where that leaves it soft. */
function scrimAt(
  brief: Brief,
  words: Box,
  { subject, opacity, opacityMin }: Framing,
  side: Placed["side"],
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
  const ramp = Math.max(edge * RAMP.least, Math.min(edge * RAMP.most, away * 1.3));
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
