import type { CanvasMemory } from "../buffers.ts";
import { fromOklab, toned, toOklab } from "../colour/oklab.ts";
import type { Theme } from "../colour/theme.ts";
import { isExtended, photoBoxOf } from "../layout/design/design.ts";
import type { PlacedPicture } from "../layout/index.ts";
import { clipToMask, drawOver, paintMask } from "../raster/blend.ts";
import { blurred } from "../raster/blur.ts";
import { boxOf, type Rgb } from "../raster/canvas.ts";
import type { Box, Crop, Raster } from "../types.ts";
import { fillPath, type Mask, roundedRect } from "../vector/index.ts";
import { contactShadow, type Shadow } from "./contact-shadow.ts";
import { drawExtended } from "./extend-photo.ts";
import { coverPart } from "./picture-crops.ts";
import type { CanvasSize, Picture } from "./prepared-pack.ts";

/** A picture scaled and cut for its place, with its shadows, ready to be drawn. */
export interface PictureLayer {
  readonly raster: Raster;
  readonly x: number;
  readonly y: number;
  readonly shadows: readonly Shadow[];
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
  const drawn = picture.pyramid.draw(part, box.width, box.height);
  if (placed.fill === "card") {
    const local = boxOf(box);
    const shape = fillPath(roundedRect(local, placed.cornerRadiusPx), local);
    const shadow = { ...shape, x: box.x, y: box.y + Math.round(box.height * 0.025) };
    const raster = clipToMask(drawn, shape);
    if (placed.isFlat === true) return { ...at, raster, shadows: [] };
    const mask = blurred(shadow, Math.max(2, Math.min(box.width, box.height) * 0.035), canvas);
    return { ...at, raster, shadows: [{ mask, opacity: 74 }] };
  }
  const shadows = picture.hasOwnShadow === true ? [] : cutOutShadows(drawn, placed, placed.cell ?? canvas);
  return { ...at, raster: drawn, shadows };
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

/** A product's shadow on its floor; behind what floats or is cut by the canvas edge, that of its shape. */
function cutOutShadows(drawn: Raster, placed: PlacedPicture, canvas: Box): readonly Shadow[] {
  const { box } = placed;
  if (placed.footing === "floor") return contactShadow(drawn, box, canvas);
  const short = Math.min(box.width, box.height);
  const alpha = new Uint8Array(drawn.width * drawn.height);
  for (let i = 0; i < alpha.length; i += 1) alpha[i] = drawn.pixels[i * 4 + 3] ?? 0;
  const moved = { x: box.x + Math.round(short * 0.02), y: box.y + Math.round(short * 0.03) };
  const shape: Mask = { ...box, ...moved, coverage: alpha };
  return [{ mask: blurred(shape, Math.max(1.5, short * 0.05), canvas), opacity: 56 }];
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
