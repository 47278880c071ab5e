import { worstContrast } from "../colour/contrast.ts";
import type { Theme } from "../colour/theme.ts";
import { isOverlapping } from "../layout/design/boxes.ts";
import type { Design, Scrim } from "../layout/index.ts";
import { boxOf, clipBox, type Rgb } from "../raster/canvas.ts";
import { paintScrim } from "../raster/gradient.ts";
import type { Box, Raster } from "../types.ts";
import { CONTRAST_AIM, wordsOf } from "./paint-surface.ts";
import { meanColour, scrimColour } from "./theme-on-photo.ts";

const OPACITY_STEP = 0.05;
const OPACITY_STEPS = 20;

/** A scrim to paint: its colour, and its adaptive opacity 0..1. */
export interface PaintedScrim {
  readonly scrim: Scrim;
  readonly colour: Rgb;
  readonly opacity: number;
}

/**
 * The scrims of a design, each only as dense as its text needs to be legible. On a photo a scrim has the photo's colour
 * under its text.
 */
export function scrimsFor(canvas: Raster, design: Design, theme: Theme): readonly PaintedScrim[] {
  const words = wordsOf(design, theme);
  return design.scrims.map((scrim) => {
    const on = words.filter(({ box }) => isOverlapping(box, scrim.box));
    const colour =
      design.photoInk === undefined || on.length === 0
        ? theme.surface
        : scrimColour(
            meanColour(
              canvas,
              on.map(({ box }) => box),
            ),
            design.photoInk,
          );
    let steps = 0;
    for (const { box, ink } of on) {
      const area = clipBox(box, canvas.width, canvas.height);
      const kept = pixelsOf(canvas, area);
      const isReadable = (more: number): boolean => {
        paintScrims(canvas, [{ scrim, colour, opacity: opacityAfter(scrim, more) }], area);
        const contrast = worstContrast(canvas, area, ink);
        putBack(canvas, area, kept);
        return contrast >= CONTRAST_AIM;
      };
      if (isReadable(steps)) continue;
      // Binary search for the smallest opacity, in steps, at which the text is legible.
      for (let enough = OPACITY_STEPS; steps + 1 < enough; ) {
        const middle = (steps + enough) >> 1;
        if (isReadable(middle)) enough = middle;
        else steps = middle;
      }
      steps += 1;
    }
    return { scrim, colour, opacity: opacityAfter(scrim, steps) };
  });
}

const opacityAfter = ({ adaptiveOpacityMin }: Scrim, steps: number): number =>
  Math.min(1, adaptiveOpacityMin + steps * OPACITY_STEP);

/** Paints scrims on the part of a canvas inside `within`. */
export function paintScrims(
  canvas: Raster,
  painted: readonly PaintedScrim[],
  within: Box = boxOf(canvas),
): void {
  for (const { scrim, colour, opacity: adaptive } of painted) {
    const stops = scrim.stops.map(({ at, opacity }) => ({
      at,
      opacity: opacity === "adaptive" ? adaptive : opacity,
    }));
    if (stops.every(({ opacity }) => opacity === 0)) continue;
    paintScrim(canvas, scrim.box, colour, stops, scrim.axis, within, scrim.fadePx);
  }
}

/** Whether a visible scrim is behind text. */
export const hasTextOnScrim = ({ texts }: Design, painted: readonly PaintedScrim[]): boolean =>
  painted.some(
    ({ scrim, opacity }) => opacity > 0 && texts.some((text) => isOverlapping(scrim.box, text.ink)),
  );

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
