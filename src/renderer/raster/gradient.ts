import type { Box, Raster } from "../types.ts";
import { clipBox, type Rgb } from "./canvas.ts";

/** Opacity 0..1 at a position 0..1 along the gradient's axis. */
export interface Stop {
  readonly at: number;
  readonly opacity: number;
}

/**
 * Paints a scrim of one colour whose opacity follows eased stops along one axis of `box`. Along the other axis it fades
 * out over `fadePx` at both ends. Changes only pixels inside `within`. Values between two grey levels are dithered with
 * a fixed pattern, so that soft ramps show no bands.
 */
export function paintScrim(
  canvas: Raster,
  box: Box,
  colour: Rgb,
  stops: readonly Stop[],
  axis: "across" | "down",
  within: Box = box,
  fadePx = 0,
): void {
  const area = overlap(clipBox(box, canvas.width, canvas.height), within);
  const length = Math.max(1, Math.round(axis === "down" ? box.height : box.width));
  const start = Math.round(axis === "down" ? box.y : box.x);
  const ramp = new Float64Array(length);
  for (let i = 0; i < length; i += 1) ramp[i] = opacityAt(stops, (i + 0.5) / length);
  const to = canvas.pixels;
  for (let row = area.y; row < area.y + area.height; row += 1) {
    let at = (row * canvas.width + area.x) * 4;
    for (let column = area.x; column < area.x + area.width; column += 1, at += 4) {
      const along = ramp[Math.min(length - 1, (axis === "down" ? row : column) - start)] ?? 0;
      const opacity =
        fadePx === 0
          ? along
          : along *
            fadeAt(
              axis === "down" ? column - box.x : row - box.y,
              axis === "down" ? box.width : box.height,
              fadePx,
            );
      if (opacity <= 0) continue;
      const rest = 1 - opacity;
      const noise = ditherAt(column, row);
      to[at] = ((to[at] ?? 0) * rest + colour.r * opacity + noise) | 0;
      to[at + 1] = ((to[at + 1] ?? 0) * rest + colour.g * opacity + noise) | 0;
      to[at + 2] = ((to[at + 2] ?? 0) * rest + colour.b * opacity + noise) | 0;
    }
  }
}

/** Fills `box` with a linear blend of two colours, dithered like a scrim. `across` and `down` weight the two axes. */
export function paintBlend(canvas: Raster, box: Box, from: Rgb, to: Rgb, across: number, down: number): void {
  const area = clipBox(box, canvas.width, canvas.height);
  const pixels = canvas.pixels;
  for (let row = area.y; row < area.y + area.height; row += 1) {
    let at = (row * canvas.width + area.x) * 4;
    const v = ((row + 0.5 - box.y) / box.height) * down;
    for (let column = area.x; column < area.x + area.width; column += 1, at += 4) {
      const share = Math.min(1, Math.max(0, v + ((column + 0.5 - box.x) / box.width) * across));
      const noise = ditherAt(column, row);
      pixels[at] = Math.floor(from.r + (to.r - from.r) * share + noise);
      pixels[at + 1] = Math.floor(from.g + (to.g - from.g) * share + noise);
      pixels[at + 2] = Math.floor(from.b + (to.b - from.b) * share + noise);
      pixels[at + 3] = 255;
    }
  }
}

/** Paints a radial glow: `colour` is strongest at the ellipse's centre and fades out towards its rim. */
export function paintGlow(canvas: Raster, ellipse: Box, colour: Rgb, opacity: number): void {
  const area = clipBox(ellipse, canvas.width, canvas.height);
  const pixels = canvas.pixels;
  const centreX = ellipse.x + ellipse.width / 2;
  const centreY = ellipse.y + ellipse.height / 2;
  for (let row = area.y; row < area.y + area.height; row += 1) {
    let at = (row * canvas.width + area.x) * 4;
    const dy = (row + 0.5 - centreY) / (ellipse.height / 2);
    for (let column = area.x; column < area.x + area.width; column += 1, at += 4) {
      const dx = (column + 0.5 - centreX) / (ellipse.width / 2);
      const inside = 1 - (dx * dx + dy * dy);
      if (inside <= 0) continue;
      const share = inside * inside * opacity;
      const noise = ditherAt(column, row);
      pixels[at] = Math.floor((pixels[at] ?? 0) * (1 - share) + colour.r * share + noise);
      pixels[at + 1] = Math.floor((pixels[at + 1] ?? 0) * (1 - share) + colour.g * share + noise);
      pixels[at + 2] = Math.floor((pixels[at + 2] ?? 0) * (1 - share) + colour.b * share + noise);
    }
  }
}

/** 0 at both ends of a length, eased to 1 within `fadePx`. */
function fadeAt(at: number, length: number, fadePx: number): number {
  const t = Math.min(1, Math.max(0, Math.min(at + 0.5, length - at - 0.5) / fadePx));
  return t * t * (3 - 2 * t);
}

function overlap(one: Box, other: Box): Box {
  const x = Math.max(one.x, Math.floor(other.x));
  const y = Math.max(one.y, Math.floor(other.y));
  return {
    x,
    y,
    width: Math.max(0, Math.min(one.x + one.width, Math.ceil(other.x + other.width)) - x),
    height: Math.max(0, Math.min(one.y + one.height, Math.ceil(other.y + other.height)) - y),
  };
}

function opacityAt(stops: readonly Stop[], at: number): number {
  let before = stops[0];
  if (before === undefined) return 0;
  for (const stop of stops) {
    if (stop.at >= at) {
      const span = stop.at - before.at;
      if (span <= 0) return stop.opacity;
      const t = (at - before.at) / span;
      return before.opacity + (stop.opacity - before.opacity) * t * t * (3 - 2 * t);
    }
    before = stop;
  }
  return before.opacity;
}

/** 0..1, an 8 x 8 Bayer matrix by bit interleaving: regular, so flat areas still compress well. */
export const ditherAt = (x: number, y: number): number => DITHER[((y & 7) << 3) | (x & 7)] ?? 0;

const DITHER = Float64Array.from({ length: 64 }, (_, at) => {
  const y = at >> 3;
  const q = (at & 7) ^ y;
  const rank =
    ((q & 1) << 5) | ((y & 1) << 4) | ((q & 2) << 2) | ((y & 2) << 1) | ((q & 4) >> 1) | ((y & 4) >> 2);
  return (rank + 0.5) / 64;
});
