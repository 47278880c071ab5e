import { worstContrast } from "../colour/contrast.ts";
import type { Theme } from "../colour/theme.ts";
import { isOverlapping } from "../layout/design/boxes.ts";
import type { Design, Scrim } from "../layout/index.ts";
import { boxOf, clipBox, type Rgb } from "../raster/canvas.ts";
import { paintScrim } from "../raster/gradient.ts";
import type { Box, Raster } from "../types.ts";
import { CONTRAST_AIM, wordsOf } from "./paint-surface.ts";

const OPACITY_STEP = 0.05;
const OPACITY_STEPS_MAX = 20;

/** On a photo that is dark by itself scrims may be thinner by this much, as long as the contrast below remains. */
const SPARED_OPACITIES = [-0.45, -0.3, -0.15];
const SPARED_CONTRAST_MIN = 9;

/** How much denser than usual the scrims must be for all texts to be legible; below 0 where the photo needs less. */
export function scrimOpacityToAdd(canvas: Raster, design: Design, theme: Theme): number {
  if (design.scrims.length === 0) return 0;
  const spared = theme.isDark && design.texts.length > 0 ? sparedOpacity(canvas, design, theme) : 0;
  if (spared < 0) return spared;
  let added = 0;
  for (const { box, ink } of wordsOf(design, theme)) {
    const area = clipBox(box, canvas.width, canvas.height);
    const kept = pixelsOf(canvas, area);
    for (let step = 0; step < OPACITY_STEPS_MAX; step += 1) {
      paintScrims(canvas, design.scrims, theme.surface, added, area);
      const isReadable = worstContrast(canvas, area, ink) >= CONTRAST_AIM;
      putBack(canvas, area, kept);
      if (isReadable) break;
      added += OPACITY_STEP;
    }
  }
  return added;
}

function sparedOpacity(canvas: Raster, design: Design, theme: Theme): number {
  // The logo counts as text here: it must be visible without a plate as well.
  const inked = [
    ...wordsOf(design, theme),
    ...(design.logo === null ? [] : [{ box: design.logo, ink: theme.ink }]),
  ];
  const isLegible = (added: number) =>
    inked.every(({ box, ink }) => {
      const area = clipBox(box, canvas.width, canvas.height);
      const kept = pixelsOf(canvas, area);
      paintScrims(canvas, design.scrims, theme.surface, added, area);
      const contrast = worstContrast(canvas, area, ink);
      putBack(canvas, area, kept);
      return contrast >= SPARED_CONTRAST_MIN;
    });
  return SPARED_OPACITIES.find(isLegible) ?? 0;
}

/** Paints scrims on the part of a canvas inside `within`; `added` raises their adaptive opacity. */
export function paintScrims(
  canvas: Raster,
  scrims: readonly Scrim[],
  colour: Rgb,
  added: number,
  within: Box = boxOf(canvas),
): void {
  for (const scrim of scrims) {
    const adaptive = Math.min(1, Math.max(0, scrim.adaptiveOpacityMin + added));
    const stops = scrim.stops.map(({ at, opacity }) => ({
      at,
      opacity: opacity === "adaptive" ? adaptive : opacity,
    }));
    paintScrim(canvas, scrim.box, colour, stops, scrim.axis, within, scrim.fadePx);
  }
}

/** Whether a scrim lies behind words. */
export const hasTextOnScrim = (design: Design): boolean =>
  design.scrims.some((scrim) => design.texts.some((text) => isOverlapping(scrim.box, text.ink)));

function pixelsOf(canvas: Raster, area: Box): Uint8ClampedArray {
  const kept = new Uint8ClampedArray(area.width * area.height * 4);
  for (let row = 0; row < area.height; row += 1) {
    const from = ((area.y + row) * canvas.width + area.x) * 4;
    kept.set(canvas.pixels.subarray(from, from + area.width * 4), row * area.width * 4);
  }
  return kept;
}

function putBack(canvas: Raster, area: Box, kept: Uint8ClampedArray): void {
  for (let row = 0; row < area.height; row += 1) {
    const to = ((area.y + row) * canvas.width + area.x) * 4;
    canvas.pixels.set(kept.subarray(row * area.width * 4, (row + 1) * area.width * 4), to);
  }
}
