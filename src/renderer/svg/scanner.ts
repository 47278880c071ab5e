import type { WorkBudget } from "./limits.ts";

const CODE = (character: string): number => character.charCodeAt(0);

const SPACES: ReadonlySet<number> = new Set([" ", "\t", "\n", "\r", "\f"].map(CODE));
const COMMA = CODE(",");
const DOT = CODE(".");

export const isSpace = (code: number): boolean => SPACES.has(code);
export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isSign = (code: number): boolean => code === 43 || code === 45;

/**
 * Reads a text from front to back. Each character read is a step. A failed search is not repeated from the next
 * character: the caller either gives up or continues after it, so that reading stays linear.
 */
export class Scanner {
  readonly source: string;
  readonly steps: WorkBudget;
  at = 0;

  constructor(source: string, steps: WorkBudget) {
    this.source = source;
    this.steps = steps;
  }

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  /** The code of the next character; NaN at the end. */
  peek(ahead = 0): number {
    return this.source.charCodeAt(this.at + ahead);
  }

  skip(count: number): void {
    this.steps.take(count);
    this.at = Math.min(this.source.length, this.at + count);
  }

  /** Reads `text` if it comes next, and returns whether it did. */
  take(text: string): boolean {
    this.steps.take();
    if (!this.source.startsWith(text, this.at)) return false;
    this.skip(text.length);
    return true;
  }

  /** Reads and returns the longest run of accepted characters. */
  takeWhile(isAccepted: (code: number) => boolean): string {
    const from = this.at;
    while (this.at < this.source.length && isAccepted(this.source.charCodeAt(this.at))) this.at += 1;
    this.steps.take(1 + this.at - from);
    return this.source.slice(from, this.at);
  }

  /**
   * Reads up to and including `mark` and returns the text before it. Without a mark, reads the whole text and returns
   * null.
   */
  takeUntil(mark: string): string | null {
    const from = this.at;
    const found = this.source.indexOf(mark, from);
    this.at = found < 0 ? this.source.length : found + mark.length;
    this.steps.take(1 + this.at - from);
    return found < 0 ? null : this.source.slice(from, found);
  }

  /** Skips white space and returns whether there was any. */
  skipSpace(): boolean {
    const from = this.at;
    while (isSpace(this.peek())) this.at += 1;
    this.steps.take(1 + this.at - from);
    return this.at > from;
  }

  skipSeparators(): void {
    const from = this.at;
    while (isSpace(this.peek()) || this.peek() === COMMA) this.at += 1;
    this.steps.take(1 + this.at - from);
  }

  /**
   * Reads a number (SVG 2, 4.2: sign, digits, fraction, exponent). Returns null, and reads nothing, if there is none.
   */
  takeNumber(): number | null {
    const from = this.at;
    let end = isSign(this.peek()) ? from + 1 : from;
    const wholeFrom = end;
    while (isDigit(this.source.charCodeAt(end))) end += 1;
    let digits = end - wholeFrom;
    if (this.source.charCodeAt(end) === DOT) {
      const fractionFrom = end + 1;
      let fractionEnd = fractionFrom;
      while (isDigit(this.source.charCodeAt(fractionEnd))) fractionEnd += 1;
      digits += fractionEnd - fractionFrom;
      if (digits > 0) end = fractionEnd;
    }
    this.steps.take(1 + end - from);
    if (digits === 0) return null;
    end = this.#exponentEnd(end);
    this.at = end;
    return Number(this.source.slice(from, end));
  }

  #exponentEnd(at: number): number {
    if ((this.source.charCodeAt(at) | 32) !== 101) return at;
    let end = isSign(this.source.charCodeAt(at + 1)) ? at + 2 : at + 1;
    const digitsFrom = end;
    while (isDigit(this.source.charCodeAt(end))) end += 1;
    this.steps.take(end - at);
    return end === digitsFrom ? at : end;
  }
}

/** The numbers in a text, with anything between them, read lazily. */
function* numbersIn(text: string, steps: WorkBudget): Generator<number> {
  const scanner = new Scanner(text, steps);
  while (!scanner.isAtEnd) {
    const number = scanner.takeNumber();
    if (number === null) scanner.skip(1);
    else yield number;
  }
}

/** The first numbers in a text, at most `most`; the rest is not read. */
export function firstNumbers(text: string, most: number, steps: WorkBudget): readonly number[] {
  const numbers: number[] = [];
  for (const number of numbersIn(text, steps)) if (numbers.push(number) === most) break;
  return numbers;
}

/** The sum of the absolute values of all numbers in a text; stores none of them. */
export function sumOfNumbers(text: string, steps: WorkBudget): number {
  let sum = 0;
  for (const number of numbersIn(text, steps)) sum += Math.abs(number);
  return sum;
}

/** The distinct parts of a list separated by white space, read until there are `most` of them. */
export function distinctParts(text: string, most: number, steps: WorkBudget): ReadonlySet<string> {
  const scanner = new Scanner(text, steps);
  const parts = new Set<string>();
  scanner.skipSpace();
  while (!scanner.isAtEnd && parts.size < most) {
    parts.add(scanner.takeWhile((code) => !isSpace(code)));
    scanner.skipSpace();
  }
  return parts;
}

/** The first parts of a list separated by white space or commas, at most `most` of them. */
export function separatedParts(text: string, most: number, steps: WorkBudget): readonly string[] {
  const scanner = new Scanner(text, steps);
  const parts: string[] = [];
  scanner.skipSeparators();
  while (!scanner.isAtEnd && parts.length < most) {
    parts.push(scanner.takeWhile((code) => !isSpace(code) && code !== COMMA));
    scanner.skipSeparators();
  }
  return parts;
}
