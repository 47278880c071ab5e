import { emptyMask, fillPath, type Mask, type Path, PathBuilder } from "../vector/index.ts";
import type { PlacedGlyph, TextBlock, TextLine } from "./place-text-block.ts";
import { onGrid } from "./vertical-hinting.ts";

/** Contrast of text with its background. */
export interface TextPaint {
  /** Light letters on dark look thinner than dark on light, so their grey edges are strengthened. */
  readonly isLightOnDark: boolean;
}

/**
 * Draws set text with its block's top left at x, y on a canvas of the given size. `y` is rounded to a whole pixel,
 * where baselines are; `x` may be fractional. The mask covers only the ink's pixels on the canvas.
 */
export function paintText(
  text: TextBlock,
  x: number,
  y: number,
  width: number,
  height: number,
  paint: TextPaint = { isLightOnDark: false },
): Mask {
  const top = Math.round(y);
  const canvas = { x: 0, y: 0, width, height };
  const masks: Mask[] = [];
  for (const line of text.lines) {
    for (const group of touchingGlyphs(line)) {
      const builder = new PathBuilder();
      for (const glyph of group) addGlyph(builder, text, line, glyph, x, top);
      const mask = fillPath(builder.build(), canvas);
      if (mask.coverage.length > 0) masks.push(mask);
    }
  }
  const whole = gather(masks);
  if (paint.isLightOnDark) strengthen(whole.coverage);
  return whole;
}

/** The outline of set text as `paintText` fills it, for a vector writer. */
export function outlineOfText(text: TextBlock, x: number, y: number): Path {
  const builder = new PathBuilder();
  for (const line of text.lines) {
    for (const glyph of line.glyphs) addGlyph(builder, text, line, glyph, x, Math.round(y));
  }
  return builder.build();
}

/**
 * Groups glyphs whose ink overlaps horizontally, as that of joined and kerned glyphs does. Each group is filled as one
 * shape.
 */
function touchingGlyphs(line: TextLine): PlacedGlyph[][] {
  const sorted = [...line.glyphs].sort((a, b) => a.ink.left - b.ink.left);
  const groups: PlacedGlyph[][] = [];
  let reach = -Infinity;
  for (const glyph of sorted) {
    const group = groups.at(-1);
    if (group !== undefined && glyph.ink.left <= reach) group.push(glyph);
    else groups.push([glyph]);
    reach = Math.max(reach, glyph.ink.right);
  }
  return groups;
}

function addGlyph(
  builder: PathBuilder,
  text: TextBlock,
  line: TextLine,
  glyph: PlacedGlyph,
  x: number,
  top: number,
): void {
  const baseline = top + line.baselinePx;
  builder.append(
    glyph.outline.path,
    (unitX) => x + glyph.x + unitX * glyph.scale,
    (unitY) => baseline + onGrid(text.grid, glyph.script, glyph.offsetY + unitY * glyph.scale),
  );
}

/** Merges masks. Where grey edges meet, their coverage is added. */
function gather(masks: readonly Mask[]): Mask {
  if (masks.length === 0) return emptyMask(0, 0);
  const left = Math.min(...masks.map((mask) => mask.x));
  const top = Math.min(...masks.map((mask) => mask.y));
  const width = Math.max(...masks.map((mask) => mask.x + mask.width)) - left;
  const height = Math.max(...masks.map((mask) => mask.y + mask.height)) - top;
  // Uint8ClampedArray limits sums to 255.
  const sum = new Uint8ClampedArray(width * height);
  for (const mask of masks) {
    for (let row = 0; row < mask.height; row += 1) {
      const from = row * mask.width;
      const to = (mask.y - top + row) * width + mask.x - left;
      for (let i = 0; i < mask.width; i += 1)
        sum[to + i] = (sum[to + i] ?? 0) + (mask.coverage[from + i] ?? 0);
    }
  }
  return { x: left, y: top, width, height, coverage: new Uint8Array(sum.buffer) };
}

/** Lifts the middle of the grey scale by a sixteenth of the scale: c + c(255 − c) / (4 · 255). */
function strengthen(coverage: Uint8Array): void {
  for (let i = 0; i < coverage.length; i += 1) {
    const value = coverage[i] ?? 0;
    coverage[i] = value + Math.round((value * (255 - value)) / 1020);
  }
}
