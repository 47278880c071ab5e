import { type CanvasMemory, freeRaster } from "../buffers.ts";
import { fromOklab, toned, toOklab } from "../colour/oklab.ts";
import type { Theme } from "../colour/theme.ts";
import { isExtended, photoBoxOf } from "../layout/design/design.ts";
import type { PlacedPicture } from "../layout/index.ts";
import { clipToMask, drawOver, paintMask } from "../raster/blend.ts";
import { blurred } from "../raster/blur.ts";
import { boxOf, filledCanvas, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Box, Crop, Raster } from "../types.ts";
import { ellipse, fillPath, type Mask, roundedRect } from "../vector/index.ts";
import { drawExtended } from "./extend-photo.ts";
import { coverPart } from "./picture-crops.ts";
import type { CanvasSize, Picture } from "./prepared-pack.ts";

/** A picture scaled and cut for its place, with its shadows, ready to be drawn. */
export interface PictureLayer {
  readonly raster: Raster;
  readonly x: number;
  readonly y: number;
  readonly shadows: readonly { readonly mask: Mask; readonly opacity: number }[];
  /** What is shown, in pixels of the pyramid's base. */
  readonly part: Box;
  readonly crop: Crop;
  /** The size at which the part is drawn. */
  readonly drawn: CanvasSize;
}

const shifted = (box: Box, x: number, y: number): Box => ({ ...box, x: box.x + x, y: box.y + y });

const partOf = (bounds: Box, shares: Box): Box => ({
  x: bounds.x + bounds.width * shares.x,
  y: bounds.y + bounds.height * shares.y,
  width: bounds.width * shares.width,
  height: bounds.height * shares.height,
});

/** What a place shows of a picture, in pixels of the pyramid's base. */
export function shownPart(picture: Picture, { box, fill, part, shown, free }: PlacedPicture): Box {
  if (fill === "cut_out") return partOf(picture.bounds, part);
  const { width, height } = picture.pyramid.base;
  return partOf({ x: 0, y: 0, width, height }, shown ?? coverPart(picture, box.width, box.height, free));
}

/** Scales and crops a picture for its box, in pixels from `memory` where it fills the box. The crop is reported in source pixels. */
export function layerOf(
  picture: Picture,
  placed: PlacedPicture,
  canvas: Box,
  memory?: CanvasMemory,
): PictureLayer {
  const { box } = placed;
  const part = shownPart(picture, placed);
  const crop = cropOf(picture, part);
  const at = { x: box.x, y: box.y, part, crop, drawn: box };
  if (placed.fill === "cover") {
    const { pyramid } = picture;
    const raster = isExtended(placed)
      ? drawExtended(pyramid, part, box, shifted(photoBoxOf(placed), -box.x, -box.y), memory)
      : pyramid.draw(part, box.width, box.height, memory);
    return { ...at, raster, shadows: [] };
  }
  const hasMatte = placed.fill === "card" && picture.hasMatte === true;
  const drawn = hasMatte ? onMatte(picture, part, box) : picture.pyramid.draw(part, box.width, box.height);
  if (placed.fill === "card") {
    const local = boxOf(box);
    const shape = fillPath(roundedRect(local, placed.cornerRadiusPx), local);
    const shadow = { ...shape, x: box.x, y: box.y + Math.round(box.height * 0.025) };
    const raster = clipToMask(drawn, shape);
    freeRaster(drawn);
    if (placed.isFlat === true) return { ...at, raster, shadows: [] };
    const mask = blurred(shadow, Math.max(2, Math.min(box.width, box.height) * 0.035), canvas);
    return { ...at, raster, shadows: [{ mask, opacity: 74 }] };
  }
  const shadows = picture.hasOwnShadow === true ? [] : cutOutShadows(drawn, placed, canvas);
  return { ...at, raster: drawn, shadows };
}

/** The white around a product that touches its photo's edges, at each side of its card, as a share of the card. */
const MATTE_SHARE = 0.07;

function onMatte({ pyramid }: Picture, part: Box, { width, height }: Box): Raster {
  const matte = filledCanvas(width, height, WHITE);
  const inner = pyramid.draw(
    part,
    Math.max(1, Math.round(width * (1 - MATTE_SHARE * 2))),
    Math.max(1, Math.round(height * (1 - MATTE_SHARE * 2))),
  );
  drawOver(matte, inner, Math.round(width * MATTE_SHARE), Math.round(height * MATTE_SHARE));
  freeRaster(inner);
  return matte;
}

