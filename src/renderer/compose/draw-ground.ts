import { TEXT_CONTRAST_MIN, worstContrast } from "../colour/legibility.ts";
import { fromOklab, toned, toOklab } from "../colour/oklab.ts";
import { mixed } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import type { Design, PlacedText, Veil } from "../layout/index.ts";
import { copyOf, filledCanvas, type Rgb } from "../raster/canvas.ts";
import { paintBlend, paintScrim } from "../raster/gradient.ts";
import type { Raster } from "../types.ts";

const GRIP_STEP = 0.06;

/** The surface a design stands on: flat, or with a little light falling on it where its colour is ours to choose. */
export function paintSurface(width: number, height: number, design: Design, theme: Theme): Raster {
  const canvas = filledCanvas(width, height, theme.surface);
  if (design.ground === "flat" || theme.isSurfaceGiven) return canvas;
  const lab = toOklab(theme.surface);
  const lit = theme.isDark
    ? fromOklab({ ...lab, l: lab.l + 0.045 })
    : mixed(theme.surface, { r: 255, g: 255, b: 255 }, 0.65);
  const shaded = fromOklab(
    theme.isDark ? toned(lab, lab.l - 0.035, 0.06) : { l: lab.l - 0.035, a: lab.a * 1.7, b: lab.b * 1.7 },
  );
  paintBlend(canvas, { x: 0, y: 0, width, height }, lit, shaded, 0.35, 0.65);
  return canvas;
}

/** The ink of a text on the surface. */
export const inkOf = (text: PlacedText, theme: Theme): Rgb =>
  text.role === "headline" ? theme.ink : theme.quietInk;

/**
 * Lays the design's veils over the canvas, only as dense as the words need.
 * Returns the canvas and whether a veil lies behind words.
 */
export function layVeils(
  canvas: Raster,
  design: Design,
  theme: Theme,
): { readonly canvas: Raster; readonly isBehindWords: boolean } {
  if (design.veils.length === 0) return { canvas, isBehindWords: false };
  const isBehindWords = design.veils.some((veil) =>
    design.texts.some((text) => isMeeting(veil.box, text.ink)),
  );
  let grip = 0;
  let veiled = canvas;
  for (let step = 0; step < 12; step += 1) {
    const added = step * GRIP_STEP;
    veiled = copyOf(canvas);
    grip = 0;
    for (const veil of design.veils) grip = Math.max(grip, paintVeil(veiled, veil, theme.surface, added));
    const isLegible = design.texts.every(
      (text) => worstContrast(veiled, text.ink, inkOf(text, theme)) >= TEXT_CONTRAST_MIN + 0.1,
    );
    if (isLegible || grip >= 1) break;
  }
  return { canvas: veiled, isBehindWords };
}

function paintVeil(canvas: Raster, veil: Veil, colour: Rgb, added: number): number {
  const grip = Math.min(1, veil.gripMin + added);
  const stops = veil.stops.map((stop) => ({
    at: stop.at,
    opacity: stop.opacity === "grip" ? grip : stop.opacity,
  }));
  paintScrim(canvas, veil.box, colour, stops, veil.axis);
  return grip;
}

function isMeeting(one: Veil["box"], other: Veil["box"]): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
