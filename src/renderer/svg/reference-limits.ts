import { SHAPES } from "./allowlist.ts";
import type { CleanDocument } from "./clean-document.ts";
import { type CleanElement, needsLayer } from "./clean-element.ts";
import { largestOf } from "./filter-region.ts";
import {
  BLUR_SHARE_MAX,
  DASH_MEMBERS_MAX,
  DASHES_MAX,
  DRAWN_CHARACTERS_MAX,
  DRAWN_DEPTH_MAX,
  DRAWN_ELEMENTS_MAX,
  FILTER_PRIMITIVES_MAX,
  forbidden,
  LAYER_DEPTH_MAX,
  LAYERS_MAX,
  type SvgRefusal,
  tooLarge,
  type WorkBudget,
} from "./limits.ts";
import { firstNumbers, sumOfNumbers } from "./scanner.ts";

/** Rejects a picture whose references, layers, filters or dashes would cost too much; null when it is fine. */
export function refuseCostly(
  document: CleanDocument,
  longerSide: number,
  steps: WorkBudget,
): SvgRefusal | null {
  const cost = measureReferences(document, steps);
  if (cost === null) return forbidden("The SVG has an element that refers back to itself.");
  if (cost.depth > DRAWN_DEPTH_MAX) {
    return tooLarge(
      `The SVG's elements refer to one another more than ${DRAWN_DEPTH_MAX} deep. Expand its symbols, clones and gradients, and export again.`,
    );
  }
  if (cost.elements > DRAWN_ELEMENTS_MAX || cost.characters > DRAWN_CHARACTERS_MAX) {
    return tooLarge(
      `The SVG draws more than ${DRAWN_ELEMENTS_MAX} elements, or ${DRAWN_CHARACTERS_MAX} characters of them, once its references are followed.`,
    );
  }
  if (cost.layers > LAYERS_MAX || cost.layerDepth > LAYER_DEPTH_MAX) {
    return tooLarge(
      "The SVG has too many transparent, masked or filtered groups. Flatten it and export again.",
    );
  }
  const lengths = new Map<CleanElement, number>();
  let longest = 0;
  for (const element of document.elements) {
    if (!SHAPES.has(element.name)) continue;
    const length = lengthMax(element, steps);
    lengths.set(element, length);
    longest = Math.max(longest, length);
  }
  for (const element of document.elements) {
    // Shapes inherit the dashes of their group, and those of a `<use>` that references them.
    const refusal =
      refuseBlur(largestOf(element, "stdDeviation", steps), longerSide) ??
      refuseFilter(element) ??
      refuseDashes(element, lengths.get(element) ?? longest, steps);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** `longerSide` is that of the view box; the deviation has the same units. */
export function refuseBlur(deviation: number, longerSide: number): SvgRefusal | null {
  if (deviation <= longerSide * BLUR_SHARE_MAX) return null;
  return tooLarge("The SVG has a blur that is large against the picture. Flatten it and export again.");
}

function refuseFilter({ name, children }: CleanElement): SvgRefusal | null {
  if (name !== "filter" && name !== "feMerge") return null;
  if (children.length <= FILTER_PRIMITIVES_MAX) return null;
  return tooLarge(`The SVG has a filter of more than ${FILTER_PRIMITIVES_MAX} steps. Flatten it.`);
}

function refuseDashes(element: CleanElement, length: number, steps: WorkBudget): SvgRefusal | null {
  const dashes = element.style.get("stroke-dasharray") ?? "none";
  const members = firstNumbers(dashes, DASH_MEMBERS_MAX + 1, steps);
  if (members.length > DASH_MEMBERS_MAX) {
    return tooLarge(`The SVG has a dash pattern of more than ${DASH_MEMBERS_MAX} lengths.`);
  }
  const period = members.reduce((sum, value) => sum + Math.abs(value), 0);
  if (period === 0 || length / period <= DASHES_MAX) return null;
  return tooLarge("The SVG has a stroke of too many dashes. Expand the stroke and export again.");
}

const GEOMETRY = ["d", "points", "width", "height", "r", "rx", "ry", "x1", "y1", "x2", "y2"];

/** An upper bound of an outline's length: twice the sum of its numbers, relative or not, and twice again for arcs. */
function lengthMax(shape: CleanElement, steps: WorkBudget): number {
  let sum = 0;
  for (const key of GEOMETRY) sum += sumOfNumbers(shape.attributes.get(key) ?? "", steps);
  return sum * 4;
}

/** The cost of drawing an element with everything it references. Counts that could overflow stop past their limits. */
interface ReferenceCost {
  readonly elements: number;
  readonly characters: number;
  /** Nesting depth, including the element itself. */
  readonly depth: number;
  readonly layers: number;
  readonly layerDepth: number;
}

/** An element being measured, and the cost of its parts so far. */
interface Frame {
  readonly element: CleanElement;
  readonly parts: readonly CleanElement[];
  next: number;
  readonly cost: { -readonly [Name in keyof ReferenceCost]: number };
}

/**
 * Measures a picture with every reference followed. Each element is measured once, however often it is used, and the
 * stack is a list, because a chain of references may be as long as the file. Null for a reference cycle.
 */
function measureReferences({ root, byId }: CleanDocument, steps: WorkBudget): ReferenceCost | null {
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

/** Counts stop at their limit + 1, which is enough to reject the picture and cannot overflow. */
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
