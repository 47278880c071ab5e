import type { Box } from "../types.ts";
import { type BreakableParagraph, balanceLines, leastLines, type SegmentRange } from "./break-lines.ts";
import type { FontFace, Outline } from "./font-face.ts";
import { type FontSet, guarded } from "./font-set.ts";
import { embeddingLevels, startsRightToLeft } from "./itemise.ts";
import { TYPE_LIMITS } from "./limits.ts";
import { type Line, paragraphsOf, segmentsOf, shownLine } from "./line-breaks.ts";
import { advanceSums, type ShapedLine, shapeLine } from "./paragraph.ts";
import { onGrid, type PixelGrid, pixelGrid } from "./pixel-grid.ts";

export interface TextRequest {
  readonly text: string;
  readonly weight: "regular" | "bold";
  /** The box the text must fit, whole or fractional pixels. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fontSizePxMax: number;
  readonly fontSizePxMin: number;
  readonly linesMax: number;
  /** Baseline to baseline, as a share of the size. */
  readonly lineHeight: number;
  /** Extra space between letters, in ems; 0 when left out. */
  readonly letterSpacing?: number;
  /** `start` is left, or right where the text reads right to left. */
  readonly align: "start" | "center";
}

/** A glyph in its line, in pixels. */
export interface PlacedGlyph {
  readonly outline: Outline;
  /** From the block's left to the glyph's origin. */
  readonly x: number;
  /** How far below the baseline the origin is, which marks are moved by. */
  readonly offsetY: number;
  readonly script: string;
}

export interface SetLine {
  /** The text as broken, in reading order; a soft hyphen that was used shows as a hyphen. */
  readonly text: string;
  /** Width of the ink: lines align by what is drawn, not by the letters' side bearings. */
  readonly widthPx: number;
  /** Ink's left edge and the baseline, from the block's top left. The baseline is a whole pixel. */
  readonly leftPx: number;
  readonly baselinePx: number;
  readonly glyphs: readonly PlacedGlyph[];
}

/** Text broken, sized and placed in a block whose top left is 0, 0; all it draws lies within the block. */
export interface SetText {
  readonly fontSizePx: number;
  readonly lines: readonly SetLine[];
  /** Widest line, and the lines' height: the block. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** What is drawn, relative to the block's top left. */
  readonly inkBox: Box;
  /** Height of capitals, for centring a line of text by eye: its middle is baseline − capHeight / 2. */
  readonly capHeightPx: number;
  readonly isRightToLeft: boolean;
  readonly unitsPerEm: number;
  readonly grid: PixelGrid;
}

interface Prepared {
  readonly face: FontFace;
  readonly isRightToLeft: boolean;
  readonly tracking: number;
  readonly paragraphs: readonly (BreakableParagraph & Line)[];
  readonly hyphen: string;
  readonly shapedLines: Map<string, ShapedLine>;
}

const SIZE_STEP_PX = 0.5;

/**
 * Sets text at the largest size of the request's range (in steps of half a pixel) at which its lines fit
 * width, height and number. Lines are as few as the size allows and as even as can be; words are broken only
 * at soft hyphens, and only when nothing else fits. Null when no size fits, when there is nothing to set, or
 * when the font fails (then `fonts.failure` says why).
 */
export function setText(fonts: FontSet, request: TextRequest): SetText | null {
  if (request.text.length > TYPE_LIMITS.textLengthMax) return null;
  return guarded(
    fonts,
    () => fit(prepare(fonts, request, false), request) ?? fitWithSoftBreaks(fonts, request),
  );
}

function fitWithSoftBreaks(fonts: FontSet, request: TextRequest): SetText | null {
  return request.text.includes("\u00AD") ? fit(prepare(fonts, request, true), request) : null;
}

