import { type Declarations, type Declared, hasActiveContent, parseDeclarations } from "./declarations.ts";
import {
  CLASSES_MAX,
  COMPOUND_SELECTORS_MAX,
  forbidden,
  refuse,
  SELECTOR_CHARACTERS_MAX,
  SELECTORS_MAX,
  type SvgRefusal,
  tooLarge,
  unsupported,
  type WorkBudget,
} from "./limits.ts";
import { isDigit, isLetter, Scanner } from "./scanner.ts";

interface Selector {
  readonly element: string | null;
  readonly classes: readonly string[];
  readonly id: string | null;
}

/** A declaration and its rank in the cascade: the higher rank wins. */
interface Ranked {
  readonly declared: Declared;
  readonly rank: number;
}

type RankedDeclarations = Map<string, Ranked>;

interface CompoundRule {
  readonly selector: Selector;
  readonly declarations: RankedDeclarations;
}

/** Rules by their selectors, so that an element is compared only with rules that may match it. */
export interface StyleSheet {
  /** The key is `.class`, `#id`, the element's name, or `*`. */
  readonly simple: ReadonlyMap<string, RankedDeclarations>;
  readonly compound: readonly CompoundRule[];
}

/** Higher than any rank by specificity and order, even that of SELECTORS_MAX ids. */
const IMPORTANT_RANK = 2 ** 40;
const SPECIFICITY_RANK = 2 ** 12;

const CUT = refuse("TRUNCATED", "The SVG's style sheet ends inside a rule.");
const REACHES_OUT = forbidden("The SVG's style sheet refers outside the file.");
const TOO_MANY = tooLarge(
  `The SVG's style sheet has more than ${SELECTORS_MAX} selectors, or ${COMPOUND_SELECTORS_MAX} of several parts. Export with presentation attributes.`,
);
const unsupportedSelector = (selector: string): SvgRefusal =>
  unsupported(
    `The SVG's style sheet has the selector "${selector.trim().slice(0, 40)}". Export with presentation attributes or plain class selectors.`,
  );

/**
 * Reads the style sheets that drawing programs write: rules of element, class and id selectors. Drops properties that
 * do not affect drawing. Rejects at-rules and selectors that depend on other elements, because dropping them would
 * change the picture. Counts selectors while reading.
 */
export function parseStyleSheet(
  css: string,
  steps: WorkBudget,
): { readonly ok: true; readonly sheet: StyleSheet } | SvgRefusal {
  const source = withoutComments(css, steps);
  if (hasActiveContent(source, steps)) return REACHES_OUT;
  const reader = new SheetReader(source, steps);
  const refusal = reader.read();
  return refusal ?? { ok: true, sheet: reader };
}

/** Removes comments. An unterminated comment extends to the end of the sheet (CSS Syntax 3, 4.3.2). */
function withoutComments(css: string, steps: WorkBudget): string {
  const scanner = new Scanner(css, steps);
  const kept: string[] = [];
  for (let from = 0; ; from = scanner.at) {
    const before = scanner.takeUntil("/*");
    kept.push(before ?? css.slice(from));
    if (before === null || scanner.takeUntil("*/") === null) return kept.join(" ");
  }
}

class SheetReader implements StyleSheet {
  readonly simple = new Map<string, RankedDeclarations>();
  readonly compound: CompoundRule[] = [];
  readonly #scanner: Scanner;
  #selectors = 0;
  #compoundSelectors = 0;
  #rules = 0;

  constructor(source: string, steps: WorkBudget) {
    this.#scanner = new Scanner(source, steps);
  }

  read(): SvgRefusal | null {
    const scanner = this.#scanner;
    for (;;) {
      scanner.skipSpace();
      if (scanner.isAtEnd) return null;
      // Style sheets may be wrapped in an HTML comment.
      if (scanner.take("<!--") || scanner.take("-->")) continue;
      const refusal = scanner.take("@") ? this.#readAtRule() : this.#readRule();
      if (refusal !== null) return refusal;
    }
  }

