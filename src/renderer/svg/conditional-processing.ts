import { DEFINITIONS, DROPPED_ELEMENTS } from "./allowlist.ts";
import { separatedParts } from "./scanner.ts";
import type { WorkBudget } from "./work-budget.ts";
import type { XmlElement } from "./xml.ts";

/** Languages of a condition that are read. */
const LANGUAGES_MAX = 64;

/**
 * Conditional processing (SVG 2, 5.8): no extension is supported, and the language is English, as in the rasteriser.
 * `requiredFeatures` of SVG 1.1 has no effect in SVG 2.
 */
export function passesConditions({ attributes }: XmlElement, steps: WorkBudget): boolean {
  if (attributes.has("requiredExtensions")) return false;
  const languages = attributes.get("systemLanguage");
  if (languages === undefined) return true;
  return separatedParts(languages, LANGUAGES_MAX, steps).some((written) => {
    const language = written.toLowerCase();
    return language === "en" || language.startsWith("en-");
  });
}

/**
 * The one child of a `<switch>` that is drawn: the first whose conditions pass. Foreign content is chosen only when no
 * other child passes: those after it are the fallback for viewers that cannot show it.
 */
export function chosenOf(element: XmlElement, steps: WorkBudget): XmlElement | null {
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
