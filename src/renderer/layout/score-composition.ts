import { unionOf } from "../box-geometry.ts";
import type { Box } from "../types.ts";
import type { CompositionKind } from "./candidates.ts";
import { type Brief, boxesOf, type Design, headlineScore, type PlacedPicture } from "./design/design.ts";
import { protectedBoxes } from "./pictures/protected-area-damage.ts";

/** Scores of a composition, each 0..1 unless noted. */
export interface Scores {
  /** The headline's size relative to the largest of its shape, up to 1.1, times its line-break score. */
  readonly headline: number;
  /** The fractions of the canvas that photos and their subjects take up; `subject` is null without a subject. */
  readonly photo: number;
  readonly subject: number | null;
  /** Quality of the crops: the saliency that they keep, and their sharpness. */
  readonly crop: number;
  /** The largest empty band between text in a column, as a fraction of the canvas height. */
  readonly gap: number;
  readonly isButtonBroken: boolean;
}

/** Thresholds: the first composition that passes them all is drawn. */
const GOOD = { headline: 0.8, photo: 0.45, subject: 0.2, crop: 0.8, gap: 0.14 } as const;
const BRAND_HEADLINE = 0.45;
/** Threshold of a leaderboard's photo: a short canvas has less room for a photo beside its text. */
const GOOD_PHOTO_LOW = 0.3;
/** Factor of the subject's threshold on a full-bleed photo, where the photo's background surrounds the subject. */
const FULL_BLEED_SUBJECT = 0.4;
/** Factor of the gap's threshold on a full-bleed photo: an empty gap between texts shows the photo. */
const FULL_BLEED_GAP = 1.6;
/** Threshold of the headline on a photo that fills a story. */
const STORY_HEADLINE = 0.6;
/** Threshold of a story's photo: a whole photo at the bottom may be short, because the text above it is larger. */
const STORY_PHOTO = 0.28;
/** An empty band of more than this fraction of the height lowers the score. */
const GAP_MAX = 0.12;
/** A photo enlarged by more than this factor is blurred. */
const ENLARGEMENT_MAX = 1.2;
const HEADLINE_MAX = 1.1;
/** Factor of the score if the button has two lines, because its column is too narrow. */
const BROKEN_BUTTON_WORTH = 0.45;
/** Relative preference for each kind, all else equal. */
const KIND_WORTH: Readonly<Record<CompositionKind, number>> = {
  full_bleed: 1.4,
  split: 1,
  overlap: 0.6,
  framed: 0.7,
};
const FRAMING_LOOK_WORTH = 1.65;

export function scoresOf(brief: Brief, design: Design): Scores {
  const canvas = brief.width * brief.height;
  const photo = design.pictures.reduce(
    (sum, { box: { width, height } }) => sum + (width * height) / canvas,
    0,
  );
  const subjects = design.pictures.flatMap((placed) => {
    const boxes = protectedBoxes(placed, brief);
    return boxes.length === 0 ? [] : [unionOf(boxes)];
  });
  const subject = subjects.reduce((sum, { width, height }) => sum + (width * height) / canvas, 0);
  return {
    headline: headlineOf(brief, design),
    photo: Math.min(1, photo),
    subject: subjects.length === 0 ? null : Math.min(1, subject),
    // For text on a photo, the crop was chosen together with the text's place.
    crop:
      design.photoInk !== undefined
        ? 1
        : design.pictures.reduce((least, placed) => Math.min(least, cropOf(brief, placed)), 1),
    gap: gapOf(brief, design),
    isButtonBroken: (design.button?.text?.set.lines.length ?? 1) > 1,
  };
}

export function isGood({ shape, family }: Brief, scores: Scores): boolean {
  // Without a photo, only the headline's score matters.
  if (family === "brand") return scores.headline >= BRAND_HEADLINE;
  const photoMin = shape === "leaderboard" ? GOOD_PHOTO_LOW : shape === "story" ? STORY_PHOTO : GOOD.photo;
  const headlineMin = shape === "story" && scores.photo === 1 ? STORY_HEADLINE : GOOD.headline;
  return (
    scores.headline >= headlineMin &&
    scores.photo >= photoMin &&
    (scores.subject ?? 1) >= GOOD.subject * (scores.photo === 1 ? FULL_BLEED_SUBJECT : 1) &&
    (scores.crop >= GOOD.crop || shape === "story") &&
    scores.gap <= GOOD.gap * (scores.photo === 1 ? FULL_BLEED_GAP : 1) &&
    !scores.isButtonBroken
  );
}

/**
 * Beside text on a canvas that is not upright, a photo larger than this fraction of the canvas does not score higher,
 * because it crowds the text.
 */
const SPLIT_PHOTO_MAX = 0.55;

/** Rises with the headline and with the visible area of photos and subjects. */
export function worthOf({ look, shape }: Brief, kind: CompositionKind, scores: Scores): number {
  const ofLook = kind === "framed" && look.layout.framesPhotos ? FRAMING_LOOK_WORTH : 1;
  const ofSubject = 0.75 + 0.25 * Math.min(1, (scores.subject ?? 1) / 0.25);
  const ofGap = 1 - Math.min(0.8, Math.max(0, scores.gap - GAP_MAX) * (shape === "skyscraper" ? 6 : 1.5));
  const isUpright = shape === "portrait" || shape === "story" || shape === "skyscraper";
  const photoMax = (kind === "split" || kind === "framed") && !isUpright ? SPLIT_PHOTO_MAX : 1;
  const ofButton = scores.isButtonBroken ? BROKEN_BUTTON_WORTH : 1;
  return (
    (0.1 + scores.headline) *
    Math.sqrt(Math.min(scores.photo, photoMax) + 0.05) *
    scores.crop *
    ofSubject *
    ofGap *
    ofButton *
    ofLook *
    KIND_WORTH[kind]
  );
}

function headlineOf({ scale }: Brief, design: Design): number {
  const lead = design.texts.find(({ role }) => role === "headline");
  if (lead === undefined) return headlineScore(design);
  return Math.min(HEADLINE_MAX, lead.set.fontSizePx / scale.headlinePxMax) * design.lineBreakScore;
}

/** Falls with the saliency that a crop cuts off, and with the enlargement; at most 1. */
function cropOf(brief: Brief, placed: PlacedPicture): number {
  if (placed.fill === "cut_out") return 1;
  const { role, box, free } = placed;
  const { salience, enlargement } = brief.cropOf(role, box.width, box.height, free);
  return Math.sqrt(Math.min(1, ENLARGEMENT_MAX / enlargement)) * Math.min(1, 0.4 + salience());
}

/** The largest empty band between text in a column, or between text and a photo below, as a fraction of the height. */
function gapOf({ height }: Brief, design: Design): number {
  // Without the badge, which is placed on its picture.
  const words = boxesOf({ ...design, badge: undefined });
  if (words.length === 0) return 0;
  const block = unionOf(words);
  const isInWay = ({ x, y, width }: Box): boolean =>
    y > block.y && x < block.x + block.width && block.x < x + width;
  const shown = [...design.pictures.map(({ box }) => box), ...[design.graphic?.mark ?? []].flat()];
  const boxes = [...words, ...shown.filter(isInWay)].sort((one, other) => one.y - other.y);
  let end = block.y;
  let most = 0;
  for (const { y, height: tall } of boxes) {
    most = Math.max(most, y - end);
    end = Math.max(end, y + tall);
  }
  return most / height;
}
