import type { Bounds } from "../box-geometry.ts";
import type { Box } from "../types.ts";
import type { FontFace, Outline } from "./font-face.ts";
import { ShaperFault } from "./harfbuzz.ts";
import { TYPE_LIMITS } from "./limits.ts";
import type { ShapedLine } from "./shape-line.ts";
import { onGrid, type PixelGrid, pixelGrid } from "./vertical-hinting.ts";

/** A glyph in its line, in pixels. */
export interface PlacedGlyph {
  readonly outline: Outline;
  /** Pixels per unit of its outline. */
  readonly scale: number;
  /** From the block's left to the glyph's origin. */
  readonly x: number;
  /** Distance of the origin below the baseline; nonzero for marks. */
  readonly offsetY: number;
  /** ISO 15924 tag of its run. */
  readonly script: string;
  /** Ink box: x from the block's left, y down from the line's baseline. */
  readonly ink: Bounds;
}

export interface TextLine {
  /** The line's text in reading order. A soft hyphen at the break becomes a hyphen. */
  readonly text: string;
  /** Whether the line ends inside a word or phrase. */
  readonly isBroken: boolean;
  /** Width of the ink: lines align by their ink, not by the letters' side bearings. */
  readonly widthPx: number;
  /** Ink's left edge and the baseline, from the block's top left. The baseline is a whole pixel. */
  readonly leftPx: number;
  readonly baselinePx: number;
  readonly glyphs: readonly PlacedGlyph[];
}

/** Text broken, sized and placed in a block whose top left is 0, 0; all ink lies within the block. */
export interface TextBlock {
  readonly fontSizePx: number;
  readonly lines: readonly TextLine[];
  /** Size of the block: the widest line, and the lines' height. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Ink box, relative to the block's top left. */
  readonly inkBox: Box;
  /**
   * Height of capitals, or of letters in scripts without capitals. To centre a line of text by eye, use baseline −
   * capHeightPx / 2 as its middle.
   */
  readonly capHeightPx: number;
  /** Height of capitals, or of letter parts as high as capitals. The space above a text is measured from there. */
  readonly topPx: number;
  readonly isRightToLeft: boolean;
  readonly grid: PixelGrid;
}

/** A line broken and shaped, not yet placed. */
export interface BrokenLine {
  readonly text: string;
  readonly isBroken: boolean;
  readonly shaped: ShapedLine;
}

export interface Placement {
  readonly fontSizePx: number;
  /** Baseline to baseline, as a share of the size. */
  readonly lineHeight: number;
  readonly align: "start" | "center";
  readonly isRightToLeft: boolean;
  /** Null for the heights of the main face's letters. */
  readonly letters: LetterHeights | null;
}

/** Heights of a script's letters above the baseline, in ems. */
export interface LetterHeights {
  readonly middleEm: number;
  readonly topEm: number;
}

/** Minimum gap between the ink of one line and the next, in ems. */
const INK_GAP_EM = 0.03;

/**
 * Places lines in a block. Each baseline centres capitals and small letters, taken together, in the line's height.
 * Lines are farther apart than requested only if accents would run into the line above. The lines move down only if the
 * ink of the first line would otherwise leave the block at the top.
 */
