import { type CanvasMemory, freeRaster, onHeap } from "../buffers.ts";
import { mixed } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import { covering, WHOLE } from "../layout/design/boxes.ts";
import type { Design } from "../layout/index.ts";
import { outOfFocus } from "../raster/blur.ts";
import { BLACK, copyOf } from "../raster/canvas.ts";
import { duotone } from "../raster/duotone.ts";
import type { Box, Raster } from "../types.ts";
import { drawPicture, layerOf, type PictureLayer } from "./draw-picture.ts";
import { paintGraphic } from "./paint-graphic.ts";
import { type PaintedScrim, paintScrims, scrimsFor } from "./paint-scrims.ts";
import { paintSurface } from "./paint-surface.ts";
import { isPale } from "./pale-goods.ts";
import type { CanvasSize, PreparedPack } from "./prepared-pack.ts";
import { meanColour, scrimColour, themeOnPhoto } from "./theme-on-photo.ts";

/** Everything that lies under logo and words. */
export interface Backdrop {
  /** Everything that lies under the pictures, to draw frames on; null unless it was requested. */
  readonly base: Raster | null;
  /** Base, pictures and scrims. */
  readonly backdrop: Raster;
  /** The `background` picture; its raster is drawn into the base and released. */
  readonly background: PictureLayer | null;
  /** Unless the base was requested, their rasters are released, or are the backdrop itself. */
  readonly pictures: readonly PictureLayer[];
  readonly scrims: readonly PaintedScrim[];
  /** The pack's colours; for words on a photo, by what lies under them. */
  readonly theme: Theme;
}

/**
 * Draws surface, pictures and scrims. One picture at a time is held beside the canvas; `keepsBase` keeps all of them,
 * and the base. The canvas is drawn in pixels from `memory`.
 */
export function drawBackdrop(
  pack: PreparedPack,
  design: Design,
  canvasBox: Box,
  keepsBase: boolean,
  memory: CanvasMemory,
): Backdrop {
  const { theme } = pack;
  let drawn: Raster | null = null;
  const canvas = (): Raster => {
    drawn ??= surfaceOf(design, canvasBox, pack, memory);
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

  const background = backgroundLayer(pack, canvasBox, memory);
  if (background !== null) lay(background, false);
  const isUnder = design.scrimsOver === "background";
  const under = isUnder ? scrimsFor(canvas(), design, theme) : [];
  if (isUnder) paintScrims(canvas(), under);
  const base = keepsBase ? copyOf(canvas()) : null;
  const pictures: PictureLayer[] = [];
  for (const placed of design.pictures) {
    const picture = placed.role === "hero" ? pack.hero : pack.secondaryHero;
    if (picture === null) continue;
    const isCanvas = drawn === null && picture.pyramid.base.alpha === "opaque";
    const layer = layerOf(picture, placed, canvasBox, isCanvas ? memory : onHeap);
    lay(layer, keepsBase);
    pictures.push(layer);
  }
  const words = wordsTheme(canvas(), design, theme);
  const over = isUnder ? [] : scrimsFor(canvas(), design, words);
  if (over.length > 0) paintScrims(canvas(), over);
  return { backdrop: canvas(), base, background, pictures, scrims: isUnder ? under : over, theme: words };
}

/** The colours of a design's words and button. The button's suit the photo as it is under the expected scrim. */
function wordsTheme(canvas: Raster, { photoInk, texts, button, scrims }: Design, theme: Theme): Theme {
  if (photoInk === undefined) return theme;
  const under = meanColour(
    canvas,
    texts.map(({ ink }) => ink),
  );
  const bare = button === null ? under : meanColour(canvas, [button.box]);
  const underButton = mixed(bare, scrimColour(bare, photoInk), scrims[0]?.expectedOpacity ?? 0);
  return themeOnPhoto(theme, photoInk, under, underButton);
}

function surfaceOf(design: Design, { width, height }: Box, pack: PreparedPack, memory: CanvasMemory): Raster {
  const { theme, look, hero } = pack;
  const isPaleHero = hero !== null && isPale(hero);
  const surface = paintSurface(width, height, design, theme, look.ground, isPaleHero, memory);
  paintGraphic(surface, design, pack);
  return surface;
}

/** Whether a picture hides the whole canvas: then its raster can be the canvas, and no second one is allocated. */
export const isWholeCanvas = ({ raster, x, y }: PictureLayer, { width, height }: CanvasSize): boolean =>
  raster.alpha === "opaque" && x === 0 && y === 0 && raster.width === width && raster.height === height;

/** How far the darker tone of a duotone lies from the surface towards black. */
const DUOTONE_DEPTH = 0.6;

/** The `background` picture, out of focus, in some looks in two tones of the surface. A scenery's background is its hero, and sharp. */
function backgroundLayer(pack: PreparedPack, canvas: Box, memory: CanvasMemory): PictureLayer | null {
  const picture = pack.background ?? null;
  if (picture === null) return null;
  const layer = layerOf(picture, covering("hero", canvas, WHOLE), canvas);
  const raster = outOfFocus(layer.raster, picture.pyramid.resampler, memory);
  if (raster !== layer.raster) freeRaster(layer.raster);
  const { surface } = pack.theme;
  if (pack.look.ground.background === "duotone")
    duotone(raster, mixed(surface, BLACK, DUOTONE_DEPTH), surface);
  return { ...layer, raster };
}
