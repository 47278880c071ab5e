import type { CleanDocument } from "./clean-document.ts";
import type { CleanElement } from "./clean-element.ts";
import { DRAWN_CHARACTERS_MAX, DRAWN_ELEMENTS_MAX, FILTERS_MAX, LAYERS_MAX } from "./limits.ts";
import type { WorkBudget } from "./work-budget.ts";

/** What drawing an element takes, with everything it refers to. Numbers that could overflow stop past their limits. */
export interface ReferenceCost {
  readonly elements: number;
  readonly characters: number;
  /** Elements inside one another, the element itself included. */
  readonly depth: number;
  readonly layers: number;
  readonly layerDepth: number;
  readonly filters: number;
}

/** An element that is being measured, and what its parts came to so far. */
interface Frame {
  readonly element: CleanElement;
  readonly parts: readonly CleanElement[];
  next: number;
  elements: number;
  characters: number;
  depth: number;
  layers: number;
  layerDepth: number;
  filters: number;
}

/** Properties that make an element draw on a layer of its own unless they say so little. */
const LAYERING: Readonly<Record<string, string>> = {
  opacity: "1",
  mask: "none",
  "clip-path": "none",
  filter: "none",
  "mix-blend-mode": "normal",
  isolation: "auto",
};

/**
 * Measures a picture with every reference followed. Each element is measured once, however often it is used, and
 * the stack is a list: a chain of references may be as long as the file. Null when an element reaches itself.
 */
export function measureReferences({ root, byId }: CleanDocument, steps: WorkBudget): ReferenceCost | null {
  const known = new Map<CleanElement, ReferenceCost>();
  const inProgress = new Set<CleanElement>([root]);
  const stack: Frame[] = [frameOf(root, byId, steps)];
  let cost: ReferenceCost | null = null;
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    steps.take();
    const part = frame.parts[frame.next];
    if (part === undefined) {
      cost = costOf(frame);
      known.set(frame.element, cost);
      inProgress.delete(frame.element);
      stack.pop();
      continue;
    }
    const measured = known.get(part);
    if (measured !== undefined) {
      add(frame, measured);
      frame.next += 1;
    } else {
      if (inProgress.has(part)) return null;
      inProgress.add(part);
      stack.push(frameOf(part, byId, steps));
    }
  }
  return cost;
}

function frameOf(element: CleanElement, byId: ReadonlyMap<string, CleanElement>, steps: WorkBudget): Frame {
  const parts = [...element.children];
  const refer = (id: string): void => {
    const target = byId.get(id);
    if (target !== undefined) parts.push(target);
  };
  const href = element.attributes.get("href");
  if (href !== undefined) refer(href.slice(1));
  for (const ids of element.targets.values()) for (const id of ids) refer(id);
  steps.take(1 + parts.length);
  return {
    element,
    parts,
    next: 0,
    elements: 0,
    characters: 0,
    depth: 0,
    layers: 0,
    layerDepth: 0,
    filters: 0,
  };
}

/** One past a limit is enough to know; the exact number does not matter, and must not overflow. */
function add(frame: Frame, part: ReferenceCost): void {
  frame.elements = Math.min(frame.elements + part.elements, DRAWN_ELEMENTS_MAX + 1);
  frame.characters = Math.min(frame.characters + part.characters, DRAWN_CHARACTERS_MAX + 1);
  frame.layers = Math.min(frame.layers + part.layers, LAYERS_MAX + 1);
  frame.filters = Math.min(frame.filters + part.filters, FILTERS_MAX + 1);
  frame.depth = Math.max(frame.depth, part.depth);
  frame.layerDepth = Math.max(frame.layerDepth, part.layerDepth);
}

function costOf(frame: Frame): ReferenceCost {
  const { element } = frame;
  const layers = makesLayer(element) ? 1 : 0;
  const isFiltered = (element.style.get("filter") ?? "none") !== "none";
  return {
    elements: frame.elements + 1,
    characters: frame.characters + element.characters,
    depth: frame.depth + 1,
    layers: frame.layers + layers,
    layerDepth: frame.layerDepth + layers,
    filters: frame.filters + (isFiltered ? 1 : 0),
  };
}

const makesLayer = ({ name, style }: CleanElement): boolean =>
  name === "pattern" ||
  name === "mask" ||
  Object.entries(LAYERING).some(([property, idle]) => (style.get(property) ?? idle) !== idle);
