import {
  ATTRIBUTES,
  DROPPED_ELEMENTS,
  ELEMENTS,
  FORBIDDEN_ELEMENTS,
  PROPERTIES,
  TEXT_ELEMENTS,
} from "./allowlist.ts";
import { CLASSES_MAX } from "./limits.ts";
import { refuse, type SvgRefusal } from "./refusal.ts";
import { type Declarations, matchRules, parseDeclarations, type StyleSheet } from "./style-sheet.ts";
import type { XmlElement } from "./xml.ts";

/** An element of which every part is on the allowlist. */
export interface CleanElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly style: Declarations;
  readonly children: readonly CleanElement[];
}

const FRAGMENT = /^#[^\s#"'()<>&\\]+$/;
/** Bounded everywhere: without an end, each of many openings would be searched through to the end of the value. */
const FUNCTION_URL = /url\s{0,8}\(\s{0,8}(['"]?)([^)'"\s]{0,200})\1\s{0,8}\)/gi;

/** Rebuilds an element and all in it from what is allowed; null when it draws nothing and is left out. */
export function cleanElement(element: XmlElement, sheet: StyleSheet): CleanElement | null | SvgRefusal {
  const name = element.name.startsWith("svg:") ? element.name.slice(4) : element.name;
  if (FORBIDDEN_ELEMENTS.has(name)) return refuse("FORBIDDEN_CONTENT", `The SVG has a <${name}> element.`);
  if (TEXT_ELEMENTS.has(name)) {
    return refuse(
      "UNSUPPORTED",
      "The SVG has live text, which needs fonts that the file does not carry. Convert text to outlines and export again.",
    );
  }
  if (name === "image") {
    return refuse(
      "UNSUPPORTED",
      "The SVG has a bitmap inside. Upload that bitmap itself, or trace it to shapes.",
    );
  }
  // Drawing programs keep notes in namespaces of their own.
  if (name.includes(":") || DROPPED_ELEMENTS.has(name)) return null;
  if (!ELEMENTS.has(name)) {
    return refuse(
      "UNSUPPORTED",
      `The SVG has a <${name.slice(0, 40)}> element, which is not drawn here. Expand it to plain shapes.`,
    );
  }

  const attributes = new Map<string, string>();
  const presented = new Map<string, string>();
  for (const [written, value] of element.attributes) {
    if (/^on/i.test(written))
      return refuse("FORBIDDEN_CONTENT", `The SVG has an event handler (${written.slice(0, 40)}).`);
    const key = written === "xlink:href" ? "href" : written;
    if (key === "href") {
      if (/^\s*(javascript|data|vbscript):/i.test(value)) {
        return refuse("FORBIDDEN_CONTENT", "The SVG has a link that carries code or a document.");
      }
      if (name === "a") continue;
      if (!FRAGMENT.test(value))
        return refuse("FORBIDDEN_CONTENT", "The SVG refers to something outside the file.");
    }
    if (PROPERTIES.has(key)) presented.set(key, value);
    else if (ATTRIBUTES.has(key)) attributes.set(key, value);
  }

  const classes = new Set((element.attributes.get("class") ?? "").split(/\s+/).filter((part) => part !== ""));
  if (classes.size > CLASSES_MAX) {
    return refuse("TOO_LARGE", `An element of the SVG has more than ${CLASSES_MAX} classes.`);
  }
  const matched = matchRules(sheet, name, element.attributes.get("id") ?? null, classes);
  const own = parseDeclarations(element.attributes.get("style") ?? "");
  const style = new Map([...presented, ...matched, ...own]);
  for (const value of [...attributes.values(), ...style.values(), element.attributes.get("style") ?? ""]) {
    if (!isLocal(value)) return refuse("FORBIDDEN_CONTENT", "The SVG refers to something outside the file.");
  }

  const children: CleanElement[] = [];
  for (const child of element.children) {
    const cleaned = cleanElement(child, sheet);
    if (cleaned === null) continue;
    if ("ok" in cleaned) return cleaned;
    children.push(cleaned);
  }
  return { name, attributes, style, children };
}

/** Whether every `url()` of a value points into the file, and no escape could hide one. */
function isLocal(value: string): boolean {
  if (value.includes("\\")) return false;
  const rest = value.replace(FUNCTION_URL, (_, _quote: string, target: string) =>
    FRAGMENT.test(target.trim()) ? "" : "url(",
  );
  return !/url\s*\(|@import|javascript:|expression\s*\(/i.test(rest);
}

/** Ids that an element's style and attributes refer to. */
export function referencesOf(element: CleanElement): readonly string[] {
  const references: string[] = [];
  const href = element.attributes.get("href");
  if (href !== undefined) references.push(href.slice(1));
  for (const value of element.style.values()) references.push(...referencesIn(value));
  return references;
}

/** Ids that a value refers to by `url(#…)`. */
export const referencesIn = (value: string): readonly string[] =>
  [...value.matchAll(FUNCTION_URL)].map((found) => (found[2] ?? "").slice(1));

/** Writes clean elements as markup. */
export function writeElement(element: CleanElement): string {
  let attributes = "";
  for (const [key, value] of element.attributes) {
    attributes += ` ${key === "href" ? "xlink:href" : key}="${escapeText(value)}"`;
  }
  if (element.style.size > 0) {
    const style = [...element.style].map(([property, value]) => `${property}:${value}`).join(";");
    attributes += ` style="${escapeText(style)}"`;
  }
  const name = element.name === "a" ? "g" : element.name;
  return element.children.length === 0
    ? `<${name}${attributes}/>`
    : `<${name}${attributes}>${element.children.map(writeElement).join("")}</${name}>`;
}

function escapeText(value: string): string {
  return value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
