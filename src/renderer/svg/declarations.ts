import { MARKER_PROPERTIES, PROPERTIES } from "./allowlist.ts";
import { type SvgRefusal, tooLarge, VALUE_CHARACTERS_MAX, type WorkBudget } from "./limits.ts";
import { isSpace, Scanner } from "./scanner.ts";

/** A property's value, and whether it is `!important`. */
export interface Declared {
  readonly value: string;
  readonly isImportant: boolean;
  /**
   * Ids that the value references; null when it refers outside the file. Stored, so that a rule is read only once, not
   * for each element.
   */
  readonly targets: readonly string[] | null;
}

/** Property to value. */
export type Declarations = ReadonlyMap<string, Declared>;

export const VALUE_TOO_LONG = tooLarge(
  `The SVG has a style value of more than ${VALUE_CHARACTERS_MAX} characters. Export it again as plain SVG.`,
);

export const declaredBy = (value: string, steps: WorkBudget): Declared => ({
  value,
  isImportant: false,
  targets: localTargets(value, steps),
});

/** Whether a property affects drawing. */
export const isKept = (property: string): boolean =>
  PROPERTIES.has(property) || MARKER_PROPERTIES.has(property);

/** Reads `property: value; …`; keeps the properties that affect drawing, the last value of each. */
export function parseDeclarations(text: string, steps: WorkBudget): Declarations | SvgRefusal {
  const scanner = new Scanner(text, steps);
  const declarations = new Map<string, Declared>();
  while (!scanner.isAtEnd) {
    scanner.takeWhile((code) => isSpace(code) || code === SEMICOLON);
    const property = scanner.takeWhile((code) => code !== COLON && code !== SEMICOLON).trim();
    if (!scanner.take(":")) continue;
    const written = scanner.takeWhile((code) => code !== SEMICOLON);
    if (!isKept(property)) continue;
    const { value, isImportant } = withoutImportance(written, steps);
    if (value.length > VALUE_CHARACTERS_MAX) return VALUE_TOO_LONG;
    if (value === "" || (declarations.get(property)?.isImportant && !isImportant)) continue;
    declarations.set(property, { value, isImportant, targets: localTargets(value, steps) });
  }
  return declarations;
}

const COLON = ":".charCodeAt(0);
const SEMICOLON = ";".charCodeAt(0);

function withoutImportance(written: string, steps: WorkBudget): Omit<Declared, "targets"> {
  steps.take(2 * written.length);
  const mark = written.lastIndexOf("!");
  if (mark < 0 || written.slice(mark + 1).trim() !== "important") {
    return { value: written.trim(), isImportant: false };
  }
  return { value: written.slice(0, mark).trim(), isImportant: true };
}

const BACKSLASH = "\\".charCodeAt(0);
const HASH = "#".charCodeAt(0);
const isU = (code: number): boolean => (code | 32) === 117;
/** Characters that end an address, or that a reference inside the file cannot contain. */
const NOT_IN_TARGETS: ReadonlySet<number> = new Set([..."\"'()<>&\\"].map((mark) => mark.charCodeAt(0)));
const isInTarget = (code: number): boolean => !isSpace(code) && !NOT_IN_TARGETS.has(code);

/** Whether an address refers to an element of the same file: `#` and its id. */
export function isFragment(address: string, steps: WorkBudget): boolean {
  const scanner = new Scanner(address, steps);
  if (scanner.peek() !== HASH || address.length < 2) return false;
  scanner.skip(1);
  scanner.takeWhile((code) => isInTarget(code) && code !== HASH);
  return scanner.isAtEnd;
}

/** Whether an address is a script or an inline document (`javascript:`, `data:`). */
export function isScriptOrDataUrl(address: string, steps: WorkBudget): boolean {
  steps.take(address.length);
  const start = address.trimStart().slice(0, "javascript:".length).toLowerCase();
  return ["javascript:", "data:", "vbscript:"].some((scheme) => start.startsWith(scheme));
}

/** Ids that a value references by `url(#…)`; null when it refers outside the file, or an escape may hide that. */
export function localTargets(value: string, steps: WorkBudget): readonly string[] | null {
  if (hasActiveContent(value, steps)) return null;
  const scanner = new Scanner(value, steps);
  const targets: string[] = [];
  for (;;) {
    scanner.takeWhile((code) => !isU(code) && code !== BACKSLASH);
    if (scanner.isAtEnd) return targets;
    if (scanner.peek() === BACKSLASH) return null;
    const isUrl = value.slice(scanner.at, scanner.at + 3).toLowerCase() === "url";
    scanner.skip(isUrl ? 3 : 1);
    if (!isUrl) continue;
    scanner.skipSpace();
    if (!scanner.take("(")) continue;
    const target = takeTarget(scanner);
    if (target === null || !isFragment(target, steps)) return null;
    targets.push(target.slice(1));
  }
}

/** The address in the brackets of `url()`, with or without quotes; null when they do not close. */
function takeTarget(scanner: Scanner): string | null {
  scanner.skipSpace();
  const quote = scanner.take('"') ? '"' : scanner.take("'") ? "'" : "";
  scanner.skipSpace();
  const target = scanner.takeWhile(isInTarget);
  scanner.skipSpace();
  if (quote !== "" && !scanner.take(quote)) return null;
  scanner.skipSpace();
  return scanner.take(")") ? target : null;
}

/** Whether a style sheet has something that browsers execute or fetch, or did in the past. */
export function hasActiveContent(css: string, steps: WorkBudget): boolean {
  steps.take(4 * css.length);
  const lower = css.toLowerCase();
  return (
    lower.includes("@import") ||
    lower.includes("javascript:") ||
    lower.includes("-moz-binding") ||
    isFollowed(lower, "expression", "(", steps) ||
    isFollowed(lower, "behavior", ":", steps)
  );
}

function isFollowed(text: string, word: string, mark: string, steps: WorkBudget): boolean {
  const scanner = new Scanner(text, steps);
  while (scanner.takeUntil(word) !== null) {
    scanner.skipSpace();
    if (scanner.take(mark)) return true;
  }
  return false;
}