function prepare(fonts: FontSet, request: TextRequest, hasSoftBreaks: boolean): Prepared {
  const face = fonts.face(request.weight);
  const isRightToLeft = startsRightToLeft(request.text);
  const tracking = Math.round((request.letterSpacing ?? 0) * face.unitsPerEm);
  const hyphen = face.glyphOf(0x2010) === 0 ? "-" : "\u2010";
  const hyphenLine = { text: hyphen, levels: new Uint8Array(1) };
  const hyphenWidth = hasSoftBreaks ? shapeLine(face, hyphenLine, tracking).advance : 0;
  const paragraphs = paragraphsOf(request.text).map((text) => {
    const line = { text, levels: embeddingLevels(text, isRightToLeft) };
    const sums = advanceSums(face, line, tracking);
    return { ...line, segments: segmentsOf(text, hasSoftBreaks), sums, hyphenWidth };
  });
  return { face, isRightToLeft, tracking, paragraphs, hyphen, shapedLines: new Map() };
}

function fit(prepared: Prepared, request: TextRequest): SetText | null {
  if (prepared.paragraphs.length === 0) return null;
  const sizes = sizesOf(request);
  // Sizes fall; find the first that fits by the paragraph's advances, then hold the shaped lines against the box.
  let [low, high] = [0, sizes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lineCounts(prepared, request, sizes[middle] ?? 0) !== null) high = middle;
    else low = middle + 1;
  }
  for (let i = low; i < sizes.length; i += 1) {
    const set = setAt(prepared, request, sizes[i] ?? 0);
    if (set !== null) return set;
  }
  return null;
}

/** Sizes to try, falling. A range that holds no step is tried at its upper end. */
function sizesOf({ fontSizePxMax, fontSizePxMin }: TextRequest): number[] {
  const sizes: number[] = [];
  const most = Math.min(fontSizePxMax, TYPE_LIMITS.fontSizePxMax);
  for (
    let step = Math.floor(most / SIZE_STEP_PX);
    step > 0 && step * SIZE_STEP_PX >= fontSizePxMin;
    step -= 1
  ) {
    sizes.push(step * SIZE_STEP_PX);
  }
  return sizes.length === 0 && most >= fontSizePxMin && most > 0 ? [most] : sizes;
}

/** The least lines of each paragraph at a size; null when they do not fit. */
function lineCounts(prepared: Prepared, request: TextRequest, fontSizePx: number): number[] | null {
  const width = (request.widthPx / fontSizePx) * prepared.face.unitsPerEm;
  const counts: number[] = [];
  let total = 0;
  for (const paragraph of prepared.paragraphs) {
    const lines = leastLines(paragraph, width);
    if (lines === null) return null;
    counts.push(lines);
    total += lines;
  }
  const linesMax = Math.min(request.linesMax, TYPE_LIMITS.linesMax);
  const isFitting = total <= linesMax && total * request.lineHeight * fontSizePx <= request.heightPx;
  return isFitting ? counts : null;
}

function setAt(prepared: Prepared, request: TextRequest, fontSizePx: number): SetText | null {
  const counts = lineCounts(prepared, request, fontSizePx);
  if (counts === null) return null;
  const { face } = prepared;
  const width = (request.widthPx / fontSizePx) * face.unitsPerEm;
  const broken: { readonly text: string; readonly shaped: ShapedLine }[] = [];
  for (const [i, paragraph] of prepared.paragraphs.entries()) {
    const ranges = balanceLines(paragraph, width, counts[i] ?? 1);
    if (ranges === null) return null;
    for (const range of ranges) broken.push(shapeRange(prepared, paragraph, range));
  }
  const set = place(prepared, request, fontSizePx, broken);
  const isFitting = set.widthPx <= request.widthPx && set.heightPx <= request.heightPx;
  return isFitting && set.lines.some((line) => line.glyphs.length > 0) ? set : null;
}

