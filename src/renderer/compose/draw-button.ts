import { worstContrast } from "../colour/contrast.ts";
import { contrast, luminance } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import { inset } from "../layout/design/boxes.ts";
import type { PlacedButton } from "../layout/index.ts";
import type { ButtonStyle } from "../look/index.ts";
import { boxOf, type Rgb } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { fillPath, type Mask, type Path, PathBuilder, roundedRect } from "../vector/index.ts";
import { filled, type LayerPart, type TextLayer, wordsPart } from "./draw-text.ts";

/** Radius of a button's corners in em. */
const CORNERS_EM: Readonly<Record<ButtonStyle["shape"], number>> = {
  pill: 1.3,
  soft: 0.28,
  square: 0,
  rule: 0,
};
/** Thickness of outlines, rules and arrows in em, at least one pixel. */
const LINE_EM = 0.075;

/** Draws a button in its look's style: a fill, an outline or a rule, the text, and an arrow. */
export function buttonLayer(
  canvas: Raster,
  button: PlacedButton,
  packTheme: Theme,
  style: ButtonStyle,
): TextLayer {
  const { box, sizePx, text, arrow } = button;
  const theme = button.isOnField === true ? onField(packTheme) : packTheme;
  const line = Math.max(1, Math.round(sizePx * LINE_EM));
  const isLightOnDark =
    luminance(theme.buttonInk) > luminance(theme.isButtonFilled ? theme.button : theme.surface);
  const ink = theme.buttonInk;
  const parts = [
    shapeOf(canvas, button, theme, style, line),
    ...(text === null ? [] : [wordsPart(canvas, text, ink, isLightOnDark)]),
    ...(arrow === null
      ? []
      : [filled(canvas, ink, () => arrowPath(arrow, button.isArrowToLeft === true, line))]),
  ];
  const ratio = theme.isButtonFilled
    ? contrast(theme.buttonInk, theme.button)
    : worstContrast(canvas, text?.ink ?? box, theme.buttonInk);
  return { role: "cta", box, parts, contrastRatio: ratio };
}

/** Minimum contrast of a button with a coloured field. */
const FIELD_CONTRAST_MIN = 3;

/** A button is drawn in the field's ink, except a filled one whose own colour is visible on the field. */
function onField(theme: Theme): Theme {
  const { field, fieldInk, isButtonFilled } = theme;
  if (isButtonFilled && contrast(theme.button, field) >= FIELD_CONTRAST_MIN) return theme;
  return { ...theme, button: fieldInk, buttonInk: isButtonFilled ? field : fieldInk, surface: field };
}

function shapeOf(
  canvas: Raster,
  { box, sizePx }: PlacedButton,
  theme: Theme,
  { shape }: ButtonStyle,
  line: number,
): LayerPart {
  const radius = Math.min(box.height / 2, sizePx * CORNERS_EM[shape]);
  const colour = theme.button;
  if (theme.isButtonFilled) return filled(canvas, colour, () => roundedRect(box, radius));
  if (shape === "rule") {
    const rule: Box = { ...box, y: box.y + box.height - line, height: line };
    return filled(canvas, colour, () => roundedRect(rule, 0));
  }
  return outlinedPart(canvas, box, radius, line, colour);
}

/** A shaft and two barbs; `isToLeft` points it left, for right-to-left text. */
function arrowPath(box: Box, isToLeft: boolean, line: number): Path {
  const across = (share: number): number => box.x + box.width * (isToLeft ? 1 - share : share);
  const middle = Math.round(box.y + box.height / 2 - line / 2) + line / 2;
  const half = line / 2;
  const reach = box.height / 2;
  const tip = across(1);
  const toward = isToLeft ? 1 : -1;
  const builder = new PathBuilder()
    .moveTo(across(0), middle - half)
    .lineTo(tip + toward * half, middle - half)
    .lineTo(tip + toward * half, middle + half)
    .lineTo(across(0), middle + half)
    .close();
  for (const side of [-1, 1]) {
    // Barbs at 45 degrees: their horizontal thickness is the line's times √2.
    const thick = line * 1.42 * toward;
    const corners: readonly (readonly [number, number])[] = [
      [tip, middle],
      [tip + toward * reach, middle + side * reach],
      [tip + toward * reach + thick, middle + side * reach],
      [tip + thick, middle],
    ];
    // All outlines have the same winding, so that they add up where they cross.
    const [first = [tip, middle], ...rest] = side === 1 ? corners : [...corners].reverse();
    builder.moveTo(...first);
    for (const corner of rest) builder.lineTo(...corner);
    builder.close();
  }
  return builder.build();
}

/**
 * The outline of a rounded rectangle, `line` pixels thick, inside its box: the shape minus the same shape inset by the
 * line.
 */
function outlineMask(canvas: Raster, box: Box, radius: number, line: number): Mask {
  const outer = fillPath(roundedRect(box, radius), boxOf(canvas));
  const inner = fillPath(inside(box, radius, line), boxOf(canvas));
  for (let row = 0; row < inner.height; row += 1) {
    const from = row * inner.width;
    const to = (inner.y - outer.y + row) * outer.width + inner.x - outer.x;
    for (let i = 0; i < inner.width; i += 1) {
      outer.coverage[to + i] = Math.max(0, (outer.coverage[to + i] ?? 0) - (inner.coverage[from + i] ?? 0));
    }
  }
  return outer;
}

const inside = (box: Box, radius: number, line: number): Path =>
  roundedRect(inset(box, line, line), Math.max(0, radius - line));

/** A layer part that draws the outline of a rounded rectangle. */
export const outlinedPart = (
  canvas: Raster,
  box: Box,
  radius: number,
  line: number,
  colour: Rgb,
): LayerPart => ({
  mask: outlineMask(canvas, box, radius, line),
  colour,
  outline: () =>
    new PathBuilder()
      .append(roundedRect(box, radius))
      .append(inside(box, radius, line))
      .build(),
  isHollow: true,
});
