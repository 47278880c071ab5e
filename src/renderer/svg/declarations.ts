import { MARKER_PROPERTIES, PROPERTIES } from "./allowlist.ts";
import { type SvgRefusal, tooLarge, VALUE_CHARACTERS_MAX, type WorkBudget } from "./limits.ts";
import { isSpace, Scanner } from "./scanner.ts";
import { localTargets } from "./url-references.ts";

/** A property's value, and whether it is `!important`. */
export interface Declared {
  readonly value: string;
  readonly isImportant: boolean;
  /** Ids that it refers to; null when it refers outside the file. Read once for a rule, not once for each element. */
  readonly targets: readonly string[] | null;
}

/** Property to value. */
export type Declarations = ReadonlyMap<string, Declared>;

export const VALUE_TOO_LONG = tooLarge(
  `The SVG has a style value of more than ${VALUE_CHARACTERS_MAX} characters. Export it again as plain SVG.`,
);

/** A presentation attribute's value. */
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
