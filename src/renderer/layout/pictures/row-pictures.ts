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
  const pad = Math.max(2, height * (isStanding(brief) ? 0.04 : isCut ? 0.12 : 0.07));
  const wide = Math.min(width * 0.32, Math.max(pictureWidth * 0.6, brief.hero.aspect * (height - pad * 2)));
  const region = {
    x: safe.x + scale.marginPx,
    y: pad,
    width: Math.min(wide, pictureWidth),
    height: isCut ? height - pad : height - pad * 2,
  };
  return onPanel(brief, standInRegion(brief, region, scale.cornerRadiusPx * 1.2));
}

/** A lone cut-out on a panel at the start of the strip, with the same air at both sides. */
function onPanel(brief: Brief, pictures: readonly PlacedPicture[]): readonly PlacedPicture[] {
  const [picture, other] = pictures;
  if (picture?.fill !== "cut_out" || other !== undefined || brief.hasBackground) return pictures;
  const { x, width } = picture.box;
  return [{ ...picture, cell: { x: 0, y: 0, width: x * 2 + width, height: brief.height } }];
}
