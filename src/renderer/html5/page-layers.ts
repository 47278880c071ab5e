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
import { type Matte, matteOf } from "./matte.ts";

/** A picture of a page, bottom first. */
export interface PageLayer {
  /** Its name in the timeline; null for one that never moves. */
  readonly layer: string | null;
  /** Where its pixels are, in pixels of the canvas. */
  readonly box: Box;
  /** What is seen of it while it moves; null for all of it. */
  readonly window: Box | null;
  readonly colours: Raster;
  /** Opaque and grey, white where it hides what is below; null where it does everywhere. */
  readonly coverage: Raster | null;
  /** Whether its few colours need a file without loss. */
  readonly isFlat: boolean;
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
  const { width, height } = scene.brief;
  const canvas: Box = { x: 0, y: 0, width, height };
  const ground = isMoving && scene.base !== null ? scene.base : scene.backdrop;
  const layers: PageLayer[] = [
    { layer: null, box: canvas, window: null, colours: copyOf(ground), coverage: null, isFlat: false },
  ];
  if (ground === scene.base) layers.push(...pictureLayers(scene, photos), ...overlay(scene));
  const logo = scene.logo;
  if (logo !== null)
    layers.push(
      ...matted(
        matteOf(scene.backdrop, (one) => drawLogo(one, logo)),
        null,
        true,
      ),
    );
  return layers;
}

function pictureLayers(scene: Scene, photos: readonly (MovingPhoto | null)[]): readonly PageLayer[] {
  return scene.pictures.flatMap((picture, at): readonly PageLayer[] => {
    const placed = scene.arrangement.design.pictures[at];
    if (placed === undefined) return [];
    const layer = pictureName(at);
    const photo = photos[at];
    if (photo != null) {
      const shown = seenInAll(picture.part, placed.box, photo);
      const colours = photo.pyramid.draw(shown.part, shown.box.width, shown.box.height);
      return [{ layer, box: shown.box, window: placed.box, colours, coverage: null, isFlat: false }];
    }
    if (placed.fill === "cover") {
      return [
        {
          layer: null,
          box: placed.box,
          window: null,
          colours: copyOf(picture.raster),
          coverage: null,
          isFlat: false,
        },
      ];
    }
    return matted(
      matteOf(scene.backdrop, (one) => drawPicture(one, picture, scene.theme)),
      layer,
      false,
    );
  });
}

/** What is seen of a photo from its start to its rest: the part, and where that lies when the photo rests, in whole pixels. */
function seenInAll(part: Box, box: Box, { start }: MovingPhoto): { readonly part: Box; readonly box: Box } {
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
  const matte = matteOf(backdrop, (canvas) => {
    if (design.scrimsOver === "pictures") paintScrims(canvas, scrims);
    paintTextCard(canvas, design, theme);
    paintOrnament(canvas, ornament);
  });
  return matted(matte, null, false);
}

const matted = (matte: Matte | null, layer: string | null, isFlat: boolean): readonly PageLayer[] =>
  matte === null ? [] : [{ ...matte, layer, window: null, isFlat }];

export function freeLayers(layers: readonly PageLayer[]): void {
  for (const { colours, coverage } of layers) {
    freeRaster(colours);
    if (coverage !== null) freeRaster(coverage);
  }
}
