import type { CleanDocument } from "./clean-document.ts";
import { type CleanElement, needsLayer } from "./clean-element.ts";
import { DRAWN_CHARACTERS_MAX, DRAWN_ELEMENTS_MAX, LAYERS_MAX, type WorkBudget } from "./limits.ts";

/** The cost of drawing an element with everything it refers to. Counts that could overflow stop past their limits. */
export interface ReferenceCost {
  readonly elements: number;
  readonly characters: number;
  /** Elements inside one another, the element itself included. */
  readonly depth: number;
  readonly layers: number;
  readonly layerDepth: number;
}

/** An element that is being measured, and the cost of its parts so far. */
interface Frame {
  readonly element: CleanElement;
  readonly parts: readonly CleanElement[];
  next: number;
  readonly cost: { -readonly [Name in keyof ReferenceCost]: number };
}

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
  const cost = { elements: 0, characters: 0, depth: 0, layers: 0, layerDepth: 0 };
  return { element, parts, next: 0, cost };
}

/** Counts stop one past their limit: that is enough to refuse the picture, and cannot overflow. */
function add({ cost }: Frame, part: ReferenceCost): void {
  cost.elements = Math.min(cost.elements + part.elements, DRAWN_ELEMENTS_MAX + 1);
  cost.characters = Math.min(cost.characters + part.characters, DRAWN_CHARACTERS_MAX + 1);
  cost.layers = Math.min(cost.layers + part.layers, LAYERS_MAX + 1);
  cost.depth = Math.max(cost.depth, part.depth);
  cost.layerDepth = Math.max(cost.layerDepth, part.layerDepth);
}

function costOf({ element, cost }: Frame): ReferenceCost {
  const isLayer = element.name === "pattern" || element.name === "mask" || needsLayer(element);
  const layers = isLayer ? 1 : 0;
  return {
    elements: cost.elements + 1,
    characters: cost.characters + element.characters,
    depth: cost.depth + 1,
    layers: cost.layers + layers,
    layerDepth: cost.layerDepth + layers,
  };
}
