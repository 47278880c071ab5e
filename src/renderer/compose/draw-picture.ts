import { partOf } from "../box-geometry.ts";
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
import { drawExtended } from "./extend-photo.ts";
import { coverPart } from "./picture-crops.ts";
import type { CanvasSize, Picture } from "./prepared-pack.ts";

/** A picture scaled and cropped for its region, with its shadows, ready to be drawn. */
export interface PictureLayer {
  readonly raster: Raster;
  readonly x: number;
  readonly y: number;
  readonly shadows: readonly Shadow[];
  /** The visible part, in pixels of the pyramid's base. */
  readonly part: Box;
  readonly crop: Crop;
  /** The size at which the part is drawn. */
  readonly drawn: CanvasSize;
}

const shifted = (box: Box, x: number, y: number): Box => ({ ...box, x: box.x + x, y: box.y + y });

/** The visible part of a placed picture, in pixels of the pyramid's base. */
export function shownPart(picture: Picture, { box, fill, part, shown, free }: PlacedPicture): Box {
  if (fill === "cut_out") return partOf(picture.bounds, part);
  const { width, height } = picture.pyramid.base;
  return partOf({ x: 0, y: 0, width, height }, shown ?? coverPart(picture, box.width, box.height, free));
}

/**
 * Scales and crops a picture for its box. Takes the raster's pixels from `memory` if the picture is to fill its box.
 * The layer's `crop` is in source pixels.
 */
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

/** The shadows of a cut-out: the shadow of its footprint if it stands on a floor, else a shadow of its whole shape. */
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

/** A shadow's coverage, and its opacity 0..255. */
interface Shadow {
  readonly mask: Mask;
  readonly opacity: number;
}

/** Minimum alpha of a cut-out's pixel that counts as touching the floor. */
const SOLID_ALPHA_MIN = 128;
/**
 * The unit of a contact shadow's thickness and blur, as a fraction of the product's width and of its shorter side; the
 * smaller result applies.
 */
const THICKNESS = { ofWidth: 0.02, ofShort: 0.03 };

/**
 * The three layers of a contact shadow. `thickness` (half of the layer's) and `blur` are multiples of the unit above.
 * Parts of the product that are higher above the floor than `reach`, a fraction of the product's height, cast no
 * shadow. `across`: light comes from the upper left, so a soft layer is shifted right by this fraction of the product's
 * width.
 */
const LAYERS = [
  { thickness: 6, blur: 4.2, reach: 0.3, across: 0.05, opacity: 78 },
  { thickness: 2.4, blur: 1.7, reach: 0.12, across: 0.018, opacity: 110 },
  { thickness: 0.9, blur: 0.5, reach: 0.02, across: 0, opacity: 165 },
] as const;

/**
 * The shadow of a cut-out on the floor, in the shape of its footprint: dense and thin where the cut-out touches the
 * floor, such as under each wheel of a car, and soft under parts above the floor.
 */
export function contactShadow(drawn: Raster, box: Box, canvas: Box): readonly Shadow[] {
  const lifts = liftsOf(drawn);
  const short = Math.min(drawn.width, drawn.height);
  const touch = Math.max(1, Math.min(drawn.width * THICKNESS.ofWidth, short * THICKNESS.ofShort));
  const floor = box.y + box.height - touch * 0.5;
  return LAYERS.map(({ thickness, blur, reach, across, opacity }) => {
    const half = Math.max(1, touch * thickness);
    const rows = Math.ceil(half) * 2 + 1;
    const coverage = new Uint8Array(drawn.width * rows);
    const reachPx = Math.max(2, drawn.height * reach);
    for (let row = 0; row < rows; row += 1) {
      const down = (row - (rows - 1) / 2) / (half + 1);
      const dense = 255 * (1 - down * down);
      for (let x = 0; x < drawn.width; x += 1) {
        const near = 1 - (lifts[x] ?? drawn.height) / reachPx;
        if (near > 0) coverage[row * drawn.width + x] = dense * near;
      }
    }
    const x = box.x + Math.round(drawn.width * across);
    const mask: Mask = { x, y: Math.round(floor - rows / 2), width: drawn.width, height: rows, coverage };
    return { mask: blurred(mask, Math.max(0.8, touch * blur), canvas), opacity };
  });
}

/** Height above the floor of a cut-out's lowest pixel in each column, in pixels. */
function liftsOf({ width, height, pixels }: Raster): Uint16Array {
  const lifts = new Uint16Array(width).fill(height);
  for (let x = 0; x < width; x += 1) {
    let lift = 0;
    while (lift < height && (pixels[((height - 1 - lift) * width + x) * 4 + 3] ?? 0) < SOLID_ALPHA_MIN)
      lift += 1;
    lifts[x] = lift;
  }
  return lifts;
}
