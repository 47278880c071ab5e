import type { Box } from "#renderer/types.ts";
import { covering, WHOLE, wholeBox } from "../design/boxes.ts";
import { type Brief, isCutByFoot, isStanding, type PlacedPicture } from "../design/design.ts";
import { coverRegion, standInRegion } from "./place-pictures.ts";

/** The pictures at the start of a row, as wide as they may be. */
export function rowPictures(brief: Brief, pictureWidth: number, isOnSurface: boolean) {
  const { width, height, scale, safe } = brief;
  if (brief.family === "scenery") return coverRegion(brief, { x: 0, y: 0, width, height });
  if (pictureWidth <= 0 || brief.hero === null) return [];
  if (!isOnSurface) return coverRegion(brief, { x: 0, y: 0, width: Math.round(pictureWidth), height });
  // A person ends with the strip, and so does an upright device: whole it would be a few pixels wide.
  const isCut = isCutByFoot(brief);
  const pad = Math.max(2, height * (isCut ? 0.07 : 0.04));
  const natural = brief.hero.aspect * (height - pad * 2);
  const wide = Math.min(width * 0.32, Math.max(pictureWidth * (isLone(brief) ? 0.4 : 0.6), natural));
  const region = {
    x: safe.x + scale.marginPx,
    y: pad,
    width: Math.min(wide, pictureWidth),
    height: isCut ? height - pad : height - pad * 2,
  };
  if (isStanding(brief) && isLone(brief) && !brief.hasBackground) return bust(brief, region);
  return onPanel(brief, standInRegion(brief, region, scale.cornerRadiusPx * 1.2));
}

const isLone = ({ hero, secondaryHero }: Brief): boolean => hero?.isCutOut === true && secondaryHero === null;

/** The upper part of a person that a strip shows: whole they would be a thumb high. */
const BUST_SHARE = 0.6;

/** A person from the head down to where the strip ends, on a panel. */
function bust(brief: Brief, region: Box): readonly PlacedPicture[] {
  const tall = (region.height / BUST_SHARE) * (brief.hero?.aspect ?? 1);
  const box = wholeBox({ ...region, width: tall });
  const part = { ...WHOLE, height: BUST_SHARE };
  return onPanel(brief, [{ ...covering("hero", box, WHOLE), part, fill: "cut_out", footing: "edge" }]);
}

/** A lone cut-out on a panel at the start of the strip, with the same air at both sides. */
function onPanel(brief: Brief, pictures: readonly PlacedPicture[]): readonly PlacedPicture[] {
  const [picture, other] = pictures;
  if (picture?.fill !== "cut_out" || other !== undefined || brief.hasBackground) return pictures;
  const { x, width } = picture.box;
  return [{ ...picture, cell: { x: 0, y: 0, width: x * 2 + width, height: brief.height } }];
}
