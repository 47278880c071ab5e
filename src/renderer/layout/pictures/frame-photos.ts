import type { Brief, Design, PlacedPicture } from "../design/design.ts";
import { isRow } from "../design/shape-from-size.ts";

/** Between a framed photo and the canvas edge, in margins. */
const FRAME_MARGINS = 0.7;
/** A photo that would keep less of its shorter side is not framed. */
const KEPT_MIN = 0.75;

/**
 * In looks that frame their photos: those beside or over a panel stand in from the canvas edge as flat cards with round
 * corners. Photos with words on them keep their place.
 */
export function withFramedPhotos(design: Design, brief: Brief): Design {
  const isOnPhoto = design.scrims.length > 0 || design.textCard !== undefined;
  if (!brief.look.layout.framesPhotos || isOnPhoto || isRow(brief.shape)) return design;
  return { ...design, pictures: design.pictures.map((placed) => framed(placed, brief)) };
}

function framed(placed: PlacedPicture, { width, height, scale }: Brief): PlacedPicture {
  const { box } = placed;
  if (placed.fill !== "cover" || placed.cell !== null) return placed;
  const gap = Math.round(scale.marginPx * FRAME_MARGINS);
  const left = box.x <= 0 ? gap : box.x;
  const top = box.y <= 0 ? gap : box.y;
  const right = box.x + box.width >= width ? width - gap : box.x + box.width;
  const bottom = box.y + box.height >= height ? height - gap : box.y + box.height;
  const isSmall = right - left < box.width * KEPT_MIN || bottom - top < box.height * KEPT_MIN;
  // A photo that covers the whole canvas has its words elsewhere than on a panel.
  if (isSmall || (box.width >= width && box.height >= height)) return placed;
  return {
    ...placed,
    fill: "card",
    isFlat: true,
    box: { x: left, y: top, width: right - left, height: bottom - top },
    cornerRadiusPx: Math.round(scale.cornerRadiusPx * 1.6),
  };
}
