import { grown } from "../box-geometry.ts";
import { type CanvasMemory, freeRaster } from "../buffers.ts";
import { TEXT_CONTRAST_MIN, worstContrast } from "../colour/contrast.ts";
import { chroma, fromOklab, toned, toOklab } from "../colour/oklab.ts";
import { contrast, mixed } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import type { Design, PlacedText } from "../layout/index.ts";
import type { SurfaceStyle } from "../look/index.ts";
import { paintMask } from "../raster/blend.ts";
import { boxOf, filledCanvas, type Rgb, WHITE } from "../raster/canvas.ts";
import { paintBlend, paintGlow } from "../raster/gradient.ts";
import type { Box, Raster } from "../types.ts";
import { fillPath, roundedRect } from "../vector/index.ts";
import { paintStage, stageTone } from "./paint-stage.ts";
import { paintTexture } from "./paint-texture.ts";

/** Contrast to aim for. It is a little above the minimum, so that rounding to bytes cannot fall below the minimum. */
export const CONTRAST_AIM = TEXT_CONTRAST_MIN + 0.1;

/** Strengths to try for the light on a lit surface: the first that leaves all text legible is used. */
const STRENGTHS = [1, 0.6, 0.3, 0];

/**
 * The surface of a design, in pixels from `memory`. Lit surfaces have light behind the pictures, and a gradient unless
 * the brand names its background; others have their look's texture. `isPale`: the product is white.
 */
export function paintSurface(
  width: number,
  height: number,
  design: Design,
  theme: Theme,
  { texture }: SurfaceStyle,
  isPale: boolean,
  memory: CanvasMemory,
): Raster {
  const isPlain =
    (texture === "flat" || (texture === "lit" && design.surface === "flat")) &&
    design.pictures.every(({ fill }) => fill !== "cut_out");
  for (const strength of isPlain ? [] : STRENGTHS) {
    const canvas =
      texture !== "lit" || theme.isSurfaceGiven
        ? filledCanvas(width, height, theme.surface, memory)
        : shadedSurface(width, height, theme, memory);
    if (texture === "lit") light(canvas, design, theme, isPale, strength);
    else if (strength > 0) paintTexture(canvas, texture, design, theme, strength);
    paintStage(canvas, design, theme, isPale, strength);
    if (isLegible(canvas, design, theme)) return canvas;
    freeRaster(canvas);
  }
  return filledCanvas(width, height, theme.surface, memory);
}

function shadedSurface(width: number, height: number, theme: Theme, memory: CanvasMemory): Raster {
  const canvas = filledCanvas(width, height, theme.surface, memory);
  const lab = toOklab(theme.surface);
  const lit = theme.isDark ? fromOklab({ ...lab, l: lab.l + 0.045 }) : mixed(theme.surface, WHITE, 0.65);
  const shaded = fromOklab(
    theme.isDark ? toned(lab, lab.l - 0.035, 0.06) : { l: lab.l - 0.035, a: lab.a * 1.7, b: lab.b * 1.7 },
  );
  paintBlend(canvas, { x: 0, y: 0, width, height }, lit, shaded, 0.35, 0.65);
  return canvas;
}

/** Paints light behind the cut-outs; without a picture, light from two corners. */
function light(canvas: Raster, design: Design, theme: Theme, isPale: boolean, strength: number): void {
  if (strength === 0) return;
  const { width, height } = canvas;
  for (const { box, fill } of design.pictures) {
    if (fill !== "cut_out") continue;
    const reach = Math.max(box.width, box.height) * 0.85;
    const glow = pool(box.x + box.width / 2, box.y + box.height / 2, reach);
    const opacity = theme.isDark ? 0.5 : theme.isSurfaceGiven ? 0.5 : 0.85;
    // A mostly white product would be lost in light, so it gets a shade behind it.
    const colour = theme.isDark ? glowOn(theme) : isPale ? stageTone(theme, "disc", true) : WHITE;
    paintGlow(canvas, glow, colour, opacity * strength);
  }
  if (design.pictures.length > 0 || theme.isSurfaceGiven) return;
  const reach = Math.max(width, height) * 0.62 + Math.min(width, height) * 0.3;
  // Light has the surface's hue, if any: two hues would mix to a third where they meet.
  const tint = softened(mixed(theme.surface, theme.button, 0.08), theme);
  paintGlow(
    canvas,
    pool(0, 0, reach),
    theme.isDark ? glowOn(theme) : WHITE,
    (theme.isDark ? 0.4 : 0.8) * strength,
  );
  paintGlow(canvas, pool(width, height, reach), tint, (theme.isDark ? 0.35 : 0.75) * strength);
}

const pool = (x: number, y: number, reach: number): Box => grown({ x, y, width: 0, height: 0 }, reach);

/** A dark surface is lit in its own hue, warmed by the button's. */
function glowOn(theme: Theme): Rgb {
  const lab = toOklab(theme.isSurfaceGiven ? theme.surface : mixed(theme.surface, theme.button, 0.35));
  return fromOklab(toned({ l: lab.l, a: lab.a * 1.6, b: lab.b * 1.6 }, Math.min(0.6, lab.l + 0.26), 0.11));
}

/** A brand colour as coloured light rather than paint: near the surface's lightness, with a clear hue. */
function softened(colour: Rgb, theme: Theme): Rgb {
  const lab = toOklab(colour);
  const present = chroma(lab);
  const scale = present < 0.01 ? 1 : Math.min(2.2, Math.max(0.6, (theme.isDark ? 0.11 : 0.075) / present));
  return fromOklab({ l: theme.isDark ? 0.42 : 0.88, a: lab.a * scale, b: lab.b * scale });
}

function isLegible(canvas: Raster, design: Design, theme: Theme): boolean {
  const texts = design.texts.filter(({ isOnField }) => isOnField !== true);
  const button = design.button?.isOnField === true ? null : design.button;
  return wordsOf({ ...design, texts, button }, theme).every(
    ({ box, ink }) => worstContrast(canvas, box, ink) >= CONTRAST_AIM,
  );
}

/** All text drawn directly on the background, with its ink: everything but the text of a filled button. */
export function wordsOf(
  { texts, button }: Design,
  theme: Theme,
): readonly { readonly box: Box; readonly ink: Rgb }[] {
  return [
    ...texts.map((text) => ({ box: text.ink, ink: inkOf(text, theme) })),
    ...(button === null || theme.isButtonFilled
      ? []
      : [
          {
            box: button.text?.ink ?? button.box,
            ink: button.isOnField === true ? theme.fieldInk : theme.buttonInk,
          },
        ]),
  ];
}

/**
 * Minimum contrast of an accent with the surface for text on a scrim. An accent with less contrast would need a scrim
 * that hides the photo.
 */
const ACCENT_ON_SCRIM_MIN = 7;

/** The ink of a text on the surface. */
export function inkOf({ role, isOnScrim = false, isOnField = false }: PlacedText, theme: Theme): Rgb {
  if (isOnField) return theme.fieldInk;
  if (role === "price") {
    const isReadable = !isOnScrim || contrast(theme.accent, theme.surface) >= ACCENT_ON_SCRIM_MIN;
    return isReadable ? theme.accent : theme.ink;
  }
  return role === "headline" ? theme.ink : theme.quietInk;
}

/** Paints the text card over the photo, in the surface's colour. */
export function paintTextCard(canvas: Raster, { textCard }: Design, theme: Theme): void {
  if (textCard === undefined) return;
  const mask = fillPath(roundedRect(textCard.box, textCard.cornerRadiusPx), boxOf(canvas));
  paintMask(canvas, mask, theme.surface);
}
