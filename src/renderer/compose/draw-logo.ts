import { bestScored } from "../best-scored.ts";
import { luminanceRange } from "../colour/contrast.ts";
import { chroma, fromOklab, toned, toOklab } from "../colour/oklab.ts";
import { contrast, luminanceOf } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import { inset, isOverlapping } from "../layout/design/boxes.ts";
import { boxesOf, type Design } from "../layout/design/design.ts";
import type { Scale } from "../layout/design/margins-and-type-sizes.ts";
import { drawOver, paintMask } from "../raster/blend.ts";
import { BLACK, clipBox, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { fillPath, type Mask, roundedRect } from "../vector/index.ts";
import { isTurned, knockOut, LOGO_CONTRAST_MIN, rimContrast, turnedBelow } from "./logo-treatment.ts";
import type { Logo } from "./prepared-pack.ts";

/** Between the 10th and the 90th percentile of the luminance behind the logo. */
const RESTLESS_LUMINANCE_SPAN = 0.14;
/** A logo on what breaks up its outline needs this contrast, and one in its own colours on another colour. */
const CLEAR_CONTRAST_MIN = 4.5;
/** Chroma (OKLab) of a colour on which other colours clash. */
const COLOURFUL_CHROMA = 0.07;
const isColourful = (colour: Rgb): boolean => chroma(toOklab(colour)) >= COLOURFUL_CHROMA;
/** Up to this contrast a background is so close to the surface colour that its changes do not break up a logo. */
const NEAR_SURFACE_CONTRAST_MAX = 1.6;

/** A logo scaled for its box, with the plate it needs to be seen. */
export interface LogoLayer {
  readonly raster: Raster;
  readonly x: number;
  readonly y: number;
  readonly plate: { readonly mask: Mask; readonly colour: Rgb } | null;
  /** What was not seen of it is drawn in this colour; null for its own colours. */
  readonly knockout: Rgb | null;
  /** Of its rim with what is behind it; null for a rectangular picture, which brings its own background. */
  readonly contrastRatio: number | null;
}

/** The room of a logo's plate. */
export interface Surroundings {
  readonly canvas: Box;
  /** What it keeps clear of: words, and photos that the logo does not lie on. */
  readonly others: readonly Box[];
  readonly scale: Pick<Scale, "marginPx" | "cornerRadiusPx">;
}

export function surroundingsOf(design: Design, logo: Box, canvas: Box, scale: Scale): Surroundings {
  const photos = design.pictures.map(({ cell, box }) => cell ?? box);
  const others = photos.filter((box) => !isOverlapping(box, logo));
  return { canvas, others: [...others, ...boxesOf({ ...design, logo: null })], scale };
}

/**
 * Scales a logo and decides, from the pixels behind it, how it is seen: in its colours; a flat logo with what is not seen
 * of it in white or black; any other on a plate.
 */
export function logoLayer(
  canvas: Raster,
  logo: Logo,
  box: Box,
  theme: Theme,
  around: Surroundings,
): LogoLayer {
  const raster = logo.pyramid.draw(logo.bounds, box.width, box.height);
  const bare = { raster, x: box.x, y: box.y, plate: null, knockout: null };
  const colours = behind(canvas, box);
  if (!logo.isCutOut) {
    // A filled badge brings its own background. A picture without transparency was cropped to what is drawn on it, and
    // gets its background again, unless that already is the colour behind it.
    const colour = rimColour(logo);
    const isBare = logo.pyramid.base.alpha !== "opaque" || isAlike(canvas, box, colour);
    return { ...bare, plate: isBare ? null : plateAround(box, colour, around), contrastRatio: null };
  }
  const least = isCalmBehind(canvas, box, colours, theme) ? LOGO_CONTRAST_MIN : CLEAR_CONTRAST_MIN;
  const own = rimContrast(logo.outline, colours);
  const ownLeast = logo.isFlat && colours.some(isColourful) ? CLEAR_CONTRAST_MIN : least;
  if (own === null || own >= ownLeast) return { ...bare, contrastRatio: own };
  const below = turnedBelow(logo.outline, colours, ownLeast);
  // As the words are, where that is seen.
  const inks = theme.isDark ? [WHITE, BLACK] : [BLACK, WHITE];
  for (const knockout of logo.isFlat ? inks : []) {
    const outline = logo.outline.map((one) => (isTurned(one, colours, below) ? knockout : one));
    const contrastRatio = rimContrast(outline, colours);
    if (contrastRatio !== null && contrastRatio < least) continue;
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

/** Whether a canvas has one colour behind a box, and that colour. */
function isAlike(canvas: Raster, box: Box, { r, g, b }: Rgb): boolean {
  const { darkest, lightest } = luminanceRange(canvas, box);
  const own = luminanceOf(r, g, b);
  return Math.abs(own - darkest) < 0.02 && Math.abs(own - lightest) < 0.02;
}

/** Around a logo on a plate, as a share of its height, and the most of the room to its neighbours and to an edge. */
const PLATE_PAD = { ofHeight: 0.5, ofRoom: 0.34, ofMargin: 0.7 } as const;

function plateAround(box: Box, colour: Rgb, { canvas, others, scale }: Surroundings): LogoLayer["plate"] {
  const room = Math.min(...others.map((other) => gapBetween(box, other) * PLATE_PAD.ofRoom));
  const pad = Math.min(box.height * PLATE_PAD.ofHeight, scale.marginPx * PLATE_PAD.ofMargin, room);
  const plate = inset(box, -Math.max(2, Math.round(pad)), -Math.max(2, Math.round(pad)));
  const radius = Math.min(Math.round(pad * 0.9), scale.cornerRadiusPx);
  return { mask: fillPath(roundedRect(plate, radius), canvas), colour };
}

/** Pixels between two boxes along the axis on which they are further apart. */
const gapBetween = (one: Box, other: Box): number =>
  Math.max(
    other.x - one.x - one.width,
    one.x - other.x - other.width,
    other.y - one.y - one.height,
    one.y - other.y - other.height,
  );

/** Whether nothing behind a logo breaks up its outline. */
function isCalmBehind(canvas: Raster, box: Box, colours: readonly Rgb[], theme: Theme): boolean {
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

/** A light or a dark tint of the surface, on which more of the logo is seen. */
function plateColour({ outline }: Logo, { surface }: Theme): Rgb {
  const lab = toOklab(surface);
  const tints = [toned(lab, 0.965, 0.02), toned(lab, 0.2, 0.03)].map(fromOklab);
  return bestScored([surface, ...tints], (colour) => rimContrast(outline, [colour]) ?? 0) ?? surface;
}

/** The middle colour, by luminance, along a rectangular logo's edge. */
function rimColour(logo: Logo): Rgb {
  const sorted = [...logo.outline].sort((a, b) => luminanceOf(a.r, a.g, a.b) - luminanceOf(b.r, b.g, b.b));
  return sorted[Math.floor(sorted.length / 2)] ?? WHITE;
}
