import { ATTRIBUTES, ELEMENTS, FORBIDDEN_ELEMENTS, MARKER_PROPERTIES, TEXT_ELEMENTS } from "./allowlist.ts";
import {
  type Declared,
  declaredBy,
  isFragment,
  isKept,
  isScriptOrDataUrl,
  localTargets,
  parseDeclarations,
  VALUE_TOO_LONG,
} from "./declarations.ts";
import {
  CLASSES_MAX,
  forbidden,
  type SvgRefusal,
  tooLarge,
  unsupported,
  VALUE_CHARACTERS_MAX,
  type WorkBudget,
} from "./limits.ts";
import { distinctParts } from "./scanner.ts";
import { matchRules, type StyleSheet } from "./style-sheet.ts";
import type { XmlElement } from "./xml.ts";

/** An element whose parts are all on the allowlist. */
export interface CleanElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly style: ReadonlyMap<string, string>;
  readonly children: readonly CleanElement[];
  /** Ids that its style references, by property. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  /** Length of the element's markup, without its children. */
  readonly characters: number;
}

/** An element's own parts, without its children. */
export interface CleanParts extends Omit<CleanElement, "children" | "characters"> {
  /** Ids of the markers that it uses. */
  readonly markers: readonly string[];
}

const OUTSIDE = forbidden("The SVG refers to something outside the file.");

/** Rejects an element by its name; null when its name is allowed. */
export function refuseElement(element: XmlElement): SvgRefusal | null {
  const { name } = element;
  if (FORBIDDEN_ELEMENTS.has(name)) return forbidden(`The SVG has a <${name}> element.`);
  if (TEXT_ELEMENTS.has(name)) {
    return unsupported(
      `The SVG has a <${name}> element: live text needs a font that the file does not carry. Convert the text to outlines (Illustrator: Type > Create Outlines; Inkscape: Path > Object to Path; Figma: "Outline text" in the export settings) and export again.`,
    );
  }
  if (name === "image") {
    return unsupported("The SVG has a bitmap inside. Upload that bitmap itself, or trace it to shapes.");
  }
  if (ELEMENTS.has(name) || name === "switch") return null;
  return unsupported(
    `The SVG has a <${name.slice(0, 40)}> element, which is not drawn here. Expand it to plain shapes.`,
  );
}

/** The allowlisted attributes of an element, and its cascaded style. */
export function cleanParts(
  element: XmlElement,
  sheet: StyleSheet,
  steps: WorkBudget,
): CleanParts | SvgRefusal {
  const attributes = new Map<string, string>();
  const declared = new Map<string, Declared>();
  for (const [key, value] of element.attributes) {
    steps.take();
    if (key.slice(0, 2).toLowerCase() === "on") {
      return forbidden(`The SVG has an event handler (${key.slice(0, 40)}).`);
    }
    if (key === "href") {
      if (isScriptOrDataUrl(value, steps)) {
        return forbidden("The SVG has a link that carries code or a document.");
      }
      if (element.name === "a") continue;
      if (!isFragment(value, steps)) return OUTSIDE;
    }
    if (isKept(key)) {
      if (value.length > VALUE_CHARACTERS_MAX) return VALUE_TOO_LONG;
      declared.set(key, declaredBy(value, steps));
    } else if (ATTRIBUTES.has(key)) {
      if (localTargets(value, steps) === null) return OUTSIDE;
      attributes.set(key, value);
    }
  }
  const refusal = applyStyles(element, sheet, declared, steps);
  if (refusal !== null) return refusal;

  const style = new Map<string, string>();
  const targets = new Map<string, readonly string[]>();
  const markers: string[] = [];
  for (const [property, { value, targets: found }] of declared) {
    steps.take();
    if (found === null) return OUTSIDE;
    if (MARKER_PROPERTIES.has(property)) markers.push(...found);
    else {
      style.set(property, value);
      if (found.length > 0) targets.set(property, found);
    }
  }
  // Conditions are already resolved: a switch has a single child.
  const name = element.name === "switch" || element.name === "a" ? "g" : element.name;
  return { name, attributes, style, targets, markers };
}

/**
 * Adds the declarations of the style sheet and of the element's own `style` to its presentation attributes (SVG 2,
 * 6.7).
 */
function applyStyles(
  element: XmlElement,
  sheet: StyleSheet,
  declared: Map<string, Declared>,
  steps: WorkBudget,
): SvgRefusal | null {
  const classes = distinctParts(element.attributes.get("class") ?? "", CLASSES_MAX + 1, steps);
  if (classes.size > CLASSES_MAX) {
    return tooLarge(`An element of the SVG has more than ${CLASSES_MAX} classes.`);
  }
  const id = element.attributes.get("id") ?? null;
  const matched = matchRules(sheet, element.name, id, classes, steps);
  for (const [property, found] of matched) declared.set(property, found);
  const written = element.attributes.get("style") ?? "";
  if (localTargets(written, steps) === null) return OUTSIDE;
  const own = parseDeclarations(written, steps);
  if ("ok" in own) return own;
  for (const [property, found] of own) {
    if (overrides(matched.get(property), found)) declared.set(property, found);
  }
  return null;
}

/** An element's own `style` wins, unless the sheet's declaration is `!important` (CSS Cascade). */
const overrides = (matched: Declared | undefined, own: Declared): boolean =>
  matched === undefined || own.isImportant || !matched.isImportant;

/** Properties that give an element its own layer, each with the value that has no effect. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  opacity: "1",
  mask: "none",
  "clip-path": "none",
  filter: "none",
  "mix-blend-mode": "normal",
  isolation: "auto",
};

/** Whether an element's style sets the property to a value that has an effect. */
export const hasEffect = ({ style }: CleanElement, property: string): boolean =>
  (style.get(property) ?? WITHOUT_EFFECT[property]) !== WITHOUT_EFFECT[property];

/** Whether an element's style gives it its own layer. */
export const needsLayer = (element: CleanElement): boolean =>
  Object.keys(WITHOUT_EFFECT).some((property) => hasEffect(element, property));