  /** Skips fonts (a picture has no text), the charset and the namespace; rejects other at-rules. */
  #readAtRule(): SvgRefusal | null {
    const scanner = this.#scanner;
    const name = scanner.takeWhile((code) => isLetter(code) || code === HYPHEN);
    scanner.skipSpace();
    if (name === "charset" || name === "namespace") {
      scanner.takeUntil(";");
      return null;
    }
    if (name !== "font-face" || !scanner.take("{")) return unsupportedSelector(`@${name}`);
    return scanner.takeUntil("}") === null ? CUT : null;
  }

  #readRule(): SvgRefusal | null {
    const scanner = this.#scanner;
    const selectors: Selector[] = [];
    do {
      const written = scanner.takeWhile((code) => code !== COMMA && code !== OPENING);
      // A selector without a block is not a rule.
      if (scanner.isAtEnd) return null;
      const selector = readSelector(written, scanner.steps);
      if (selector === null) return unsupportedSelector(written);
      this.#selectors += 1;
      this.#compoundSelectors += keyOf(selector) === null ? 1 : 0;
      if (this.#selectors > SELECTORS_MAX || this.#compoundSelectors > COMPOUND_SELECTORS_MAX)
        return TOO_MANY;
      selectors.push(selector);
    } while (scanner.take(","));
    scanner.take("{");
    const body = scanner.takeUntil("}");
    if (body === null) return CUT;
    const declarations = parseDeclarations(body, scanner.steps);
    if ("ok" in declarations) return declarations;
    this.#rules += 1;
    for (const selector of selectors) this.#add(selector, declarations);
    return null;
  }

  #add(selector: Selector, declarations: Declarations): void {
    const rank = specificityOf(selector) * SPECIFICITY_RANK + this.#rules;
    const key = keyOf(selector);
    const known = key === null ? undefined : this.simple.get(key);
    const ranked: RankedDeclarations = known ?? new Map();
    if (key === null) this.compound.push({ selector, declarations: ranked });
    else this.simple.set(key, ranked);
    for (const [property, declared] of declarations) {
      this.#scanner.steps.take();
      setHigher(ranked, property, { declared, rank: rank + (declared.isImportant ? IMPORTANT_RANK : 0) });
    }
  }
}

const HYPHEN = "-".charCodeAt(0);
const COMMA = ",".charCodeAt(0);
const OPENING = "{".charCodeAt(0);

function setHigher(ranked: RankedDeclarations, property: string, next: Ranked): void {
  const before = ranked.get(property);
  if (before === undefined || before.rank <= next.rank) ranked.set(property, next);
}

const specificityOf = ({ element, classes, id }: Selector): number =>
  (id === null ? 0 : 10_000) + classes.length * 100 + (element === null ? 0 : 1);

/** The key of a selector with one part in `simple`; null for several parts. */
function keyOf({ element, classes, id }: Selector): string | null {
  const parts = (element === null ? 0 : 1) + classes.length + (id === null ? 0 : 1);
  if (parts > 1) return null;
  if (id !== null) return `#${id}`;
  return classes[0] === undefined ? (element ?? "*") : `.${classes[0]}`;
}

const isIdentifier = (code: number): boolean =>
  isLetter(code) || isDigit(code) || code === HYPHEN || code === 95 || code >= 0x80;

/** Null for a selector of another kind. */
function readSelector(written: string, steps: WorkBudget): Selector | null {
  if (written.length > SELECTOR_CHARACTERS_MAX) return null;
  const scanner = new Scanner(written.trim(), steps);
  if (scanner.isAtEnd) return null;
  const name = scanner.takeWhile(isIdentifier);
  const isUniversal = name === "" && scanner.take("*");
  const classes: string[] = [];
  let id: string | null = null;
  while (!scanner.isAtEnd) {
    const isClass = scanner.take(".");
    if (!isClass && (!scanner.take("#") || id !== null)) return null;
    const part = scanner.takeWhile(isIdentifier);
    if (part === "" || isDigit(part.charCodeAt(0))) return null;
    if (isClass) classes.push(part);
    else id = part;
  }
  if (classes.length > CLASSES_MAX) return null;
  return { element: isUniversal || name === "" ? null : name, classes, id };
}

/** The cascaded declarations of one element: for each property, the declaration of the highest rank. */
export function matchRules(
  { simple, compound }: StyleSheet,
  element: string,
  id: string | null,
  classes: ReadonlySet<string>,
  steps: WorkBudget,
): ReadonlyMap<string, Declared> {
  const merged: RankedDeclarations = new Map();
  const merge = (declarations: RankedDeclarations | undefined): void => {
    steps.take();
    if (declarations === undefined) return;
    for (const [property, ranked] of declarations) {
      steps.take();
      setHigher(merged, property, ranked);
    }
  };
  merge(simple.get("*"));
  merge(simple.get(element));
  for (const name of classes) merge(simple.get(`.${name}`));
  if (id !== null) merge(simple.get(`#${id}`));
  for (const { selector, declarations } of compound) {
    steps.take(1 + selector.classes.length);
    if (selector.element !== null && selector.element !== element) continue;
    if (selector.id !== null && selector.id !== id) continue;
    if (selector.classes.every((name) => classes.has(name))) merge(declarations);
  }
  return new Map([...merged].map(([property, { declared }]) => [property, declared]));
}
