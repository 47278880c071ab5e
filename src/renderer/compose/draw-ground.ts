import { TEXT_CONTRAST_MIN, worstContrast } from "../colour/legibility.ts";
import { fromOklab, toned, toOklab } from "../colour/oklab.ts";
import { mixed } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import type { Design, PlacedText, Veil } from "../layout/index.ts";
import { clipBox, filledCanvas, type Rgb } from "../raster/canvas.ts";
import { paintBlend, paintGlow, paintScrim } from "../raster/gradient.ts";
import type { Box, Raster } from "../types.ts";

const GRIP_STEP = 0.05;
const GRIP_STEPS_MAX = 20;
/** Aimed a little above the rule, so that rounding to bytes cannot fall below it. */
const CONTRAST_AIM = TEXT_CONTRAST_MIN + 0.1;

/** The surface a design stands on: flat, or with light falling on it where its colour is ours to choose. */
export function paintSurface(width: number, height: number, design: Design, theme: Theme): Raster {
  if (design.ground === "flat" || theme.isSurfaceGiven) return filledCanvas(width, height, theme.surface);
  const isEmpty = design.pictures.length === 0;
  for (const strength of isEmpty ? [1, 0.5, 0] : [0]) {
    const canvas = litSurface(width, height, theme, strength);
    if (strength === 0 || isLegible(canvas, design, theme)) return canvas;
  }
  return filledCanvas(width, height, theme.surface);
}

function litSurface(width: number, height: number, theme: Theme, strength: number): Raster {
  const canvas = filledCanvas(width, height, theme.surface);
  const lab = toOklab(theme.surface);
  const lit = theme.isDark
    ? fromOklab({ ...lab, l: lab.l + 0.045 })
    : mixed(theme.surface, { r: 255, g: 255, b: 255 }, 0.65);
  const shaded = fromOklab(
    theme.isDark ? toned(lab, lab.l - 0.035, 0.06) : { l: lab.l - 0.035, a: lab.a * 1.7, b: lab.b * 1.7 },
  );
  paintBlend(canvas, { x: 0, y: 0, width, height }, lit, shaded, 0.35, 0.65);
  if (strength === 0) return canvas;
  // Without a picture the brand's own colours are the picture: two pools of light in opposite corners.
  const reach = Math.max(width, height) * 0.62 + Math.min(width, height) * 0.3;
  const pool = (x: number, y: number): Box => ({
    x: x - reach,
    y: y - reach,
    width: reach * 2,
    height: reach * 2,
  });
  paintGlow(canvas, pool(width, height), theme.button, (theme.isDark ? 0.42 : 0.55) * strength);
  paintGlow(canvas, pool(0, 0), theme.accent, (theme.isDark ? 0.3 : 0.26) * strength);
  return canvas;
}

function isLegible(canvas: Raster, design: Design, theme: Theme): boolean {
  return design.texts.every((text) => worstContrast(canvas, text.ink, inkOf(text, theme)) >= CONTRAST_AIM);
}

/** The ink of a text on the surface. */
export const inkOf = (text: PlacedText, theme: Theme): Rgb =>
  text.role === "headline" ? theme.ink : theme.quietInk;

/** Lays the design's veils over the canvas, only as dense as the words need; true when one lies behind words. */
export function layVeils(canvas: Raster, design: Design, theme: Theme): boolean {
  if (design.veils.length === 0) return false;
  let added = 0;
  for (const text of design.texts) {
    const area = clipBox(text.ink, canvas.width, canvas.height);
    const kept = pixelsOf(canvas, area);
    for (let step = 0; step < GRIP_STEPS_MAX; step += 1) {
      paintVeils(canvas, design.veils, theme.surface, added, area);
      const isLegible = worstContrast(canvas, area, inkOf(text, theme)) >= CONTRAST_AIM;
      putBack(canvas, area, kept);
      if (isLegible) break;
      added += GRIP_STEP;
    }
  }
  paintVeils(canvas, design.veils, theme.surface, added, {
    x: 0,
    y: 0,
    width: canvas.width,
    height: canvas.height,
  });
  return design.veils.some((veil) => design.texts.some((text) => isMeeting(veil.box, text.ink)));
}

function paintVeils(canvas: Raster, veils: readonly Veil[], colour: Rgb, added: number, within: Box): void {
  for (const veil of veils) {
    const grip = Math.min(1, veil.gripMin + added);
    const stops = veil.stops.map(({ at, opacity }) => ({ at, opacity: opacity === "grip" ? grip : opacity }));
    paintScrim(canvas, veil.box, colour, stops, veil.axis, within);
  }
}

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

function isMeeting(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
