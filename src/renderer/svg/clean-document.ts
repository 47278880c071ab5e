import { CONTAINERS, DEFINITIONS, DROPPED_ELEMENTS, TEXT_ELEMENTS } from "./allowlist.ts";
import { type CleanElement, type CleanParts, cleanParts, refuseElement } from "./clean-element.ts";
import {
  refuse,
  type SvgRefusal,
  tooLarge,
  unsupported,
  type WorkBudget,
  WRITTEN_CHARACTERS_MAX,
} from "./limits.ts";
import { separatedParts } from "./scanner.ts";
import type { StyleSheet } from "./style-sheet.ts";
import type { XmlElement } from "./xml.ts";

export interface CleanDocument {
  readonly root: CleanElement;
  /** In document order: an element comes after its parent. */
  readonly elements: readonly CleanElement[];
  /** The first element with an id. */
  readonly byId: ReadonlyMap<string, CleanElement>;
}

interface Building extends CleanElement {
  readonly children: CleanElement[];
}

interface Frame {
  readonly children: readonly XmlElement[];
  next: number;
  readonly into: CleanElement[];
  /** The child of a switch that is drawn; undefined outside of switches. */
  readonly chosen: XmlElement | null | undefined;
  /** False inside an element that is not drawn: only definitions are kept there. */
  readonly isDrawn: boolean;
}

/** Rebuilds a picture from allowlisted elements; `root` is its `<svg>`. */
export function cleanDocument(
  root: XmlElement,
  sheet: StyleSheet,
  steps: WorkBudget,
): { readonly ok: true; readonly document: CleanDocument } | SvgRefusal {
  return new Cleaner(sheet, steps).clean(root);
}

class Cleaner {
  readonly #sheet: StyleSheet;
  readonly #steps: WorkBudget;
  readonly #elements: CleanElement[] = [];
  readonly #byId = new Map<string, CleanElement>();
  readonly #markerIds = new Set<string>();
  readonly #markersUsed = new Set<string>();
  #charactersLeft = WRITTEN_CHARACTERS_MAX;

  constructor(sheet: StyleSheet, steps: WorkBudget) {
    this.#sheet = sheet;
    this.#steps = steps;
  }

  clean(root: XmlElement): { readonly ok: true; readonly document: CleanDocument } | SvgRefusal {
    const made: CleanElement[] = [];
    const stack: Frame[] = [{ children: [root], next: 0, into: made, chosen: root, isDrawn: true }];
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const child = frame.children[frame.next];
      frame.next += 1;
      if (child === undefined) {
        stack.pop();
        continue;
      }
      const inner = this.#visit(child, frame);
      if (inner === null) continue;
      if ("ok" in inner) return inner;
      stack.push(inner);
    }
    for (const id of this.#markersUsed) {
      if (this.#markerIds.has(id)) {
        return unsupported(
          "The SVG puts markers (arrowheads) on its lines. Expand them to plain shapes and export again.",
        );
      }
    }
    const [document] = made;
    if (document === undefined) return refuse("EMPTY", "The SVG draws nothing.");
    return { ok: true, document: { root: document, elements: this.#elements, byId: this.#byId } };
  }

  /** Cleans an element and adds it to its parent. Returns the frame of its children; null when they are not visited. */
  #visit(element: XmlElement, frame: Frame): Frame | SvgRefusal | null {
    this.#steps.take();
    const { name } = element;
    if (DROPPED_ELEMENTS.has(name) || (TEXT_ELEMENTS.has(name) && !element.hasWords)) return null;
    if (name === "marker") {
      const id = element.attributes.get("id");
      if (id !== undefined && element.children.length > 0) this.#markerIds.add(id);
      return null;
    }
    if (!this.#isShown(element, frame)) return this.#hide(element, frame);
    const refusal = refuseElement(element);
    if (refusal !== null) return refusal;
    const parts = cleanParts(element, this.#sheet, this.#steps);
    if ("ok" in parts) return parts;
    for (const id of parts.markers) this.#markersUsed.add(id);
    const clean = this.#add(parts, frame);
    if (clean === null) {
      return tooLarge(
        "The SVG's style sheet adds too much to its elements. Export with presentation attributes.",
      );
    }
    const chosen = name === "switch" ? chosenOf(element, this.#steps) : undefined;
    return { children: element.children, next: 0, into: clean.children, chosen, isDrawn: true };
  }

  #isShown(element: XmlElement, { chosen, isDrawn }: Frame): boolean {
    if (DEFINITIONS.has(element.name)) return true;
    if (!isDrawn) return false;
    return chosen === undefined ? passesConditions(element, this.#steps) : element === chosen;
  }

  /** Keeps the definitions of an element that is not drawn. Rejects a script even here. */
  #hide(element: XmlElement, frame: Frame): Frame | SvgRefusal | null {
    if (element.name === "script") return refuseElement(element);
    if (!CONTAINERS.has(element.name)) return null;
    const into = frame.isDrawn ? this.#add(EMPTY_DEFINITIONS, frame)?.children : frame.into;
    if (into === undefined) return null;
    return { children: element.children, next: 0, into, chosen: undefined, isDrawn: false };
  }

  /** Adds an element to its parent. Null when the document would exceed WRITTEN_CHARACTERS_MAX. */
  #add(parts: CleanParts, frame: Frame): Building | null {
    const { name, attributes, style, targets } = parts;
    const characters = charactersOf(parts);
    this.#charactersLeft -= characters;
    if (this.#charactersLeft < 0) return null;
    const clean: Building = { name, attributes, style, targets, children: [], characters };
    frame.into.push(clean);
    this.#elements.push(clean);
    const id = attributes.get("id");
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, clean);
    return clean;
  }
}

const EMPTY_DEFINITIONS: CleanParts = {
  name: "defs",
  attributes: new Map(),
  style: new Map(),
  targets: new Map(),
  markers: [],
};

/** Characters that `serialiseElements` writes for an element: start tag, end tag, and the quotes around each value. */
function charactersOf({ name, attributes, style }: CleanParts): number {
  let characters = 2 * name.length + "<></>".length;
  for (const [key, value] of attributes) characters += key.length + value.length + '="" xlink:'.length;
  for (const [key, value] of style) characters += key.length + value.length + ":;".length;
  return characters;
}

/** Maximum number of languages read from a condition. */
const LANGUAGES_MAX = 64;

/**
 * Conditional processing (SVG 2, 5.8): no extension is supported, and the language is English, as in the rasteriser.
 * `requiredFeatures` of SVG 1.1 has no effect in SVG 2.
 */
function passesConditions({ attributes }: XmlElement, steps: WorkBudget): boolean {
  if (attributes.has("requiredExtensions")) return false;
  const languages = attributes.get("systemLanguage");
  if (languages === undefined) return true;
  return separatedParts(languages, LANGUAGES_MAX, steps).some((written) => {
    const language = written.toLowerCase();
    return language === "en" || language.startsWith("en-");
  });
}

/**
 * The single child of a `<switch>` that is drawn: the first whose conditions pass. Foreign content is chosen only when
 * no other child passes, because later children are the fallback for viewers that cannot show it.
 */
function chosenOf(element: XmlElement, steps: WorkBudget): XmlElement | null {
  let foreign: XmlElement | null = null;
  for (const child of element.children) {
    steps.take();
    if (DEFINITIONS.has(child.name) || DROPPED_ELEMENTS.has(child.name) || child.name === "marker") continue;
    if (!passesConditions(child, steps)) continue;
    if (child.name !== "foreignObject") return child;
    foreign ??= child;
  }
  return foreign;
}
