import { type CanvasMemory, freeRaster, onHeap } from "../buffers.ts";
import { mixed } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import { covering, WHOLE } from "../layout/design/boxes.ts";
import type { Design } from "../layout/index.ts";
import { defocus } from "../raster/blur.ts";
import { BLACK, copyOf, type Rgb } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { drawPicture, layerOf, type PictureLayer } from "./draw-picture.ts";
import { paintGraphic } from "./paint-graphic.ts";
import { type PaintedScrim, paintScrims, scrimsFor } from "./paint-scrims.ts";
import { paintSurface } from "./paint-surface.ts";
import type { CanvasSize, Picture, PreparedPack } from "./prepared-pack.ts";
import { meanColour, scrimColour, themeOnPhoto } from "./theme-on-photo.ts";

/** Everything under logo and text. */
export interface Backdrop {
  /** Everything under the pictures, to draw animation frames on; null unless requested. */
  readonly base: Raster | null;
  /** Base, pictures and scrims. */
  readonly backdrop: Raster;
  /** The `background` picture; its raster is drawn into the base and released. */
  readonly background: PictureLayer | null;
  /**
   * Layers of the pictures. Without a base, their rasters are already released, except a raster that became the
   * backdrop.
   */
  readonly pictures: readonly PictureLayer[];
  readonly scrims: readonly PaintedScrim[];
  /** The pack's colours; for text on a photo, adapted to the photo. */
  readonly theme: Theme;
}

/**
 * Draws surface, pictures and scrims on a canvas from `memory`. Only one picture at a time is in memory beside the
 * canvas. With `keepsBase`, all pictures and the base stay in memory.
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

/**
 * The colours of a design's text and button on its photo. The button's colours suit the photo under the expected scrim.
 */
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
  const surface = paintSurface(width, height, design, theme, look.surface, isPaleHero, memory);
  paintGraphic(surface, design, pack);
  return surface;
}

/** Whether a picture hides the whole canvas: then its raster becomes the canvas, which saves allocating another. */
export const isWholeCanvas = ({ raster, x, y }: PictureLayer, { width, height }: CanvasSize): boolean =>
  raster.alpha === "opaque" && x === 0 && y === 0 && raster.width === width && raster.height === height;

/** Position of a duotone's darker tone between the surface (0) and black (1). */
const DUOTONE_DEPTH = 0.6;

/**
 * The `background` picture, out of focus, and in some looks in two tones of the surface. In a `scenery` pack, the
 * background is the hero and stays sharp.
 */
function backgroundLayer(pack: PreparedPack, canvas: Box, memory: CanvasMemory): PictureLayer | null {
  const picture = pack.background ?? null;
  if (picture === null) return null;
  const layer = layerOf(picture, covering("hero", canvas, WHOLE), canvas);
  const raster = defocus(layer.raster, picture.pyramid.resampler, memory);
  if (raster !== layer.raster) freeRaster(layer.raster);
  const { surface } = pack.theme;
  if (pack.look.surface.background === "duotone")
    duotone(raster, mixed(surface, BLACK, DUOTONE_DEPTH), surface);
  return { ...layer, raster };
}

/** Samples along each edge of a cut-out, and the fraction of the visible samples that must be near white. */
const SAMPLES = 48;
const PALE_SHARE_MIN = 0.42;
/** Minimum value of the darkest channel of a near-white pixel, out of 255 at full opacity. */
const PALE_LEVEL_MIN = 198;

/** Whether a cut-out is mostly white, such as porcelain or cosmetics: on a light surface it would be invisible. */
function isPale({ isCutOut, bounds, pyramid: { base } }: Picture): boolean {
  if (!isCutOut || "rgb" in base) return false;
  let [seen, pale] = [0, 0];
  for (let row = 0; row < SAMPLES; row += 1) {
    const y = bounds.y + Math.floor(((row + 0.5) / SAMPLES) * bounds.height);
    for (let column = 0; column < SAMPLES; column += 1) {
      const at = (y * base.width + bounds.x + Math.floor(((column + 0.5) / SAMPLES) * bounds.width)) * 4;
      const [r = 0, g = 0, b = 0, alpha = 0] = base.pixels.subarray(at, at + 4);
      if (alpha < 200) continue;
      seen += 1;
      if (Math.min(r, g, b) >= PALE_LEVEL_MIN) pale += 1;
    }
  }
  return pale > seen * PALE_SHARE_MIN;
}

/** Maps the brightness of an opaque picture to tones between `shadow` and `light`, in place. */
function duotone({ pixels }: Raster, shadow: Rgb, light: Rgb): void {
  const tones = new Uint8Array(256 * 3);
  for (let value = 0; value < 256; value += 1) {
    tones[value * 3] = Math.round(shadow.r + ((light.r - shadow.r) * value) / 255);
    tones[value * 3 + 1] = Math.round(shadow.g + ((light.g - shadow.g) * value) / 255);
    tones[value * 3 + 2] = Math.round(shadow.b + ((light.b - shadow.b) * value) / 255);
  }
  for (let at = 0; at < pixels.length; at += 4) {
    const brightness = (pixels[at] ?? 0) * 299 + (pixels[at + 1] ?? 0) * 587 + (pixels[at + 2] ?? 0) * 114;
    const tone = Math.floor(brightness / 1000) * 3;
    pixels[at] = tones[tone] ?? 0;
    pixels[at + 1] = tones[tone + 1] ?? 0;
    pixels[at + 2] = tones[tone + 2] ?? 0;
  }
}
