import { commonArea } from "#renderer/box-geometry.ts";
import { paintScrims } from "#renderer/compose/paint-scrims.ts";
import type { Scene } from "#renderer/compose/scene.ts";
import type { Box, Raster } from "#renderer/index.ts";
import { photoBoxOf } from "#renderer/layout/design/design.ts";

/** Position of a scene's hero on the canvas, and the elements that cover it. */

export interface HeroOnCanvas {
  /** Maps a part of the photo (pixels of the upright source) to the canvas, including invisible parts. */
  readonly onCanvas: (part: Box) => Box;
  /** The visible part of a box on the canvas. */
  readonly inSight: (box: Box) => Box;
}

/** Null if the output has no hero. */
export function heroOnCanvas(scene: Scene): HeroOnCanvas | null {
  const at = scene.arrangement.design.pictures.findIndex(({ role }) => role === "hero");
  const [layer, placed] = [scene.pictures[at], scene.arrangement.design.pictures[at]];
  if (layer === undefined || placed === undefined) return null;
  // Only the photo's own box: the extended background around it contains no subject.
  const frame = photoBoxOf(placed);
  const { shown } = layer.crop;
  const { width, height } = scene.brief;
  const seenIn = overlap(frame, { x: 0, y: 0, width, height });
  const [across, down] = [frame.width / shown.width, frame.height / shown.height];
  return {
    onCanvas: (part) => ({
      x: frame.x + (part.x - shown.x) * across,
      y: frame.y + (part.y - shown.y) * down,
      width: part.width * across,
      height: part.height * down,
    }),
    inSight: (box) => overlap(box, seenIn),
  };
}

/** Everything that a scene draws over its images, by name. */
export function coversOf({ arrangement }: Scene): readonly { readonly by: string; readonly box: Box }[] {
  const { texts, logo, button, badge, textCard } = arrangement.design;
  const covers: readonly (readonly [by: string, box: Box | null | undefined])[] = [
    ...texts.map(({ role, ink }) => [role, ink] as const),
    ["logo", logo],
    ["button", button?.box],
    ["badge", badge?.box],
    ["card", textCard?.box],
  ];
  return covers.flatMap(([by, box]) => (box == null ? [] : [{ by, box }]));
}

/** Mean opacity of the scrims in an area, 0..1, measured by painting white scrims on black. */
export function scrimOver({ brief, arrangement, scrims }: Scene, area: Box): number {
  const isUnder = arrangement.design.scrimsOver === "background";
  if (isUnder || scrims.every(({ scrim }) => commonArea(scrim.box, area) === 0)) return 0;
  const within = rounded(area);
  const black: Raster = {
    width: brief.width,
    height: brief.height,
    pixels: new Uint8ClampedArray(brief.width * brief.height * 4),
    alpha: "opaque",
  };
  const white = { r: 255, g: 255, b: 255 };
  paintScrims(
    black,
    scrims.map((painted) => ({ ...painted, colour: white })),
    within,
  );
  let sum = 0;
  for (let row = within.y; row < within.y + within.height; row += 1) {
    for (let column = within.x; column < within.x + within.width; column += 1) {
      sum += black.pixels[(row * brief.width + column) * 4] ?? 0;
    }
  }
  return sum / (255 * Math.max(1, areaOf(within)));
}

export const areaOf = ({ width, height }: Box): number => width * height;

function rounded({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.floor(x + width) - left, height: Math.floor(y + height) - top };
}

function overlap(one: Box, other: Box): Box {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)];
  const right = Math.min(one.x + one.width, other.x + other.width);
  const bottom = Math.min(one.y + one.height, other.y + other.height);
  return { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y) };
}
