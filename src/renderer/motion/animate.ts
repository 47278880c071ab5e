import { unionOf } from "../box-geometry.ts";
import { type CanvasMemory, freeRaster } from "../buffers.ts";
import { drawBorder } from "../compose/display-border.ts";
import { drawLogo } from "../compose/draw-logo.ts";
import { drawPicture } from "../compose/draw-picture.ts";
import { paintOrnament } from "../compose/paint-ornament.ts";
import { paintScrims } from "../compose/paint-scrims.ts";
import { paintTextCard } from "../compose/paint-surface.ts";
import type { PreparedPack } from "../compose/prepared-pack.ts";
import type { LayeredScene, Scene } from "../compose/scene.ts";
import { inset } from "../layout/design/boxes.ts";
import { boxesOf, hasKeyAreas, isExtended, type PlacedPicture } from "../layout/design/design.ts";
import { protectedBoxes } from "../layout/pictures/protected-area-damage.ts";
import { drawOver } from "../raster/blend.ts";
import { boxOf, copyOf } from "../raster/canvas.ts";
import { Pyramid } from "../raster/pyramid.ts";
import type { Box, Raster } from "../types.ts";
import { isPathClear, isSettling, type MovingPicture, partName, timelineOf } from "./choreography.ts";
import { paintPosed } from "./paint-posed.ts";
import { presetOf } from "./presets.ts";
import { movedBox, type PhotoStart, partWhenPosed, startOfPush } from "./push-in.ts";
import { poseAt, type Start, type Timeline } from "./timeline.ts";

/** Distance from its place at which a text starts, as a multiple of the margin. */
const REACH_MARGINS = 0.9;

/** A moving photo: where it starts, and its source. */
export interface MovingPhoto {
  readonly start: PhotoStart;
  readonly pyramid: Pyramid;
  /** The visible part at rest, in pixels of the pyramid's base. */
  readonly part: Box;
}

export const pictureName = (at: number | ""): string => `picture/${at}`;

/** The scene's photos that move in its look, by picture index; null for a photo that stays still. */
export function movingPhotosOf(pack: PreparedPack, scene: Scene): readonly (MovingPhoto | null)[] {
  return scene.arrangement.design.pictures.map((placed, at): MovingPhoto | null => {
    const picture = placed.role === "hero" ? pack.hero : pack.secondaryHero;
    const layer = scene.pictures[at];
    if (picture === null || layer === undefined || placed.fill !== "cover") return null;
    // A photo with extended background moves together with that background, as drawn.
    const { pyramid, part } = isExtended(placed)
      ? { pyramid: new Pyramid(layer.raster, picture.pyramid.resampler), part: boxOf(placed.box) }
      : { pyramid: picture.pyramid, part: layer.part };
    const start = startOfPush(pyramid.base, part, placed.box, keptBoxes(scene, placed), coversOf(scene));
    return start === null ? null : { start, pyramid, part };
  });
}

/**
 * Protected areas of a moving photo. `whole`: areas to show whole, which are heads and areas named by the caller, else
 * the subject if it is certain. `bare`: areas that no text may cover, which are the areas in `whole` and the subject.
 */
export function keptBoxes(
  { brief }: Pick<Scene, "brief">,
  placed: PlacedPicture,
): { readonly whole: readonly Box[]; readonly bare: readonly Box[] } {
  const traits = placed.role === "hero" ? brief.hero : brief.secondaryHero;
  const hasKeys = hasKeyAreas(traits);
  const bare = hasKeys || traits?.textBackground?.mayCarryWords ? protectedBoxes(placed, brief) : [];
  return { bare, whole: hasKeys ? protectedBoxes(placed, brief, "key areas") : bare };
}

const coversOf = ({ arrangement: { design } }: LayeredScene): readonly Box[] => [
  ...boxesOf(design),
  ...(design.textCard === undefined ? [] : [design.textCard.box]),
];

const middleOf = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });

/** The timeline of a scene in its look, with these moving photos. */
export function timelineOfScene(scene: LayeredScene, photos: readonly (MovingPhoto | null)[]): Timeline {
  const preset = presetOf(scene.brief.look.motion);
  const { arrangement, brief } = scene;
  const { design } = arrangement;
  const reachPx = Math.max(2, brief.scale.marginPx * REACH_MARGINS);
  const placed = placedBoxes(scene, photos);
  const settling = scene.textLayers.filter(({ role }) => isSettling(role)).map((layer) => layer.box);
  const freeOf = (box: Box, bounds: readonly Box[]) => (start: Start, how?: "together") => {
    const own = how === "together" ? settling : [box];
    const others = placed.filter((other) => !own.some((one) => isSameBox(one, other)));
    return isPathClear(box, start, [...others, ...bounds]);
  };
  const pictures = design.pictures.flatMap(({ box, fill, footing }, at): readonly MovingPicture[] => {
    const layer = pictureName(at);
    const photo = photos[at];
    if (fill === "cover") {
      return photo == null ? [] : [{ layer, from: photo.start, kind: "photo", isFree: () => true }];
    }
    const { x = 0, y = 0 } = preset.object;
    const outwards = middleOf(box).x < brief.width / 2 ? -reachPx : reachPx;
    // A picture on the canvas edge rises from behind the edge.
    const bounds = footing === "edge" ? [] : [{ x: 0, y: 0, width: brief.width, height: brief.height }];
    return [
      { layer, from: { x: x * outwards, y: y * reachPx }, kind: "object", isFree: freeOf(box, bounds) },
    ];
  });
  // In a strip the safe area is the canvas, so text keeps away from its edge.
  const inner = inset(brief.safe, brief.scale.marginPx / 2, brief.scale.marginPx / 2);
  const words = scene.textLayers.map(({ role, parts, box }) => ({
    ...{ role, parts: parts.length, isFree: freeOf(box, [brief.safe, inner]) },
  }));
  return timelineOf(preset, words, pictures, reachPx, isFromRight(scene));
}

