import { bestScored } from "../best-scored.ts";
import { luminanceRange } from "../colour/contrast.ts";
import { chroma, fromOklab, toned, toOklab } from "../colour/oklab.ts";
import { contrast, luminanceOf } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import { inset, isOverlapping } from "../layout/design/boxes.ts";
import { boxesOf, type Design } from "../layout/design/design.ts";
import { logoClearancePx } from "../layout/design/place-elements.ts";
import { drawOver, paintMask } from "../raster/blend.ts";
import { BLACK, clipBox, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { fillPath, type Mask, roundedRect } from "../vector/index.ts";
import {
  isReplaced,
  knockOut,
  LOGO_CONTRAST_MIN,
  logoFor,
  replacedBelow,
  rimContrast,
} from "./logo-treatment.ts";
import type { Logo } from "./prepared-pack.ts";

/** Minimum contrast of a logo in its own colours with a photo, or with a colour unlike the surface. */
const CLEAR_CONTRAST_MIN = 4.5;
/** Minimum chroma (OKLab) of a colourful background, on which other colours clash. */
const COLOURFUL_CHROMA = 0.07;
const isColourful = (colour: Rgb): boolean => chroma(toOklab(colour)) >= COLOURFUL_CHROMA;
/** Up to this contrast a background is so close to the surface colour that its variations do not break up a logo. */
const NEAR_SURFACE_CONTRAST_MAX = 1.6;

/** A logo scaled for its box, with the plate that makes it visible. */
export interface LogoLayer {
  readonly logo: Logo;
  readonly raster: Raster;
  readonly x: number;
  readonly y: number;
  readonly plate: { readonly mask: Mask; readonly colour: Rgb } | null;
  /** Replaces the colours that have too little contrast; null if the logo keeps all its colours. */
  readonly knockout: Rgb | null;
  /** Contrast of the logo's rim with the background; null for a rectangular picture, which has its own background. */
  readonly contrastRatio: number | null;
}

/** The space for a logo's plate. */
export interface Surroundings {
  readonly canvas: Box;
  /** Boxes that the plate must not cover: text, and photos that the logo is not on. */
  readonly others: readonly Box[];
  readonly radiusPx: number;
}

export function surroundingsOf(design: Design, logo: Box, canvas: Box, radiusPx: number): Surroundings {
  const photos = design.pictures.map(({ cell, box }) => cell ?? box);
  const others = photos.filter((box) => !isOverlapping(box, logo));
  return { canvas, others: [...others, ...boxesOf({ ...design, logo: null })], radiusPx };
}

/**
 * Scales a logo and decides, from the pixels behind it, how it is drawn: in its own colours if they are visible; else,
 * if it is flat, with the invisible parts in white or black; else on a plate.
 */
export function logoLayer(
  canvas: Raster,
  logo: Logo,
  box: Box,
  theme: Theme,
  around: Surroundings,
): LogoLayer {
  const raster = logo.pyramid.draw(logo.bounds, box.width, box.height);
  const bare = { logo, raster, x: box.x, y: box.y, plate: null, knockout: null };
  const colours = behind(canvas, box);
  if (!logo.isCutOut) {
    // A logo in the form of a filled badge has its own background. A logo without transparency was cropped to its
    // content and gets its background colour as a plate, unless the canvas has that colour.
    const colour = rimColour(logo);
    const isBare = logo.pyramid.base.alpha !== "opaque" || isPlain(canvas, box, colour);
    return { ...bare, plate: isBare ? null : plateAround(box, colour, around), contrastRatio: null };
  }
  const isOnSurface = colours.every((one) => contrast(one, theme.surface) <= NEAR_SURFACE_CONTRAST_MAX);
  const isQuiet = isOnSurface && !(logo.isFlat && colours.some(isColourful));
  const least = isQuiet ? LOGO_CONTRAST_MIN : CLEAR_CONTRAST_MIN;
  const own = rimContrast(logo.outline, colours);
  if (own === null || own >= least) return { ...bare, contrastRatio: own };
  const below = replacedBelow(logo.outline, colours, least);
  // Of white and black, prefer the tone of the text.
  const inks = theme.isDark ? [WHITE, BLACK] : [BLACK, WHITE];
  for (const knockout of logo.isFlat ? inks : []) {
    const outline = logo.outline.map((one) => (isReplaced(one, colours, below) ? knockout : one));
    const contrastRatio = rimContrast(outline, colours);
    if (contrastRatio !== null && contrastRatio < LOGO_CONTRAST_MIN) continue;
    knockOut(raster, knockout, colours, below);
    return { ...bare, knockout, contrastRatio };
  }
  const colour = plateColour(logo, theme);
  return {
    ...bare,
    plate: plateAround(box, colour, around),
    contrastRatio: rimContrast(logo.outline, [colour]),
  };
}

/** The logo for the background of `box`, and its own box: centred in `box`, as large as its aspect allows. */
export function logoBehind(canvas: Raster, logo: Logo, onDark: Logo | null, box: Box): [Logo, Box] {
  if (onDark === null) return [logo, box];
  const [, middle = WHITE] = behind(canvas, box);
  const chosen = logoFor(middle, logo, onDark) ?? logo;
  if (chosen === logo) return [logo, box];
  const { width, height } = chosen.bounds;
  const scale = Math.min(box.width / width, box.height / height);
  const fitted = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const x = box.x + Math.round((box.width - fitted.width) / 2);
  return [chosen, { x, y: box.y + Math.round((box.height - fitted.height) / 2), ...fitted }];
}

/** Whether a canvas has only the given colour behind a box. */
function isPlain(canvas: Raster, box: Box, { r, g, b }: Rgb): boolean {
  const { darkest, lightest } = luminanceRange(canvas, box);
  const own = luminanceOf(r, g, b);
  return Math.abs(own - darkest) < 0.02 && Math.abs(own - lightest) < 0.02;
}

/**
 * Padding of a plate, relative to the logo's height. If the plate would overlap another element, the padding is reduced
 * to the logo's clear space.
 */
const PLATE_PAD = 0.5;

function plateAround(box: Box, colour: Rgb, { canvas, others, radiusPx }: Surroundings): LogoLayer["plate"] {
  const within = (pad: number): Box => inset(box, -pad, -pad);
  const wide = within(Math.round(box.height * PLATE_PAD));
  const isFree = others.every((other) => !isOverlapping(wide, other));
  const plate = isFree ? wide : within(logoClearancePx(box.height) - 1);
  return { mask: fillPath(roundedRect(plate, radiusPx), canvas), colour };
}

export function drawLogo(canvas: Raster, layer: LogoLayer): void {
  if (layer.plate !== null) paintMask(canvas, layer.plate.mask, layer.plate.colour);
  drawOver(canvas, layer.raster, layer.x, layer.y);
}

/** A dark, a middle and a light colour behind a box: the 10th, 50th and 90th percentile by luminance. */
function behind(canvas: Raster, box: Box): readonly Rgb[] {
  const area = clipBox(box, canvas.width, canvas.height);
  const step = Math.max(1, Math.floor(Math.sqrt((area.width * area.height) / 4000)));
  // Two arrays of numbers, because an object per pixel would burden the garbage collector.
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
  // Sorting without a comparator takes a tenth of the time. Pixels of equal luminance are taken in order of position.
  const sorted = luminances.toSorted();
  return [0.1, 0.5, 0.9].flatMap((share) => {
    const rank = Math.floor(share * (seen - 1));
    const luminance = sorted[rank];
    if (luminance === undefined) return [];
    let found = -1;
    for (let equal = sorted.indexOf(luminance); equal <= rank; equal += 1)
      found = luminances.indexOf(luminance, found + 1);
    return [colourAt(canvas, places[found] ?? 0)];
  });
}

const colourAt = ({ pixels }: Raster, at: number): Rgb => ({
  r: pixels[at] ?? 0,
  g: pixels[at + 1] ?? 0,
  b: pixels[at + 2] ?? 0,
});

/** The surface's colour, or a light or dark tint of it, whichever has the most contrast with the logo's rim. */
function plateColour({ outline }: Logo, { surface }: Theme): Rgb {
  const lab = toOklab(surface);
  const tints = [toned(lab, 0.965, 0.02), toned(lab, 0.2, 0.03)].map(fromOklab);
  return bestScored([surface, ...tints], (colour) => rimContrast(outline, [colour]) ?? 0) ?? surface;
}

/** The median colour, by luminance, along a rectangular logo's edge. */
function rimColour(logo: Logo): Rgb {
  const sorted = [...logo.outline].sort((a, b) => luminanceOf(a.r, a.g, a.b) - luminanceOf(b.r, b.g, b.b));
  return sorted[Math.floor(sorted.length / 2)] ?? WHITE;
}
