import { luminanceRange } from "../colour/contrast.ts";
import { contrast, luminanceOf } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import { inset } from "../layout/design/boxes.ts";
import { logoClearancePx } from "../layout/design/place-elements.ts";
import { drawOver, paintMask } from "../raster/blend.ts";
import { boxOf, clipBox, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { fillPath, type Mask, roundedRect } from "../vector/index.ts";
import { knockOut, LOGO_CONTRAST_MIN, LOGO_VISIBLE_SHARE_MIN, visibilityOn } from "./logo-treatment.ts";
import type { Logo } from "./prepared-pack.ts";

/** Between the 10th and the 90th percentile of the luminance behind the logo. */
const RESTLESS_LUMINANCE_SPAN = 0.14;
/** Up to this contrast a background is so close to the surface colour that its changes do not break up a logo. */
const NEAR_SURFACE_CONTRAST_MAX = 1.6;

/** A logo scaled for its box, with the plate it needs to be seen. */
export interface LogoLayer {
  readonly raster: Raster;
  readonly x: number;
  readonly y: number;
  readonly plate: { readonly mask: Mask; readonly colour: Rgb } | null;
}

/** Scales a logo and decides, from the pixels behind it, whether it needs a plate and of which colour. */
export function logoLayer(canvas: Raster, logo: Logo, box: Box, theme: Theme, marginPx: number): LogoLayer {
  const raster = logo.pyramid.draw(logo.bounds, box.width, box.height);
  if (logo.knockout !== null) knockOut(raster, logo.knockout);
  const bare = { raster, x: box.x, y: box.y, plate: null };
  // A picture without transparency was cropped to what is drawn on it: its plate gives it its own background again.
  const isShape = logo.isCutOut || logo.pyramid.base.alpha !== "opaque";
  if (isShape && isSeen(canvas, logo, box, theme)) return bare;
  const colour = logo.isCutOut ? plateColour(logo, theme) : rimColour(logo);
  const { darkest, lightest } = luminanceRange(canvas, box);
  const own = luminanceOf(colour.r, colour.g, colour.b);
  // A rectangular logo whose rim already is the colour behind it needs no plate around it.
  if (!logo.isCutOut && Math.abs(own - darkest) < 0.02 && Math.abs(own - lightest) < 0.02) return bare;
  const pad = Math.max(2, Math.min(logoClearancePx(box.height), Math.round(marginPx * 0.7)));
  const mask = fillPath(roundedRect(inset(box, -pad, -pad), Math.round(pad * 0.9)), boxOf(canvas));
  return { ...bare, plate: { mask, colour } };
}

/** Whether a logo stands out from all that is behind it, and nothing there breaks up its outline. */
function isSeen(canvas: Raster, logo: Logo, box: Box, theme: Theme): boolean {
  const colours = behind(canvas, box);
  const isVisible = colours.every(
    (colour) => visibilityOn(logo, colour, LOGO_CONTRAST_MIN) >= LOGO_VISIBLE_SHARE_MIN,
  );
  if (!isVisible) return false;
  const isNearSurface = colours.every((one) => contrast(one, theme.surface) <= NEAR_SURFACE_CONTRAST_MAX);
  return isNearSurface || !isRestless(canvas, box);
}

/**
 * Whether light and shade behind a logo break up its outline, even where it stands out from each of them. Only changes
 * within about the height of a letter count: a surface that turns lighter along a long name is calm.
 */
function isRestless(canvas: Raster, box: Box): boolean {
  const cells = Math.max(1, Math.round(box.width / box.height));
  const width = box.width / cells;
  for (let cell = 0; cell < cells; cell += 1) {
    const colours = behind(canvas, { ...box, x: Math.round(box.x + cell * width), width: Math.ceil(width) });
    const luminances = colours.map(({ r, g, b }) => luminanceOf(r, g, b));
    if (Math.max(0, ...luminances) - Math.min(1, ...luminances) > RESTLESS_LUMINANCE_SPAN) return true;
  }
  return false;
}

export function drawLogo(canvas: Raster, layer: LogoLayer): void {
  if (layer.plate !== null) paintMask(canvas, layer.plate.mask, layer.plate.colour);
  drawOver(canvas, layer.raster, layer.x, layer.y);
}

/** A dark, a middle and a light colour behind a box: the 10th, 50th and 90th percentile by luminance. */
function behind(canvas: Raster, box: Box): readonly Rgb[] {
  const area = clipBox(box, canvas.width, canvas.height);
  const step = Math.max(1, Math.floor(Math.sqrt((area.width * area.height) / 4000)));
  // Two arrays of numbers: one object for each pixel would be thousands for the garbage collector.
  const seen = Math.ceil(area.width / step) * Math.ceil(area.height / step);
  const places = new Uint32Array(seen);
  const luminances = new Float64Array(seen);
  let index = 0;
  for (let y = area.y; y < area.y + area.height; y += step) {
    for (let x = area.x; x < area.x + area.width; x += step, index += 1) {
      const at = (y * canvas.width + x) * 4;
      const { r, g, b } = colourAt(canvas, at);
      places[index] = at;
      luminances[index] = luminanceOf(r, g, b);
    }
  }
  const sorted = Uint32Array.from(places.keys()).sort(
    (one, other) => (luminances[one] ?? 0) - (luminances[other] ?? 0) || one - other,
  );
  return [0.1, 0.5, 0.9].flatMap((share) => {
    const place = places[sorted[Math.floor(share * (seen - 1))] ?? seen];
    return place === undefined ? [] : colourAt(canvas, place);
  });
}

const colourAt = ({ pixels }: Raster, at: number): Rgb => ({
  r: pixels[at] ?? 0,
  g: pixels[at + 1] ?? 0,
  b: pixels[at + 2] ?? 0,
});

function plateColour(logo: Logo, theme: Theme): Rgb {
  // The colour of panels first: a plate then looks like a part of them.
  const candidates = [theme.surface, WHITE, { r: 20, g: 22, b: 26 }];
  let best = theme.surface;
  let bestShare = -1;
  for (const candidate of candidates) {
    const share = visibilityOn(logo, candidate, LOGO_CONTRAST_MIN);
    if (share > bestShare + 0.02) {
      best = candidate;
      bestShare = share;
    }
  }
  return best;
}

/** The middle colour, by luminance, along a rectangular logo's edge. */
function rimColour(logo: Logo): Rgb {
  const sorted = [...logo.outline].sort((a, b) => luminanceOf(a.r, a.g, a.b) - luminanceOf(b.r, b.g, b.b));
  return sorted[Math.floor(sorted.length / 2)] ?? WHITE;
}
