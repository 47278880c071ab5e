/** The properties of a set line that its score depends on. */
interface ShownLine {
  readonly text: string;
  readonly widthPx: number;
  /** Whether the line ends inside a word or phrase. */
  readonly isBroken?: boolean;
}

/**
 * Factors of the score, one for each flaw, tuned by eye. A headline may be about a third smaller for good line breaks.
 */
const LONE_SHORT_WORD = 0.58;
const STACK_OF_WORDS = 0.62;
const SHORT_STACK_OF_WORDS = 0.82;
const LONE_WORD = 0.93;
const NEARLY_EMPTY = 0.86;
const MANY_LINES = 0.9;
/** For a line that ends one sentence and begins another, and for a number separated from its unit. */
const BROKEN_SENTENCE = 0.74;
const FIGURE_AT_END = 0.85;
const SENTENCE_INSIDE = /[.!?…。！？؟]["'”’»)]*\s+\S/u;
const ENDS_SENTENCE = /[.!?…。！？؟,،、;:؛—–]["'”’»)]*\s*$/u;
const ENDS_IN_FIGURE = /(?:^|\s)[\p{Sc}#]?\p{N}[\p{N}.,:–-]*\s*$/u;
/** Few words on many lines: two longer lines would be easier to read. */
const FEW_WORDS = 5;
const FEW_WORDS_ON_MANY_LINES = 0.86;

/** For a word broken with a hyphen, and for a phrase split without a hyphen. */
const HYPHENATED = 0.86;
const PARTED = 0.7;
const isHyphenated = ({ text, isBroken = false }: ShownLine): boolean => isBroken && /[-\u2010]$/u.test(text);

export const hyphenatedLines = (lines: readonly ShownLine[]): number => lines.filter(isHyphenated).length;

/** Matches words; in scripts without spaces, about as many letters as a word has. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|\p{Script=Thai}{1,6}|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

/** Whether a line ends one sentence and begins another, and at least one of the two continues on an adjacent line. */
function isBetweenSentences(lines: readonly ShownLine[], at: number): boolean {
  const text = lines[at]?.text ?? "";
  if (!SENTENCE_INSIDE.test(text)) return false;
  const before = lines[at - 1]?.text;
  const isEndless = at < lines.length - 1 && !ENDS_SENTENCE.test(text);
  return isEndless || (before !== undefined && !ENDS_SENTENCE.test(before));
}

/** The space between two sentences. */
const BETWEEN_SENTENCES = /(?<=[.!?…。！？؟]["'”’»)]*)\s+/u;

/** The text with a line for each of its sentences; null when it is one sentence. */
export function bySentence(text: string): string | null {
  const sentences = text.split(BETWEEN_SENTENCES);
  return sentences.length < 2 ? null : sentences.join("\n");
}

/**
 * Quality of a headline's line breaks, 0..1. Flaws are a line of one short word, one word on each line, and nearly
 * empty lines.
 */
export function scoreLineBreaks(lines: readonly ShownLine[]): number {
  if (lines.length < 2) return 1;
  const widest = Math.max(...lines.map((line) => line.widthPx));
  const words = lines.map((line) => line.text.match(WORDS) ?? []);
  const lone = words.filter((line) => line.length === 1).length;
  let lineBreakScore = 1;
  if (words.some((line) => line.length === 1 && (line[0]?.length ?? 0) <= 3))
    lineBreakScore *= LONE_SHORT_WORD;
  const broken = lines.filter(({ isBroken = false }) => isBroken);
  if (broken.length > 0) {
    for (const line of broken) lineBreakScore *= isHyphenated(line) ? HYPHENATED : PARTED;
    // The rest of a broken word should have a line to itself.
    if (lines.some((_, at) => lines[at - 1]?.isBroken === true && (words[at]?.length ?? 0) > 1))
      lineBreakScore *= HYPHENATED;
  } else if (lines.length >= 3 && lone >= 3)
    lineBreakScore *= lines.length >= 4 ? STACK_OF_WORDS : SHORT_STACK_OF_WORDS;
  else if (lines.length >= 3 && lone > 0)
    lineBreakScore *= LONE_WORD ** (lone + words.slice(1, -1).filter(({ length }) => length === 1).length);
  if (lines.some((line) => line.widthPx < widest * 0.36)) lineBreakScore *= NEARLY_EMPTY;
  if (lines.length >= 3 && broken.length === 0 && words.flat().length <= FEW_WORDS)
    lineBreakScore *= FEW_WORDS_ON_MANY_LINES;
  if (lines.some((_, at) => isBetweenSentences(lines, at))) lineBreakScore *= BROKEN_SENTENCE;
  if (lines.slice(0, -1).some(({ text }) => ENDS_IN_FIGURE.test(text))) lineBreakScore *= FIGURE_AT_END;
  if (lines.length >= 4) lineBreakScore *= MANY_LINES ** (lines.length - 3);
  return lineBreakScore;
}
