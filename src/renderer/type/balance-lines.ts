import type { Segment } from "./break-opportunities.ts";

/** A paragraph ready to be broken at any width. */
export interface BreakableParagraph {
  readonly text: string;
  readonly segments: readonly Segment[];
  /** Running sums of advances, one per UTF-16 unit, in font units. */
  readonly sums: Float64Array;
  /** Width of the hyphen of a soft break, in font units. */
  readonly hyphenWidth: number;
}

/** A line as a range of segments; the end is exclusive. */
export interface SegmentRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Penalties of flaws. They are added to the squared empty share of a line, so 0.01 is as bad as a line that is a tenth
 * shorter than the width. Tuned by eye on headlines of two to four lines.
 */
const PENALTY = {
  softHyphen: 0.5,
  /** A hyphen after a prefix that belongs to the following syllable ("Fahrtsge-sellschaft"). */
  prefixAtEnd: 0.25,
  /** A line that ends inside a word or phrase without a hyphen. */
  insidePhrase: 0.5,
  hyphen: 0.05,
  /** A line that ends in an article or preposition. */
  shortWordAtEnd: 0.015,
  /** An article or preposition alone on a line. */
  loneShortWord: 0.35,
  /**
   * A single word as the first or last of several lines; multiplied by the share of the line that the word leaves
   * empty.
   */
  orphan: 0.45,
  /** A line that ends in a number whose unit, month or noun is on the next line. */
  figureAtEnd: 0.12,
  /** A sentence that starts inside a line and continues on the next. */
  brokenSentence: 0.07,
  /** Negative, because a line that ends at a pause of the sentence reads well. */
  pauseAtEnd: -0.02,
} as const;
/** Prefixes of German and English, followed by a soft hyphen. */
const PREFIX = /^(?:[bg]e|[vz]er|ent|un|pre|re)\u00AD$/iu;
const SHORT_WORD = /(?:^|[\s\u00A0])[\p{L}\p{M}]{1,2}\s*$/u;
const LONE_SHORT_WORD = /^\s*[\p{L}\p{M}]{1,3}\s*$/u;
const FIGURE_AT_END = /(?:^|[\s\u00A0])[\p{Sc}#]?\p{N}[\p{N}.,:–-]*\s*$/u;
const SENTENCE_INSIDE = /[.!?…。！？؟]["'”’»)]*\s+\S/u;
/**
 * Maximum UTF-16 units of a heading. In longer text (small print, prose), sentences may continue on the next line
 * without a penalty.
 */
const HEADING_LENGTH_MAX = 90;
const PAUSE = /[.,;:!?…—–،؛؟。、！？]\s*$/u;

/** Width of a line made of segments, in font units, without trailing space. */
function lineWidth(paragraph: BreakableParagraph, { from, to }: SegmentRange): number {
  const first = paragraph.segments[from];
  const last = paragraph.segments[to - 1];
  if (first === undefined || last === undefined) return 0;
  const hyphen = last.kind === "soft" ? paragraph.hyphenWidth : 0;
  return (paragraph.sums[last.inkEnd] ?? 0) - (paragraph.sums[first.start] ?? 0) + hyphen;
}

/** Minimum number of lines at a width; null when a single segment is wider. */
export function minLineCount(paragraph: BreakableParagraph, width: number): number | null {
  let lines = 0;
  let from = 0;
  while (from < paragraph.segments.length) {
    let to = from + 1;
    if (lineWidth(paragraph, { from, to }) > width) return null;
    while (to < paragraph.segments.length && lineWidth(paragraph, { from, to: to + 1 }) <= width) to += 1;
    lines += 1;
    from = to;
  }
  return lines;
}

/**
 * Breaks a paragraph over exactly `lineCount` lines no wider than `width`, as evenly as possible; null if impossible.
 * Minimises the sum of squared empty shares and penalties, by dynamic programming.
 */
export function balanceLines(
  paragraph: BreakableParagraph,
  width: number,
  lineCount: number,
): SegmentRange[] | null {
  const count = paragraph.segments.length;
  let costs: number[] = [0, ...Array<number>(count).fill(Infinity)];
  const cameFrom: Int32Array[] = [];
  for (let line = 1; line <= lineCount; line += 1) {
    const next = Array<number>(count + 1).fill(Infinity);
    const best = new Int32Array(count + 1);
    for (let from = line - 1; from < count; from += 1) {
      const before = costs[from] ?? Infinity;
      if (before === Infinity) continue;
      for (let to = from + 1; to <= count; to += 1) {
        const range = { from, to };
        const empty = 1 - lineWidth(paragraph, range) / width;
        if (empty < 0) break;
        const cost = before + empty * empty + penaltyOf(paragraph, range, empty);
        if (cost < (next[to] ?? Infinity)) {
          next[to] = cost;
          best[to] = from;
        }
      }
    }
    costs = next;
    cameFrom.push(best);
  }
  if ((costs[count] ?? Infinity) === Infinity) return null;
  const lines: SegmentRange[] = [];
  let to = count;
  for (const best of cameFrom.reverse()) {
    const from = best[to] ?? 0;
    lines.unshift({ from, to });
    to = from;
  }
  return lines;
}

function penaltyOf(paragraph: BreakableParagraph, { from, to }: SegmentRange, empty: number): number {
  const first = paragraph.segments[from];
  const last = paragraph.segments[to - 1];
  if (first === undefined || last === undefined) return 0;
  const isWhole = from === 0 && to === paragraph.segments.length;
  const orphan = to - from === 1 && !isWhole ? PENALTY.orphan * empty : 0;
  if (last.kind === "end") return from > 0 ? orphan : 0;
  if (last.kind === "inside") return PENALTY.insidePhrase;
  if (last.kind === "soft") {
    const isPrefix = PREFIX.test(paragraph.text.slice(last.start, last.inkEnd));
    return PENALTY.softHyphen + (isPrefix ? PENALTY.prefixAtEnd : 0);
  }
  const shown = paragraph.text.slice(first.start, last.inkEnd);
  if (LONE_SHORT_WORD.test(shown)) return PENALTY.loneShortWord;
  const hyphen = last.kind === "hyphen" ? PENALTY.hyphen : 0;
  if (PAUSE.test(shown)) return hyphen + PENALTY.pauseAtEnd;
  const isFigure = FIGURE_AT_END.test(shown);
  return (
    hyphen +
    (from === 0 ? orphan : 0) +
    (isFigure ? PENALTY.figureAtEnd : 0) +
    (paragraph.text.length <= HEADING_LENGTH_MAX && SENTENCE_INSIDE.test(shown)
      ? PENALTY.brokenSentence
      : 0) +
    (!isFigure && SHORT_WORD.test(shown) ? PENALTY.shortWordAtEnd : 0)
  );
}
