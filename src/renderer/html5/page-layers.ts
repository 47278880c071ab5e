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
import { copyOf } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { matteOf } from "./matte.ts";

/** A picture of a page, bottom first. */
export interface PageLayer {
  /** Of its file and its element. */
  readonly name: string;
  /** Its name in the timeline; null for one that never moves. */
  readonly layer: string | null;
  /** Where its pixels are, in pixels of the canvas. */
  readonly box: Box;
  /** What is seen of it while it moves; null for all of it. */
  readonly window: Box | null;
  /** Opaque, or with straight alpha. */
  readonly raster: Raster;
}

/**
 * A scene's pictures as layers: all that never moves is one picture, and each that moves is its own, with what lies on it.
 * The caller frees their rasters.
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

/** What is seen of a photo from its start to its rest: the part, and where that lies when the photo rests, in whole pixels. */
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

/** Scrims, card and ornament that lie on the pictures. */
function overlay({ backdrop, arrangement, theme, scrims, ornament }: Scene): readonly PageLayer[] {
  const { design } = arrangement;
  return matted("overlay", null, backdrop, (canvas) => {
    if (design.scrimsOver === "pictures") paintScrims(canvas, scrims);
    paintTextCard(canvas, design, theme);
    paintOrnament(canvas, ornament);
  });
}

/** What `paint` paints as a layer; none when that is nothing. */
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