function shapeRange(
  prepared: Prepared,
  paragraph: BreakableParagraph & Line,
  { from, to }: SegmentRange,
): { text: string; shaped: ShapedLine } {
  const last = paragraph.segments[to - 1];
  const start = paragraph.segments[from]?.start ?? 0;
  const line = shownLine(
    paragraph,
    start,
    last?.inkEnd ?? start,
    last?.kind === "soft" ? prepared.hyphen : "",
  );
  const known = prepared.shapedLines.get(line.text);
  const shaped = known ?? shapeLine(prepared.face, line, prepared.tracking);
  prepared.shapedLines.set(line.text, shaped);
  return { text: line.text, shaped };
}

/** Places lines in a block no taller than their line heights, but for ink that would leave it. */
function place(
  prepared: Prepared,
  request: TextRequest,
  fontSizePx: number,
  broken: readonly { readonly text: string; readonly shaped: ShapedLine }[],
): SetText {
  const { face, isRightToLeft } = prepared;
  const scale = fontSizePx / face.unitsPerEm;
  const grid = pixelGrid(face.metrics, face.unitsPerEm, fontSizePx);
  const pitch = request.lineHeight * fontSizePx;
  const middle = ((face.metrics.capHeight + face.metrics.xHeight) / 4) * scale;
  const inks = broken.map(({ shaped }) => verticalInk(face, shaped, grid, scale));
  const widthPx = broken.reduce(
    (most, { shaped }) => Math.max(most, (shaped.inkRight - shaped.inkLeft) * scale),
    0,
  );
  // Accents of the first line may reach over the line's top: the block then starts higher.
  const lift = inks.reduce(
    (most, ink, i) => Math.max(most, -ink.top - Math.round(pitch * (i + 0.5) + middle)),
    0,
  );
  const drop = Math.ceil(lift);
  let [inkLeft, inkTop, inkRight, inkBottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const lines = broken.map(({ text, shaped }, i): SetLine => {
    const inkWidth = (shaped.inkRight - shaped.inkLeft) * scale;
    const slack = widthPx - inkWidth;
    const leftPx = request.align === "center" ? slack / 2 : isRightToLeft ? slack : 0;
    const baselinePx = Math.round(pitch * (i + 0.5) + middle) + drop;
    const originX = leftPx - shaped.inkLeft * scale;
    const ink = inks[i];
    if (ink !== undefined && shaped.glyphs.length > 0) {
      inkLeft = Math.min(inkLeft, leftPx);
      inkRight = Math.max(inkRight, leftPx + inkWidth);
      inkTop = Math.min(inkTop, baselinePx + ink.top);
      inkBottom = Math.max(inkBottom, baselinePx + ink.bottom);
    }
    const glyphs = shaped.glyphs.map((glyph) => ({
      outline: face.outline(glyph.glyph),
      x: originX + glyph.x * scale,
      offsetY: glyph.y * scale,
      script: glyph.script,
    }));
    return { text, widthPx: inkWidth, leftPx, baselinePx, glyphs };
  });
  const isInked = inkRight >= inkLeft;
  return {
    fontSizePx,
    lines,
    widthPx,
    heightPx: Math.max(pitch * lines.length + drop, isInked ? inkBottom : 0),
    inkBox: isInked
      ? { x: inkLeft, y: inkTop, width: inkRight - inkLeft, height: inkBottom - inkTop }
      : { x: 0, y: 0, width: 0, height: 0 },
    capHeightPx: Math.round(face.metrics.capHeight * scale),
    isRightToLeft,
    unitsPerEm: face.unitsPerEm,
    grid,
  };
}

/** How far a line's ink reaches from its baseline, in pixels, y down. */
function verticalInk(
  face: FontFace,
  line: ShapedLine,
  grid: PixelGrid,
  scale: number,
): { top: number; bottom: number } {
  let [top, bottom] = [Infinity, -Infinity];
  for (const { glyph, y, script } of line.glyphs) {
    const extent = face.outline(glyph).extent;
    if (extent === null) continue;
    top = Math.min(top, onGrid(grid, script, (y + extent.top) * scale));
    bottom = Math.max(bottom, onGrid(grid, script, (y + extent.bottom) * scale));
  }
  return top <= bottom ? { top, bottom } : { top: 0, bottom: 0 };
}
