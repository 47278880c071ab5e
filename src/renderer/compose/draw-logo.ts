import { luminanceRange } from "../colour/legibility.ts";
import { contrast, luminanceOf } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import { inset } from "../layout/boxes.ts";
import { logoClearancePx } from "../layout/place-elements.ts";
import { drawOver, paintMask } from "../raster/blend.ts";
import { blurred } from "../raster/blur.ts";
import { boxOf, clipBox, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { fillPath, type Mask, roundedRect } from "../vector/index.ts";
import { visibilityOn } from "./prepare-pack.ts";
import type { Logo } from "./prepared-pack.ts";

const VISIBLE_SHARE_MIN = 0.8;
/** Between the 10th and the 90th percentile of the luminance behind the logo. */
const RESTLESS_LUMINANCE_SPAN = 0.14;
/** Up to this contrast a background is so close to the surface colour that more of it looks like light, not a patch. */
const NEAR_SURFACE_CONTRAST_MAX = 2.4;
const HALO_REACH_PADS = 2.4;
const HALO_SIGMA_PADS = 0.9;

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
  const colours = behind(canvas, box);
  const isSeen =
    !isRestless(canvas, box) && colours.every((colour) => visibilityOn(logo, colour) >= VISIBLE_SHARE_MIN);
  if (isSeen && logo.isCutOut) return { raster, x: box.x, y: box.y, plate: null };
  const colour = logo.isCutOut ? plateColour(logo, theme) : rimColour(logo);
  const { darkest, lightest } = luminanceRange(canvas, box);
  const own = luminanceOf(colour.r, colour.g, colour.b);
  // A rectangular logo whose rim already is the colour behind it needs no plate around it.
  if (!logo.isCutOut && Math.abs(own - darkest) < 0.02 && Math.abs(own - lightest) < 0.02) {
    return { raster, x: box.x, y: box.y, plate: null };
  }
  const pad = Math.max(2, Math.min(logoClearancePx(box.height), Math.round(marginPx * 0.7)));
  const isNearSurface =
    logo.isCutOut &&
    visibilityOn(logo, theme.surface) >= VISIBLE_SHARE_MIN &&
    colours.every((one) => contrast(one, theme.surface) <= NEAR_SURFACE_CONTRAST_MAX);
  if (isNearSurface) {
    const plate = { mask: haloAround(box, pad, canvas), colour: theme.surface };
    return { raster, x: box.x, y: box.y, plate };
  }
  const plate = inset(box, -pad, -pad);
  const mask = fillPath(roundedRect(plate, Math.round(pad * 0.9)), boxOf(canvas));
  return { raster, x: box.x, y: box.y, plate: { mask, colour } };
}

/** A soft halo around a logo, without an edge; under the logo itself it is nearly opaque. */
function haloAround(box: Box, pad: number, canvas: Raster): Mask {
  const reach = Math.round(pad * HALO_REACH_PADS);
  const halo = inset(box, -reach, -reach);
  const shape = fillPath(roundedRect(halo, reach), halo);
  return blurred(shape, pad * HALO_SIGMA_PADS, boxOf(canvas));
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
  const candidates = [WHITE, theme.surface, { r: 20, g: 22, b: 26 }];
  let best = WHITE;
  let bestShare = -1;
  for (const candidate of candidates) {
    const share = visibilityOn(logo, candidate);
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
