/// <reference path="./linebreak-package.d.ts" />
import type LineBreaker from "linebreak";

/** The piece of a paragraph up to the next place where a line may end (UAX #14). */
export interface Segment {
  readonly start: number;
  /** Where the next segment starts. */
  readonly end: number;
  /** End of what is drawn when the line ends here: trailing space hangs outside. */
  readonly inkEnd: number;
  /** What the line breaks after. `soft` shows a hyphen when taken. */
  readonly kind: "space" | "hyphen" | "soft" | "end";
}

const SOFT_HYPHEN = "\u00AD";
const HYPHENS = /[-\u2010/]$/;
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Normalises copy: the paragraphs between explicit line ends, with runs of blanks made one and control
 * characters removed. Empty lines are left out.
 */
export function paragraphsOf(text: string): string[] {
  return text
    .split(LINE_ENDS)
    .map((line) =>
      line
        .replace(/[\t ]+/g, " ")
        .replace(/\p{Cc}/gu, "")
        .trim(),
    )
    .filter((line) => line.length > 0);
}

/** Whether a text has places to break inside words. */
export function hasWordBreaks(text: string): boolean {
  return /[-\u2010/\u00AD]/.test(text);
}

let loaded: typeof LineBreaker | null = null;

/**
 * Loads the library that `segmentsOf` uses. Loading unpacks a table of all of Unicode, which takes as long as many
 * requests: an isolate that never sets text does not load it.
 */
export async function loadLineBreaker(): Promise<void> {
  loaded ??= (await import("linebreak")).default;
}

/** Where a paragraph may break. With word breaks off, hyphens, slashes and soft hyphens hold. */
export function segmentsOf(paragraph: string, breaksWords: boolean): Segment[] {
  if (loaded === null) throw new Error("text is set before its fonts were opened");
  const breaker = new loaded(paragraph);
  const segments: Segment[] = [];
  let start = 0;
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    const end = next.position;
    if (end <= start) continue;
    const piece = paragraph.slice(start, end);
    const kind = end === paragraph.length ? "end" : kindOf(piece);
    if (!breaksWords && (kind === "soft" || kind === "hyphen")) continue;
    segments.push({ start, end, inkEnd: start + piece.trimEnd().length, kind });
    start = end;
  }
  return segments;
}

/** The text of one line and the embedding level of each of its units. */
export interface Line {
  readonly text: string;
  readonly levels: Uint8Array;
}

/** A line as it is drawn: soft hyphens gone, but for the one it breaks at, which shows as `hyphen`. */
export function shownLine(paragraph: Line, start: number, end: number, shownHyphen: string): Line {
  const kept: number[] = [];
  for (let i = start; i < end; i += 1) if (paragraph.text[i] !== SOFT_HYPHEN) kept.push(i);
  const text = kept.map((i) => paragraph.text.charAt(i)).join("") + shownHyphen;
  const levels = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) levels[i] = paragraph.levels[kept[i] ?? end - 1] ?? 0;
  return { text, levels };
}

function kindOf(piece: string): Segment["kind"] {
  if (piece.endsWith(SOFT_HYPHEN)) return "soft";
  return HYPHENS.test(piece) ? "hyphen" : "space";
}