export function placeTextBlock(
  face: FontFace,
  broken: readonly BrokenLine[],
  placement: Placement,
): TextBlock {
  const { fontSizePx, align, isRightToLeft, letters } = placement;
  const scale = fontSizePx / face.unitsPerEm;
  const grid = pixelGrid(face.metrics, face.unitsPerEm, fontSizePx);
  const inkWidths = broken.map(({ shaped }) => (shaped.inkRight - shaped.inkLeft) * scale);
  const widthPx = inkWidths.reduce((most, width) => Math.max(most, width), 0);
  const level = broken.map(({ text, isBroken, shaped }, i) => {
    const lineWidthPx = inkWidths[i] ?? 0;
    const slack = widthPx - lineWidthPx;
    const leftPx = align === "center" ? slack / 2 : isRightToLeft ? slack : 0;
    const glyphs = placeGlyphs(face, shaped, grid, scale, leftPx);
    return { text, isBroken, widthPx: lineWidthPx, leftPx, glyphs };
  });
  boundOutlines(level.flatMap((line) => line.glyphs));
  const pitch = level.reduce((most, line, i) => {
    const above = level[i - 1];
    face.spend(line.glyphs.length * (above?.glyphs.length ?? 0) * TYPE_LIMITS.instructionsPerPair);
    return above === undefined
      ? most
      : Math.max(most, Math.ceil(clearance(above.glyphs, line.glyphs) + INK_GAP_EM * fontSizePx));
  }, placement.lineHeight * fontSizePx);
  const middle =
    letters === null
      ? ((face.metrics.capHeight + face.metrics.xHeight) / 4) * scale
      : letters.middleEm * fontSizePx;
  const baselines = level.map((_, i) => Math.round(pitch * (i + 0.5) + middle));
  const over = level.map(
    (line, i) => Math.min(...line.glyphs.map((glyph) => glyph.ink.top)) + (baselines[i] ?? 0),
  );
  const drop = Math.max(0, Math.ceil(-Math.min(...over)));
  const lines = level.map((line, i): TextLine => ({ ...line, baselinePx: (baselines[i] ?? 0) + drop }));
  const inkBox = inkOf(lines);
  const capitalsPx = Math.round(face.metrics.capHeight * scale);
  return {
    fontSizePx,
    lines,
    widthPx,
    heightPx: Math.max(pitch * lines.length + drop, inkBox.y + inkBox.height),
    inkBox,
    capHeightPx: letters === null ? capitalsPx : Math.round(letters.middleEm * 2 * fontSizePx),
    topPx: letters === null ? capitalsPx : Math.round(letters.topEm * fontSizePx),
    isRightToLeft,
    grid,
  };
}

function placeGlyphs(
  face: FontFace,
  line: ShapedLine,
  grid: PixelGrid,
  scale: number,
  leftPx: number,
): PlacedGlyph[] {
  const glyphs: PlacedGlyph[] = [];
  face.spend(line.glyphs.length * TYPE_LIMITS.instructionsPerGlyph);
  for (const { face: own, glyph, scale: ownScale, x, y, script } of line.glyphs) {
    const outline = own.outline(glyph);
    if (outline.extent === null) continue;
    const { left, top, right, bottom } = outline.extent;
    const across = (unitX: number): number => leftPx + (x - line.inkLeft + unitX * ownScale) * scale;
    const down = (unitY: number): number => onGrid(grid, script, (y + unitY * ownScale) * scale);
    const ink = { left: across(left), top: down(top), right: across(right), bottom: down(bottom) };
    glyphs.push({ outline, scale: scale * ownScale, x: across(0), offsetY: y * scale, script, ink });
  }
  return glyphs;
}

/** Minimum distance between two baselines at which the ink of their lines does not overlap. */
function clearance(above: readonly PlacedGlyph[], below: readonly PlacedGlyph[]): number {
  let most = 0;
  for (const { ink: upper } of above) {
    for (const { ink: lower } of below) {
      const isOver = upper.left < lower.right && lower.left < upper.right;
      if (isOver) most = Math.max(most, upper.bottom - lower.top);
    }
  }
  return most;
}

function inkOf(lines: readonly TextLine[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { glyphs, baselinePx } of lines) {
    for (const { ink } of glyphs) {
      left = Math.min(left, ink.left);
      right = Math.max(right, ink.right);
      top = Math.min(top, baselinePx + ink.top);
      bottom = Math.max(bottom, baselinePx + ink.bottom);
    }
  }
  return left <= right ? { x: left, y: top, width: right - left, height: bottom - top } : NO_INK;
}

const NO_INK: Box = { x: 0, y: 0, width: 0, height: 0 };

function boundOutlines(glyphs: readonly PlacedGlyph[]): void {
  const coordinates = glyphs.reduce((sum, { outline }) => sum + outline.path.points.length, 0);
  if (coordinates > TYPE_LIMITS.textPointsMax * 2) throw new ShaperFault("its outlines have too many points");
}
