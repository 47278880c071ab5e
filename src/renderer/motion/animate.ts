import type { AnimatedFormat } from "#catalogue/types.ts";
import { drawBorder } from "../compose/display-border.ts";
import { drawLogo } from "../compose/draw-logo.ts";
import { drawPicture } from "../compose/draw-picture.ts";
import { paintOrnament } from "../compose/paint-ornament.ts";
import { paintScrims } from "../compose/paint-scrims.ts";
import { paintTextCard } from "../compose/paint-surface.ts";
import type { Picture, PreparedPack } from "../compose/prepared-pack.ts";
import type { Scene } from "../compose/scene.ts";
import { isExtended } from "../layout/design/design.ts";
import { protectedBoxes } from "../layout/pictures/protected-area-damage.ts";
import { copyOf } from "../raster/canvas.ts";
import type { ElementRole, Raster } from "../types.ts";
import { canDrift, type Drift, drawDrift, driftOf, heroPose } from "./hero-motion.ts";
import { paintPosed } from "./paint-posed.ts";
import { driftRoom } from "./photo-drift-range.ts";
import { momentRoles, poseAt, presetOf } from "./presets.ts";
import { settledAt, TIMELINE } from "./timeline.ts";

/** How far from its place a text starts, in margins. */
const REACH_MARGINS = 0.55;

/** The drift of each picture of a scene; null for one that stays still, also when drifting takes too many bytes. */
export function driftsOf(
  pack: PreparedPack,
  scene: Scene,
  format: AnimatedFormat,
  byteCap: number | null,
): readonly (Drift | null)[] {
  const { driftsPhotos } = presetOf(scene.brief.look.motion);
  return scene.arrangement.design.pictures.map((placed, at): Drift | null => {
    const picture: Picture | null = placed.role === "hero" ? pack.hero : pack.secondaryHero;
    const layer = scene.pictures[at];
    if (picture === null || layer === undefined || placed.fill !== "cover" || !driftsPhotos) return null;
    if (isExtended(placed)) return null;
    if (!canDrift(placed.box, format, byteCap)) return null;
    const { brief, arrangement } = scene;
    const room = driftRoom(placed, protectedBoxes(placed, brief), arrangement.design);
    return driftOf(picture.pyramid, layer.part, placed, room);
  });
}

/**
 * Returns the function that draws any frame of a scene. Photos move by `drifts`, cut-outs and cards come to their place,
 * words come in one after the other, price and button have their moment; logo, headline and price are there from the
 * first frame. Every call draws a new raster; the last frame is the static design.
 */
export function framesOf(
  scene: Scene,
  hasBorder: boolean,
  drifts: readonly (Drift | null)[],
): (frame: number) => Raster {
  const { design } = scene.arrangement;
  const preset = presetOf(scene.brief.look.motion);
  const reachPx = Math.max(2, scene.brief.scale.marginPx * REACH_MARGINS);
  const moments = momentRoles(scene.textLayers.map(({ role }) => role));
  const momentOf = (role: ElementRole) =>
    !moments.includes(role) ? "none" : role === "cta" && !scene.theme.isButtonFilled ? "line" : "words";
  const isFromRight = design.texts.some(({ set }) => set.isRightToLeft);
  const isDrifting = drifts.some((drift) => drift !== null);
  const isLively = design.pictures.some(({ fill }) => fill !== "cover");
  const isMoving = (frame: number): boolean =>
    frame < TIMELINE.frames - 1 && (isDrifting || (isLively && settledAt(frame) < 1));
  return (frame) => {
    const canvas = isMoving(frame) ? drawMoving(scene, drifts, frame) : copyOf(scene.backdrop);
    if (scene.logo !== null) drawLogo(canvas, scene.logo);
    for (const layer of scene.textLayers) {
      const pose = poseAt(preset, layer.role, frame, reachPx, momentOf(layer.role));
      if (pose !== null) paintPosed(canvas, layer, pose, isFromRight);
    }
    if (hasBorder) drawBorder(canvas, scene.brief.pixelScale);
    return canvas;
  };
}

/** The backdrop while a picture of it moves. */
function drawMoving(scene: Scene, drifts: readonly (Drift | null)[], frame: number): Raster {
  const { theme } = scene;
  const { design } = scene.arrangement;
  if (scene.base === null) return copyOf(scene.backdrop);
  const canvas = copyOf(scene.base);
  scene.pictures.forEach((layer, at) => {
    const placed = design.pictures[at];
    const drift = drifts[at];
    if (drift != null) drawDrift(canvas, drift, frame);
    else if (placed === undefined || placed.fill === "cover") drawPicture(canvas, layer, theme);
    else
      drawPicture(canvas, layer, theme, heroPose(layer, presetOf(scene.brief.look.motion).heroFrom, frame));
  });
  if (design.scrimsOver === "pictures") paintScrims(canvas, scene.scrims);
  paintTextCard(canvas, design, theme);
  paintOrnament(canvas, scene.ornament);
  return canvas;
}