/**
 * Boxes that moving text must avoid, or stay inside if they contain it at rest: other text, logo, pictures, card and
 * scrims, and heads with their motion.
 */
function placedBoxes(scene: LayeredScene, photos: readonly (MovingPhoto | null)[]): readonly Box[] {
  const { design } = scene.arrangement;
  const heads = design.pictures.flatMap((picture, at) =>
    protectedBoxes(picture, scene.brief).map((head) => {
      const photo = photos[at];
      return photo == null ? head : unionOf([head, movedBox(head, photo.start, picture.box, 1)]);
    }),
  );
  return [
    ...coversOf(scene),
    ...design.pictures.map(({ box }) => box),
    ...design.scrims.map(({ box }) => box),
    ...heads,
  ];
}

const isSameBox = (one: Box, other: Box): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;

export const isFromRight = ({ arrangement }: LayeredScene): boolean =>
  arrangement.design.texts.some(({ set }) => set.isRightToLeft);

/** Draws a scene at a time in ms, in pixels from `memory`. Every call draws a new raster, which the caller frees. */
export type DrawMoment = (ms: number, memory?: CanvasMemory) => Raster;

/** Returns a function that draws a scene at any time of its timeline. */
export function framesOf(
  scene: LayeredScene,
  hasBorder: boolean,
  timeline: Timeline,
  photos: readonly (MovingPhoto | null)[],
): DrawMoment {
  const isFromTheRight = isFromRight(scene);
  const settledMs = Math.max(
    0,
    ...timeline.tracks.filter(({ layer }) => layer.startsWith(pictureName(""))).map(({ endMs }) => endMs),
  );
  const { backdrop } = scene;
  return (ms, memory) => {
    const canvas =
      ms < settledMs || backdrop === null
        ? drawLayers(scene, timeline, photos, ms, memory)
        : copyOf(backdrop, memory);
    if (scene.logo !== null) drawLogo(canvas, scene.logo);
    for (const layer of scene.textLayers) {
      const ofPart = (part: number) => poseAt(timeline, partName(layer.role, part), ms);
      paintPosed(canvas, layer, poseAt(timeline, layer.role, ms), ofPart, isFromTheRight);
    }
    if (hasBorder) drawBorder(canvas, scene.brief.pixelScale);
    return canvas;
  };
}

/** Draws the backdrop from its layers. At rest the pixels equal those of the backdrop. */
function drawLayers(
  scene: LayeredScene,
  timeline: Timeline,
  photos: readonly (MovingPhoto | null)[],
  ms: number,
  memory: CanvasMemory | undefined,
): Raster {
  const { base, theme } = scene;
  const { design } = scene.arrangement;
  const poseOf = (at: number) => poseAt(timeline, pictureName(at), ms);
  const photoAt = (at: number, from?: CanvasMemory): Raster | null => {
    const [photo, placed] = [photos[at], design.pictures[at]];
    if (photo == null || placed === undefined) return null;
    const { box } = placed;
    return photo.pyramid.draw(partWhenPosed(photo.part, box, poseOf(at)), box.width, box.height, from);
  };
  // Without a base the first photo fills the canvas.
  const canvas = base === null ? photoAt(0, memory) : copyOf(base, memory);
  if (canvas === null) throw new Error("frames are drawn on a base or on a photo");
  design.pictures.forEach(({ box }, at) => {
    if (base === null && at === 0) return;
    const layer = scene.pictures[at];
    const shown = photoAt(at);
    if (shown !== null) {
      drawOver(canvas, shown, box.x, box.y);
      freeRaster(shown);
    } else if (layer != null) {
      const { x, y } = poseOf(at);
      drawPicture(canvas, layer, theme, { shiftX: Math.round(x), shiftY: Math.round(y), opacity: 255 });
    }
  });
  if (design.scrimsOver === "pictures") paintScrims(canvas, scene.scrims);
  paintTextCard(canvas, design, theme);
  paintOrnament(canvas, scene.ornament);
  return canvas;
}
