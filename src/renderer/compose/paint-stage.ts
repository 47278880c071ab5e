import { bestScored } from "../best-scored.ts";
import { chroma, fromOklab, type Oklab, toOklab } from "../colour/oklab.ts";
import type { Theme } from "../colour/theme.ts";
import { inset, isOverlapping } from "../layout/design/boxes.ts";
import { boxesOf } from "../layout/design/design.ts";
import type { Design, PlacedPicture } from "../layout/index.ts";
import { paintMask } from "../raster/blend.ts";
import { boxOf, type Rgb } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { ellipse, fillPath, roundedRect } from "../vector/index.ts";

/** Tones of a stage, in OKLab: their difference from the surface's lightness, and their chroma. */
const TONES = {
  floor: { light: -0.085, dark: 0.07, chroma: 0.05 },
  panel: { light: -0.12, dark: 0.1, chroma: 0.075 },
  disc: { light: -0.075, dark: 0.12, chroma: 0.055 },
} as const;
/** Factor of `chroma` on a dark surface, where more chroma would glow. */
const DARK_CHROMA = 0.7;
/** Change of a stage's lightness behind a mostly white product. */
const PALE_DEPTH = -0.075;

type Tone = keyof typeof TONES;

/** A tone of the brand's hue, near the surface's tone: darker on a light surface, lighter on a dark one. */
export function stageTone(theme: Theme, tone: Tone, isPale: boolean, strength = 1): Rgb {
  const surface = toOklab(theme.surface);
  const { light, dark, chroma: wantedOnLight } = TONES[tone];
  const wanted = theme.isDark ? wantedOnLight * DARK_CHROMA : wantedOnLight;
  const depth = theme.isDark ? dark : light + (isPale ? PALE_DEPTH : 0);
  const hue = hueOf(theme);
  const present = chroma(hue);
  const scale = present < 0.012 ? 0 : Math.max(chroma(surface), wanted) / present;
  return fromOklab({ l: surface.l + depth * strength, a: hue.a * scale, b: hue.b * scale });
}

/** The surface's hue, or the button's if the surface is grey. */
function hueOf({ surface, button }: Theme): Oklab {
  const lab = toOklab(surface);
  return chroma(lab) >= 0.012 ? lab : toOklab(button);
}

/**
 * Paints the stage of cut-outs: the panel or tile around them, a floor whose horizon crosses no text, or a disc behind
 * a picture without a floor. A panel has no disc: one shape behind a picture is enough.
 */
export function paintStage(
  canvas: Raster,
  design: Design,
  theme: Theme,
  isPale: boolean,
  strength: number,
): void {
  const whole = boxOf(canvas);
  const standing = design.pictures.filter(({ fill }) => fill === "cut_out");
  for (const { cell, cornerRadiusPx } of standing) {
    if (cell !== null) fillRounded(canvas, cell, cell, cornerRadiusPx, stageTone(theme, "panel", isPale));
  }
  for (const area of new Set(standing.map(floorAreaOf))) {
    const pictures = standing.filter((picture) => floorAreaOf(picture) === area);
    const floor = floorOf(design, pictures, area ?? whole);
    const radius = pictures[0]?.cornerRadiusPx ?? 0;
    if (floor !== null) {
      const tone = area === null ? stageTone(theme, "floor", isPale, strength) : onPanel(theme, isPale);
      fillRounded(canvas, area ?? whole, floor, radius, tone);
    } else if (area === null) {
      const tone = stageTone(theme, "disc", isPale, strength);
      for (const { box } of pictures) paintMask(canvas, fillPath(discBehind(box, whole), whole), tone);
    }
  }
}

/**
 * The panel that a picture's floor fills. Null for the whole canvas, if the picture has no panel or overlaps its edge.
 */
const floorAreaOf = ({ cell, box }: PlacedPicture): Box | null =>
  cell === null || box.x < cell.x || box.y + box.height > cell.y + cell.height ? null : cell;

/** The tone of a floor on a panel: `stageTone` with the panel's colour in place of the surface's. */
const onPanel = (theme: Theme, isPale: boolean): Rgb => {
  const panel = stageTone(theme, "panel", isPale);
  return stageTone({ ...theme, surface: panel }, "floor", false, 0.8);
};

function fillRounded(canvas: Raster, area: Box, part: Box, radius: number, colour: Rgb): void {
  paintMask(canvas, fillPath(roundedRect(area, radius), part), colour);
}

/** The depth of a floor, from a product's bottom up to the horizon, as a fraction of the area's height. */
const DEPTH = { wanted: 0.16, least: 0.025, most: 0.34 };
const STEPS = 24;
/** Gap between a horizon and text, as a fraction of the height. */
const AIR = 0.03;
/**
 * If text is on a floor of more than `most` of the area's height, the floor scores as if its depth were `cost` further
 * from the wanted depth.
 */
const UNDER_WORDS = { most: 0.18, cost: 0.2 };

/** The floor of the pictures in an area; null if no picture is on a floor, or if every horizon would cross text. */
function floorOf(design: Design, pictures: readonly PlacedPicture[], area: Box): Box | null {
  const feet = pictures.filter(({ footing }) => footing === "floor").map(({ box }) => box.y + box.height);
  if (feet.length === 0) return null;
  const foot = Math.max(...feet);
  const air = Math.max(2, area.height * AIR);
  const words = boxesOf(design);
  const taken = words.map((box) => inset(box, -air, -air));
  const horizons = Array.from({ length: STEPS + 1 }, (_, step) => {
    const depth = DEPTH.least + ((DEPTH.most - DEPTH.least) * step) / STEPS;
    return Math.round(foot - area.height * depth);
  }).filter((y) => taken.every((box) => !isOverlapping(box, { ...area, y, height: 1 })));
  const wanted = foot - area.height * DEPTH.wanted;
  const isUnder = (y: number) =>
    words.some((box) => box.y > y && isOverlapping({ ...area, y, height: area.height }, box));
  const costOf = (y: number) =>
    isUnder(y) && area.y + area.height * (1 - UNDER_WORDS.most) > y ? UNDER_WORDS.cost : 0;
  const horizon = bestScored(horizons, (y) => -Math.abs(y - wanted) - costOf(y) * area.height);
  return horizon === null ? null : { ...area, y: horizon, height: area.y + area.height - horizon };
}

/**
 * Radius of the disc behind a picture, relative to the picture's width. A slim picture would hide most of a small disc.
 */
const DISC = { slimAspectMax: 0.7, slim: 0.78, usual: 0.62 };

/** A disc behind a picture's upper part. It is wider than the picture, unless the sides of the canvas are too close. */
function discBehind({ x, y, width, height }: Box, canvas: Box) {
  const centre = x + width / 2;
  const free = Math.min(centre, canvas.width - centre) - canvas.width * 0.02;
  const times = width < height * DISC.slimAspectMax ? DISC.slim : DISC.usual;
  const radius = Math.max(width * 0.4, Math.min(width * times, free));
  return ellipse(centre, y + Math.min(height * 0.5, radius), radius, radius);
}
