import type { WorkBudget } from "./limits.ts";

/** The prefixes in scope at an element; the default namespace has the prefix "". */
export interface Namespaces {
  readonly own: ReadonlyMap<string, string>;
  readonly outer: Namespaces | null;
}

export const NO_NAMESPACES: Namespaces = { own: new Map(), outer: null };

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";

/** The namespaces inside an element with these attributes. */
export function namespacesWithin(
  outer: Namespaces,
  attributes: ReadonlyMap<string, string>,
  steps: WorkBudget,
): Namespaces {
  let own: Map<string, string> | null = null;
  for (const [key, value] of attributes) {
    steps.take();
    if (key !== "xmlns" && !key.startsWith("xmlns:")) continue;
    own ??= new Map();
    own.set(key.slice("xmlns:".length), value);
  }
  return own === null ? outer : { own, outer };
}

/** Takes one step for each ancestor with declarations, at most DEPTH_MAX. */
function namespaceOf(prefix: string, namespaces: Namespaces, steps: WorkBudget): string | undefined {
  for (let scope: Namespaces | null = namespaces; scope !== null; scope = scope.outer) {
    steps.take();
    const bound = scope.own.get(prefix);
    if (bound !== undefined) return bound;
  }
  return undefined;
}

/** Whether an element belongs to SVG. Files without a declaration are common, also with the prefix `svg:`. */
export function isSvgElement(name: string, namespaces: Namespaces, steps: WorkBudget): boolean {
  const colon = name.indexOf(":");
  const prefix = colon < 0 ? "" : name.slice(0, colon);
  const bound = namespaceOf(prefix, namespaces, steps);
  return bound === SVG || (bound === undefined && (prefix === "" || prefix === "svg")) || bound === "";
}

/** The value of `href` or of XLink's `href` under any prefix; the one without a prefix wins (SVG 2, 16.1.6). */
export function readHref(
  attributes: ReadonlyMap<string, string>,
  namespaces: Namespaces,
  steps: WorkBudget,
): string | undefined {
  const plain = attributes.get("href") ?? attributes.get("xlink:href");
  if (plain !== undefined) return plain;
  for (const [key, value] of attributes) {
    steps.take();
    if (!key.endsWith(":href")) continue;
    if (namespaceOf(key.slice(0, -":href".length), namespaces, steps) === XLINK) return value;
  }
  return undefined;
}
