import { PROPERTIES } from "./allowlist.ts";
import { CLASSES_MAX, STYLE_RULES_MAX } from "./limits.ts";
import { refuse, type SvgRefusal } from "./refusal.ts";

/** Property to value. */
export type Declarations = ReadonlyMap<string, string>;

interface Rule {
  readonly element: string | null;
  readonly classes: readonly string[];
  readonly id: string | null;
  readonly specificity: number;
  readonly declarations: Declarations;
}

export type StyleSheet = readonly Rule[];

const SELECTOR = /^(\*|[A-Za-z][A-Za-z0-9]*)?((?:[.#][A-Za-z_-][A-Za-z0-9_-]*)*)$/;

/**
 * Reads the style sheets that drawing programs write: rules of element, class and id selectors.
 * Properties that do not bear on drawing are left out; at-rules and selectors that look at other
 * elements are refused, since leaving them out would change the picture.
 */
export function parseStyleSheet(css: string): { readonly ok: true; readonly rules: StyleSheet } | SvgRefusal {
  const source = css.replace(/\/\*[\s\S]*?\*\//g, " ").replace(/<!--|-->/g, " ");
  if (/@import|javascript:|expression\s*\(|-moz-binding|behavior\s*:/i.test(source)) {
    return refuse("FORBIDDEN_CONTENT", "The SVG's style sheet refers outside the file.");
  }
  const rules: Rule[] = [];
  let at = 0;
  while (at < source.length) {
    const brace = source.indexOf("{", at);
    if (brace < 0) break;
    const end = source.indexOf("}", brace);
    if (end < 0) return refuse("TRUNCATED", "The SVG's style sheet ends inside a rule.");
    const selectors = source.slice(at, brace);
    // Text has no place in the picture, so neither have its fonts.
    if (/^\s*@font-face\s*$/.test(selectors)) {
      at = end + 1;
      continue;
    }
    const declarations = parseDeclarations(source.slice(brace + 1, end));
    for (const selector of selectors.split(",")) {
      const rule = readSelector(selector.trim(), declarations);
      if (rule === null) {
        return refuse(
          "UNSUPPORTED",
          `The SVG's style sheet has the selector "${selector.trim().slice(0, 40)}". Export with presentation attributes or plain class selectors.`,
        );
      }
      rules.push(rule);
    }
    if (rules.length > STYLE_RULES_MAX)
      return refuse("TOO_LARGE", "The SVG's style sheet has too many rules.");
    at = end + 1;
  }
  // The sort is stable: of equal specificity the later wins.
  return { ok: true, rules: rules.sort((a, b) => a.specificity - b.specificity) };
}

function readSelector(selector: string, declarations: Declarations): Rule | null {
  const found = SELECTOR.exec(selector);
  if (found === null || selector === "") return null;
  const parts = (found[2] ?? "").match(/[.#][^.#]+/g) ?? [];
  const classes = parts.filter((part) => part.startsWith(".")).map((part) => part.slice(1));
  const ids = parts.filter((part) => part.startsWith("#")).map((part) => part.slice(1));
  if (ids.length > 1 || classes.length > CLASSES_MAX) return null;
  const element = found[1] === undefined || found[1] === "*" ? null : found[1];
  const specificity = ids.length * 10_000 + classes.length * 100 + (element === null ? 0 : 1);
  return { element, classes, id: ids[0] ?? null, specificity, declarations };
}

/** Reads `property: value; …`; keeps allowlisted properties. */
export function parseDeclarations(text: string): Declarations {
  const declarations = new Map<string, string>();
  for (const part of text.split(";")) {
    const colon = part.indexOf(":");
    if (colon < 0) continue;
    const property = part.slice(0, colon).trim();
    const value = part
      .slice(colon + 1)
      .replace(/!\s*important/, "")
      .trim();
    if (PROPERTIES.has(property) && value !== "") declarations.set(property, value);
  }
  return declarations;
}

/** What the sheet says of one element, weakest rule first. */
export function matchRules(
  sheet: StyleSheet,
  element: string,
  id: string | null,
  classes: ReadonlySet<string>,
): Declarations {
  const merged = new Map<string, string>();
  for (const rule of sheet) {
    if (rule.element !== null && rule.element !== element) continue;
    if (rule.id !== null && rule.id !== id) continue;
    if (!rule.classes.every((name) => classes.has(name))) continue;
    for (const [property, value] of rule.declarations) merged.set(property, value);
  }
  return merged;
}