/** How a picture is drawn in one frame: moved by whole pixels, at an opacity of 0..255. */
export interface PicturePose {
  readonly shiftX: number;
  readonly shiftY: number;
  readonly opacity: number;
}

const AT_REST: PicturePose = { shiftX: 0, shiftY: 0, opacity: 255 };

/** Draws a picture's shadows, then the picture. */
export function drawPicture(
  canvas: Raster,
  layer: PictureLayer,
  theme: Theme,
  pose: PicturePose = AT_REST,
): void {
  const colour = shadowColour(theme.surface);
  const { shiftX, shiftY, opacity } = pose;
  for (const shadow of layer.shadows) {
    const moved = { ...shadow.mask, x: shadow.mask.x + shiftX, y: shadow.mask.y + shiftY };
    paintMask(canvas, moved, colour, Math.round((shadow.opacity * opacity) / 255));
  }
  drawOver(canvas, layer.raster, layer.x + shiftX, layer.y + shiftY, opacity);
}

function cutOutShadows(drawn: Raster, placed: PlacedPicture, canvas: Box): PictureLayer["shadows"] {
  const { box } = placed;
  const short = Math.min(box.width, box.height);
  const alpha = new Uint8Array(drawn.width * drawn.height);
  for (let i = 0; i < alpha.length; i += 1) alpha[i] = drawn.pixels[i * 4 + 3] ?? 0;
  const shape: Mask = { ...box, y: box.y + Math.round(short * 0.03), coverage: alpha };
  const ambient = {
    mask: blurred(shape, Math.max(1.5, short * 0.05), canvas),
    opacity: placed.footing === "edge" ? 46 : 56,
  };
  if (placed.footing !== "floor") return [ambient];
  const { left, right } = footOf(drawn);
  const centre = box.x + (left + right) / 2;
  const radius = Math.max(3, ((right - left) / 2) * 1.04);
  const thickness = Math.max(1.5, Math.min(radius * 0.16, short * 0.05));
  const floor = box.y + box.height - thickness * 0.35;
  const pool = fillPath(ellipse(centre, floor, radius, thickness), canvas);
  const contact = fillPath(ellipse(centre, floor, radius * 0.92, thickness * 0.45), canvas);
  return [
    ambient,
    { mask: blurred(pool, Math.max(1.5, thickness * 1.1), canvas), opacity: 96 },
    { mask: blurred(contact, Math.max(1, thickness * 0.4), canvas), opacity: 120 },
  ];
}

/** Where a cut-out touches the backdrop: the extent of its lowest rows. */
function footOf(raster: Raster): { left: number; right: number } {
  const rows = Math.max(1, Math.round(raster.height * 0.06));
  let left = raster.width;
  let right = 0;
  for (let y = raster.height - rows; y < raster.height; y += 1) {
    for (let x = 0; x < raster.width; x += 1) {
      if ((raster.pixels[(y * raster.width + x) * 4 + 3] ?? 0) < 128) continue;
      if (x < left) left = x;
      if (x + 1 > right) right = x + 1;
    }
  }
  return right > left ? { left, right } : { left: raster.width * 0.2, right: raster.width * 0.8 };
}

function shadowColour(surface: Rgb): Rgb {
  return fromOklab(toned(toOklab(surface), 0.16, 0.05));
}

function cropOf(picture: Picture, part: Box): Crop {
  const { base } = picture.pyramid;
  const scaleX = picture.sourceWidth / base.width;
  const scaleY = picture.sourceHeight / base.height;
  const x = Math.max(0, Math.round(part.x * scaleX));
  const y = Math.max(0, Math.round(part.y * scaleY));
  return {
    slot: picture.slot,
    shown: {
      x,
      y,
      width: Math.min(picture.sourceWidth, Math.round((part.x + part.width) * scaleX)) - x,
      height: Math.min(picture.sourceHeight, Math.round((part.y + part.height) * scaleY)) - y,
    },
    sourceWidth: picture.sourceWidth,
    sourceHeight: picture.sourceHeight,
    focalPoint: {
      x: Math.round(picture.focalPoint.x * picture.sourceWidth),
      y: Math.round(picture.focalPoint.y * picture.sourceHeight),
    },
  };
}
