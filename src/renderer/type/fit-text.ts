import { traitsOf } from "../fonts/fallback-families.ts";
import { type BreakableParagraph, balanceLines, minLineCount, type SegmentRange } from "./balance-lines.ts";
import {
  type BreakLevel,
  displayLine,
  hasLetterBreaks,
  hasWordBreaks,
  type Line,
  paragraphsOf,
  segmentsOf,
} from "./break-opportunities.ts";
import type { FaceChain } from "./font-chain.ts";
import { type FontSet, type FontWeight, recordingFailure } from "./font-set.ts";
import { embeddingLevels, startsRightToLeft } from "./itemise.ts";
import { TYPE_LIMITS } from "./limits.ts";
import { type BrokenLine, type LetterHeights, placeTextBlock, type TextBlock } from "./place-text-block.ts";
import { advanceSums, type ShapedLine, shapeLine } from "./shape-line.ts";
import { type WordBreaks, withSoftHyphens } from "./word-breaks.ts";

export interface TextRequest {
  readonly text: string;
  readonly weight: FontWeight;
  /** The box that the text must fit, in whole or fractional pixels. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fontSizePxMax: number;
  readonly fontSizePxMin: number;
  /** If whole words fit at this size, words are not broken to reach a larger size. 0: words are never broken. */
  readonly wholeFromPx?: number | undefined;
  readonly linesMax: number;
  /** Baseline to baseline, as a share of the size. */
  readonly lineHeight: number;
  /** Extra space between letters, in ems; default 0. */
  readonly letterSpacing?: number;
  /** `start` is left, or right for right-to-left text. */
  readonly align: "start" | "center";
}

interface PreparedText {
  readonly chain: FaceChain;
  /** Baseline to baseline, as a factor of the requested distance: some scripts need more. */
  readonly leading: number;
  /** Letter heights of the typeface that draws most letters; null for those of the main face. */
  readonly letters: LetterHeights | null;
  readonly isRightToLeft: boolean;
  readonly tracking: number;
  readonly paragraphs: readonly (BreakableParagraph & Line)[];
  readonly hyphen: string;
  readonly shapedLines: Map<string, ShapedLine>;
}

const SIZE_STEP_PX = 0.5;
/**
 * Cache, by chain of faces, of everything that does not depend on the box, because a layout sets the same copy in many
 * boxes.
 */
const preparedByChain = new WeakMap<FaceChain, Map<string, PreparedText>>();

/** Words are broken at hyphens and slashes when that makes the text larger by this factor. */
const WORD_BREAK_GAIN = 1.35;

/**
 * Sets text at the largest size of the request's range (in steps of half a pixel) at which its lines fit the width, the
 * height and the number of lines. Uses as few lines as the size allows, as even as possible.
 *
 * Words break at their hyphens and slashes only if nothing else fits or the text becomes a third larger. They break at
 * soft hyphens, by hyphenation and between letters of East Asian or Thai text only if whole words do not fit at
 * `wholeFromPx` either. Null when no size fits, when there is nothing to set, or when the font fails (then
 * `fonts.failure` has the reason).
 */
export function fitText(fonts: FontSet, request: TextRequest): TextBlock | null {
  if (request.text.length > TYPE_LIMITS.textLengthMax) return null;
  return recordingFailure(fonts, () => {
    const { wholeFromPx = Infinity, fontSizePxMin } = request;
    const whole = fitWords(fonts, request);
    if (whole !== null || wholeFromPx === 0 || !hasLetterBreaks(request.text, fonts.words)) return whole;
    const isWholeLater =
      wholeFromPx < fontSizePxMin &&
      fitWords(fonts, { ...request, fontSizePxMax: wholeFromPx, fontSizePxMin: wholeFromPx }) !== null;
    return isWholeLater ? null : fit(prepare(fonts, request, "letters"), request);
  });
}

/** Sets text without breaking words except at their hyphens and slashes. */
function fitWords(fonts: FontSet, request: TextRequest): TextBlock | null {
  const whole = fit(prepare(fonts, request, "words"), request);
  if (!hasWordBreaks(request.text)) return whole;
  const broken = fit(prepare(fonts, request, "parts"), request);
  const isWorth = whole === null || (broken?.fontSizePx ?? 0) >= whole.fontSizePx * WORD_BREAK_GAIN;
  return isWorth ? broken : whole;
}

