import { freeRaster } from "../buffers.ts";
import { drawLogo } from "../compose/draw-logo.ts";
import { drawPicture } from "../compose/draw-picture.ts";
import { paintOrnament } from "../compose/paint-ornament.ts";
import { paintScrims } from "../compose/paint-scrims.ts";
import { paintTextCard } from "../compose/paint-surface.ts";
import type { Scene } from "../compose/scene.ts";
import { type MovingPhoto, pictureName } from "../motion/animate.ts";
import { partWhenPosed } from "../motion/push-in.ts";
import type { Timeline } from "../motion/timeline.ts";
import { BLACK, copyOf, filledCanvas, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";

/** A picture on a page. Lists of layers are in order from bottom to top. */
export interface PageLayer {
  /** Name of the layer's file and element. */
  readonly name: string;
  /** The layer's name in the timeline; null if it never moves. */
  readonly layer: string | null;
  /** Its box on the canvas, in pixels. */
  readonly box: Box;
  /** The window in which it is visible while it moves; null if it is not clipped. */
  readonly window: Box | null;
  /** Opaque, or with straight alpha. */
  readonly raster: Raster;
}

/**
 * A scene's pictures as layers. If a picture moves, the base, each picture, and the scrims, card and ornament are
 * separate layers; otherwise the backdrop is a single layer. The logo is the top layer. The caller frees their rasters.
 */
export function pageLayersOf(
  scene: Scene,
  timeline: Timeline,
  photos: readonly (MovingPhoto | null)[],
): readonly PageLayer[] {
  const isMoving = timeline.tracks.some(({ layer }) => layer.startsWith(pictureName("")));
  const { backdrop, base, logo, brief } = scene;
  const ground = isMoving && base !== null ? base : backdrop;
  const canvas: Box = { x: 0, y: 0, width: brief.width, height: brief.height };
  return [
    { name: "ground", layer: null, box: canvas, window: null, raster: copyOf(ground) },
    ...(ground === base ? [...pictureLayers(scene, photos), ...overlay(scene)] : []),
    ...(logo === null ? [] : matted("logo", null, backdrop, (one) => drawLogo(one, logo))),
  ];
}

function pictureLayers(scene: Scene, photos: readonly (MovingPhoto | null)[]): readonly PageLayer[] {
  return scene.pictures.flatMap((picture, at): readonly PageLayer[] => {
    const placed = scene.arrangement.design.pictures[at];
    if (placed === undefined) return [];
    const name = `picture-${at}`;
    const layer = pictureName(at);
    const photo = photos[at];
    if (photo != null) {
      const shown = seenInAll(placed.box, photo);
      const raster = photo.pyramid.draw(shown.part, shown.box.width, shown.box.height);
      return [{ name, layer, box: shown.box, window: placed.box, raster }];
    }
    return placed.fill === "cover"
      ? [{ name, layer: null, box: placed.box, window: null, raster: copyOf(picture.raster) }]
      : matted(name, layer, scene.backdrop, (one) => drawPicture(one, picture, scene.theme));
  });
}

/**
 * The part of a photo that is visible at some time of its motion, and the box of that part when the photo rests, in
 * whole pixels.
 */
function seenInAll(box: Box, { start, part }: MovingPhoto): { readonly part: Box; readonly box: Box } {
  const wide = partWhenPosed(part, box, start);
  const [perX, perY] = [part.width / box.width, part.height / box.height];
  const before = (at: number, from: number, per: number) => Math.max(0, Math.ceil((from - at) / per - 0.01));
  const left = before(wide.x, part.x, perX);
  const top = before(wide.y, part.y, perY);
  const right = before(part.x + part.width, wide.x + wide.width, perX);
  const bottom = before(part.y + part.height, wide.y + wide.height, perY);
  return {
    part: {
      x: part.x - left * perX,
      y: part.y - top * perY,
      width: part.width + (left + right) * perX,
      height: part.height + (top + bottom) * perY,
    },
    box: {
      x: box.x - left,
      y: box.y - top,
      width: box.width + left + right,
      height: box.height + top + bottom,
    },
  };
}

/** Scrims, card and ornament over the pictures. */
function overlay({ backdrop, arrangement, theme, scrims, ornament }: Scene): readonly PageLayer[] {
  const { design } = arrangement;
  return matted("overlay", null, backdrop, (canvas) => {
    if (design.scrimsOver === "pictures") paintScrims(canvas, scrims);
    paintTextCard(canvas, design, theme);
    paintOrnament(canvas, ornament);
  });
}

/** The output of `paint` as a layer; empty if it draws nothing. */
function matted(
  name: string,
  layer: string | null,
  canvas: Raster,
  paint: (canvas: Raster) => void,
): readonly PageLayer[] {
  const matte = matteOf(canvas, paint);
  return matte === null ? [] : [{ ...matte, name, layer, window: null }];
}

export function freeLayers(layers: readonly PageLayer[]): void {
  for (const { raster } of layers) freeRaster(raster);
}

/** A painting without its background. */
interface Matte {
  /** Its box on the canvas. */
  readonly box: Box;
  /** Its colours with straight alpha. */
  readonly raster: Raster;
}

/** Maximum difference in levels (of 255) from the painted colour, which is itself rounded. */
const ROUNDING = 1;

/**
 * Separates the output of `paint` from its background by painting it on black and on white: the more opaque, the
 * smaller the difference (triangulation matting, Smith and Blinn 1996). Null if nothing is painted. The caller frees
 * the raster.
 */
function matteOf(
  { width, height }: Pick<Raster, "width" | "height">,
  paint: (canvas: Raster) => void,
): Matte | null {
  const onBlack = filledCanvas(width, height, BLACK);
  const onWhite = filledCanvas(width, height, WHITE);
  paint(onBlack);
  paint(onWhite);
  const alphaAt = (at: number): number => {
    const seen = (channel: number) =>
      (onWhite.pixels[at + channel] ?? 0) - (onBlack.pixels[at + channel] ?? 0);
    return 255 - Math.round((seen(0) + seen(1) + seen(2)) / 3);
  };
  const box = paintedBox(width, height, alphaAt);
  const matte = box === null ? null : { box, raster: cutOut(onBlack, box, alphaAt) };
  freeRaster(onBlack);
  freeRaster(onWhite);
  return matte;
}

function paintedBox(width: number, height: number, alphaAt: (at: number) => number): Box | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (alphaAt((y * width + x) * 4) === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/**
 * Repeats the previous pixel's colour where that makes no visible difference, so that gradients of one colour compress
 * well.
 */
function cutOut(onBlack: Raster, { x, y, width, height }: Box, alphaAt: (at: number) => number): Raster {
  const pixels = new Uint8ClampedArray(width * height * 4);
  const colour = [0, 0, 0];
  for (let to = 0; to < pixels.length; to += 4) {
    const column = (to / 4) % width;
    const from = ((y + (to / 4 - column) / width) * onBlack.width + x + column) * 4;
    const alpha = alphaAt(from);
    if (alpha === 0) continue;
    for (let channel = 0; channel < 3; channel += 1) {
      const painted = onBlack.pixels[from + channel] ?? 0;
      const isSame = Math.abs(((colour[channel] ?? 0) * alpha) / 255 - painted) < ROUNDING;
      if (!isSame) colour[channel] = Math.min(255, Math.round((painted * 255) / alpha));
      pixels[to + channel] = colour[channel] ?? 0;
    }
    pixels[to + 3] = alpha;
  }
  return { width, height, pixels, alpha: "straight" };
}
