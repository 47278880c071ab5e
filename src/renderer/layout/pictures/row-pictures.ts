import { covering, WHOLE } from "../design/boxes.ts";
import type { Brief, PlacedPicture } from "../design/design.ts";
import { coverRegion, standInRegion } from "./place-pictures.ts";

/** The pictures at the start of a row, as wide as they may be. */
export function rowPictures(brief: Brief, pictureWidth: number, isOnSurface: boolean) {
  const { width, height, scale, safe } = brief;
  if (brief.family === "scenery") return coverRegion(brief, { x: 0, y: 0, width, height });
  if (pictureWidth <= 0 || brief.hero === null) return [];
  if (!isOnSurface) return coverRegion(brief, { x: 0, y: 0, width: Math.round(pictureWidth), height });
  if (showsUpperPart(brief)) return onPanel(brief, [upperPart(brief, brief.hero.aspect)]);
  const isPerson = brief.family === "person" && brief.hero.isCutOut;
  const pad = isPerson ? Math.max(2, height * 0.04) : Math.max(2, height * 0.07);
  const wide = Math.min(width * 0.32, Math.max(pictureWidth * 0.6, brief.hero.aspect * (height - pad * 2)));
  const region = {
    x: safe.x + scale.marginPx,
    y: pad,
    width: Math.min(wide, pictureWidth),
    height: isPerson ? height - pad : height - pad * 2,
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

/** In a strip this low a whole phone would be a few pixels wide: only its upper part is shown. */
const UPPER_PART_HEIGHT_MAX = 130;
const UPPER_PART_ASPECT_MAX = 0.75;

const showsUpperPart = ({ family, hero, height }: Brief): boolean =>
  family === "device" &&
  hero !== null &&
  hero.aspect < UPPER_PART_ASPECT_MAX &&
  height <= UPPER_PART_HEIGHT_MAX;

/** The upper part of a device, larger, standing on the canvas edge. */
function upperPart({ height, safe, scale }: Brief, aspect: number): PlacedPicture {
  const top = Math.max(3, Math.round(height * 0.12));
  const width = Math.max(8, Math.round(height * 0.8));
  const box = { x: Math.round(safe.x + scale.marginPx * 1.6), y: top, width, height: height - top };
  const shown = (box.height * aspect) / width;
  return { ...covering("hero", box, WHOLE), fill: "cut_out", part: { ...WHOLE, height: Math.min(1, shown) } };
}