function prepare(fonts: FontSet, request: TextRequest, level: BreakLevel): PreparedText {
  const chain = fonts.chain(request.weight, request.text);
  const tracking = Math.round((request.letterSpacing ?? 0) * chain.main.unitsPerEm);
  const kept = preparedByChain.get(chain) ?? new Map<string, PreparedText>();
  preparedByChain.set(chain, kept);
  const key = `${level}:${tracking}:${request.text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const prepared = shapeParagraphs(chain, fonts.words, request.text, tracking, level);
  if (kept.size >= TYPE_LIMITS.paragraphsCachedMax) kept.clear();
  kept.set(key, prepared);
  return prepared;
}

function shapeParagraphs(
  chain: FaceChain,
  words: WordBreaks,
  text: string,
  tracking: number,
  level: BreakLevel,
): PreparedText {
  const isRightToLeft = startsRightToLeft(text);
  const hyphen = chain.main.has(0x2010) ? "\u2010" : "-";
  const hyphenLine = { text: hyphen, levels: new Uint8Array(1) };
  const hyphenWidth = level !== "words" ? shapeLine(chain, hyphenLine, tracking).advance : 0;
  const softened = level === "letters" ? withSoftHyphens(text, words.hyphens) : text;
  const paragraphs = paragraphsOf(softened).map((paragraph) => {
    const line = { text: paragraph, levels: embeddingLevels(paragraph, isRightToLeft) };
    const sums = advanceSums(chain, line, tracking);
    return { ...line, segments: segmentsOf(paragraph, level, words), sums, hyphenWidth };
  });
  const dominant = chain.dominantFamily(text);
  const traits = [...chain.familiesOf(text)].map(traitsOf);
  return {
    chain,
    leading: Math.max(1, ...traits.map((each) => each.leading)),
    letters: dominant === null ? null : traitsOf(dominant),
    isRightToLeft,
    tracking,
    paragraphs,
    hyphen,
    shapedLines: new Map(),
  };
}

function fit(prepared: PreparedText, request: TextRequest): TextBlock | null {
  if (prepared.paragraphs.length === 0) return null;
  const sizes = sizesOf(request);
  // The sizes are descending. Find the first size at which the lines fit by their sums of advances, then check the
  // shaped lines against the box.
  let [low, high] = [0, sizes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lineCounts(prepared, request, sizes[middle] ?? 0) !== null) high = middle;
    else low = middle + 1;
  }
  // Shaped lines differ from the sums by about one kerning pair. The steps grow, which bounds the work for a font whose
  // advances are wrong.
  for (let i = low; i < sizes.length; i += 1 + ((i - low) >> 3)) {
    const set = setAt(prepared, request, sizes[i] ?? 0);
    if (set !== null) return set;
  }
  return null;
}

/**
 * Sizes to try, in descending order: the multiples of half a pixel in the range, or its upper end if there are none.
 */
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

/** Minimum number of lines of each paragraph at a size; null when they do not fit. */
function lineCounts(prepared: PreparedText, request: TextRequest, fontSizePx: number): number[] | null {
  const width = (request.widthPx / fontSizePx) * prepared.chain.main.unitsPerEm;
  const counts: number[] = [];
  let total = 0;
  for (const paragraph of prepared.paragraphs) {
    const lines = minLineCount(paragraph, width);
    if (lines === null) return null;
    counts.push(lines);
    total += lines;
  }
  const linesMax = Math.min(request.linesMax, TYPE_LIMITS.linesMax);
  const isFitting =
    total <= linesMax && total * request.lineHeight * prepared.leading * fontSizePx <= request.heightPx;
  return isFitting ? counts : null;
}

function setAt(prepared: PreparedText, request: TextRequest, fontSizePx: number): TextBlock | null {
  const counts = lineCounts(prepared, request, fontSizePx);
  if (counts === null) return null;
  const face = prepared.chain.main;
  const width = (request.widthPx / fontSizePx) * face.unitsPerEm;
  const broken: BrokenLine[] = [];
  for (const [i, paragraph] of prepared.paragraphs.entries()) {
    const ranges = balanceLines(paragraph, width, counts[i] ?? 1);
    if (ranges === null) return null;
    for (const range of ranges) broken.push(shapeRange(prepared, paragraph, range));
  }
  const { isRightToLeft, letters } = prepared;
  const lineHeight = request.lineHeight * prepared.leading;
  const { align } = request;
  const set = placeTextBlock(face, broken, { fontSizePx, lineHeight, align, isRightToLeft, letters });
  const isFitting = set.widthPx <= request.widthPx && set.heightPx <= request.heightPx;
  return isFitting && set.lines.some((line) => line.glyphs.length > 0) ? set : null;
}

function shapeRange(
  prepared: PreparedText,
  paragraph: BreakableParagraph & Line,
  { from, to }: SegmentRange,
): BrokenLine {
  const last = paragraph.segments[to - 1];
  const start = paragraph.segments[from]?.start ?? 0;
  const line = displayLine(
    paragraph,
    start,
    last?.inkEnd ?? start,
    last?.kind === "soft" ? prepared.hyphen : "",
  );
  const key = `${line.levels.join("")}:${line.text}`;
  const known = prepared.shapedLines.get(key);
  const shaped = known ?? shapeLine(prepared.chain, line, prepared.tracking);
  if (prepared.shapedLines.size >= TYPE_LIMITS.linesCachedMax) prepared.shapedLines.clear();
  prepared.shapedLines.set(key, shaped);
  return { text: line.text, isBroken: last?.kind === "soft" || last?.kind === "inside", shaped };
}
