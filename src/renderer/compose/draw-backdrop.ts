import { freeRaster } from "../buffers.ts";
import type { Theme } from "../colour/theme.ts";
import { covering, WHOLE } from "../layout/boxes.ts";
import type { Design } from "../layout/index.ts";
import { outOfFocus } from "../raster/blur.ts";
import { copyOf } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { drawPicture, layerOf, type PictureLayer } from "./draw-picture.ts";
import { paintScrims, scrimOpacityToAdd } from "./paint-scrims.ts";
import { paintCells, paintSurface } from "./paint-surface.ts";
import type { PreparedPack } from "./prepared-pack.ts";

/** All that lies under logo and words. */
export interface Backdrop {
  /** All that lies under the pictures, for frames to be drawn on; null unless it was asked for. */
  readonly base: Raster | null;
  /** Base, pictures and scrims. */
  readonly backdrop: Raster;
  /** Its raster is part of the base, and released. */
  readonly background: PictureLayer | null;
  /** Their rasters are released, or the backdrop itself, unless the base was asked for. */
  readonly pictures: readonly PictureLayer[];
  /** How much denser than their least the scrims are. */
  readonly addedScrimOpacity: number;
}

/**
 * Draws surface, pictures and scrims. One picture at a time is held beside the canvas; `keepsBase` keeps them all, and
 * what they are drawn on.
 */
export function drawBackdrop(
  pack: PreparedPack,
  design: Design,
  canvasBox: Box,
  keepsBase: boolean,
): Backdrop {
  const { theme } = pack;
  let drawn: Raster | null = null;
  const canvas = (): Raster => {
    drawn ??= surfaceOf(design, canvasBox, theme);
    return drawn;
  };
  const lay = (layer: PictureLayer, isKept: boolean): void => {
    if (drawn === null && isWholeCanvas(layer, canvasBox)) {
      drawn = layer.raster;
      return;
    }
    drawPicture(canvas(), layer, theme);
    if (!isKept) freeRaster(layer.raster);
  };

  const background = backgroundLayer(pack, canvasBox);
  if (background !== null) lay(background, false);
  const isUnder = design.scrimsOver === "background";
  const addedUnder = isUnder ? scrimOpacityToAdd(canvas(), design, theme) : 0;
  if (isUnder) paintScrims(canvas(), design.scrims, theme.surface, addedUnder);
  const base = keepsBase ? copyOf(canvas()) : null;
  const pictures: PictureLayer[] = [];
  for (const placed of design.pictures) {
    const picture = placed.role === "hero" ? pack.hero : pack.secondaryHero;
    if (picture === null) continue;
    const layer = layerOf(picture, placed, canvasBox);
    lay(layer, keepsBase);
    pictures.push(layer);
  }
  const addedScrimOpacity = isUnder ? addedUnder : scrimOpacityToAdd(canvas(), design, theme);
  if (!isUnder) paintScrims(canvas(), design.scrims, theme.surface, addedScrimOpacity);
  return { backdrop: canvas(), base, background, pictures, addedScrimOpacity };
}

function surfaceOf(design: Design, { width, height }: Box, theme: Theme): Raster {
  const surface = paintSurface(width, height, design, theme);
  paintCells(surface, design, theme);
  return surface;
}

/** Whether a picture leaves nothing to see of what is under it: then it is the canvas, and no second one is made. */
const isWholeCanvas = ({ raster, x, y }: PictureLayer, { width, height }: Box): boolean =>
  raster.alpha === "opaque" && x === 0 && y === 0 && raster.width === width && raster.height === height;

/** A `background` lies out of focus under everything that stands on it; a scenery's is its hero, and sharp. */
function backgroundLayer(pack: PreparedPack, canvas: Box): PictureLayer | null {
  const picture = pack.background ?? null;
  if (picture === null) return null;
  const layer = layerOf(picture, covering("hero", canvas, WHOLE), canvas);
  const raster = outOfFocus(layer.raster, picture.pyramid.resampler);
  if (raster !== layer.raster) freeRaster(layer.raster);
  return { ...layer, raster };
}
