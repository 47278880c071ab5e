import { SHAPES } from "./allowlist.ts";
import { type CleanElement, referencesOf } from "./clean.ts";
import {
  BLUR_SHARE_MAX,
  DASH_MEMBERS_MAX,
  DASHES_MAX,
  DRAWN_ELEMENTS_MAX,
  FILTER_PRIMITIVES_MAX,
  FILTERS_MAX,
  LAYER_DEPTH_MAX,
  LAYERS_MAX,
} from "./limits.ts";
import { refuse, type SvgRefusal } from "./refusal.ts";

/** What drawing an element takes, with everything it refers to. */
interface Cost {
  readonly elements: number;
  readonly layers: number;
  readonly layerDepth: number;
  readonly filters: number;
}

const NOTHING: Cost = { elements: 0, layers: 0, layerDepth: 0, filters: 0 };

/** Properties that make an element draw on a layer of its own unless they say so little. */
const LAYERING: Readonly<Record<string, string>> = {
  opacity: "1",
  mask: "none",
  "clip-path": "none",
  filter: "none",
  "mix-blend-mode": "normal",
  isolation: "auto",
};

/** Refuses a picture whose references, layers, filters or dashes would cost too much; null when it is fine. */
export function refuseCostly(root: CleanElement, longerSide: number): SvgRefusal | null {
  const byId = new Map<string, CleanElement>();
  const every: CleanElement[] = [];
  collect(root, byId, every);
  const cost = measure(root, byId, new Map(), new Set());
  if (cost === null) return refuse("FORBIDDEN_CONTENT", "The SVG has an element that refers back to itself.");
  if (cost.elements > DRAWN_ELEMENTS_MAX) {
    return refuse(
      "TOO_LARGE",
      `The SVG draws more than ${DRAWN_ELEMENTS_MAX} elements once its references are followed.`,
    );
  }
  if (cost.layers > LAYERS_MAX || cost.layerDepth > LAYER_DEPTH_MAX || cost.filters > FILTERS_MAX) {
    return refuse(
      "TOO_LARGE",
      "The SVG has too many transparent, masked or filtered groups. Flatten it and export again.",
    );
  }
  const lengths = new Map(
    every.filter(({ name }) => SHAPES.has(name)).map((shape) => [shape, lengthMax(shape)]),
  );
  const longest = [...lengths.values()].reduce((most, length) => Math.max(most, length), 0);
  for (const element of every) {
    // What a group says of dashes holds for the shapes in it, and for those it refers to.
    const refusal =
      refuseBlur(element, longerSide) ??
      refuseFilter(element) ??
      refuseDashes(element, lengths.get(element) ?? longest);
    if (refusal !== null) return refusal;
  }
  return null;
}

function collect(element: CleanElement, byId: Map<string, CleanElement>, every: CleanElement[]): void {
  every.push(element);
  const id = element.attributes.get("id");
  if (id !== undefined && !byId.has(id)) byId.set(id, element);
  for (const child of element.children) collect(child, byId, every);
}

/** Null when the element reaches itself. Each element is measured once. */
function measure(
  element: CleanElement,
  byId: ReadonlyMap<string, CleanElement>,
  known: Map<CleanElement, Cost>,
  inProgress: Set<CleanElement>,
): Cost | null {
  const before = known.get(element);
  if (before !== undefined) return before;
  if (inProgress.has(element)) return null;
  inProgress.add(element);
  const makesLayer =
    element.name === "pattern" ||
    element.name === "mask" ||
    Object.entries(LAYERING).some(([property, idle]) => (element.style.get(property) ?? idle) !== idle);
  let { elements, layers, layerDepth, filters } = NOTHING;
  const parts = [...element.children];
  for (const id of referencesOf(element)) {
    const target = byId.get(id);
    if (target !== undefined) parts.push(target);
  }
  for (const part of parts) {
    const cost = measure(part, byId, known, inProgress);
    if (cost === null) return null;
    elements += cost.elements;
    layers += cost.layers;
    filters += cost.filters;
    layerDepth = Math.max(layerDepth, cost.layerDepth);
  }
  inProgress.delete(element);
  const own = makesLayer ? 1 : 0;
  const isFiltered = (element.style.get("filter") ?? "none") !== "none";
  const cost = {
    // Past the limit the exact number does not matter, and it must not overflow.
    elements: Math.min(elements + 1, DRAWN_ELEMENTS_MAX + 1),
    layers: Math.min(layers + own, LAYERS_MAX + 1),
    layerDepth: layerDepth + own,
    filters: Math.min(filters + (isFiltered ? 1 : 0), FILTERS_MAX + 1),
  };
  known.set(element, cost);
  return cost;
}

function numbersIn(text: string): readonly number[] {
  return (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + Math.abs(value), 0);
}

function refuseBlur(element: CleanElement, longerSide: number): SvgRefusal | null {
  const deviation = Math.max(0, ...numbersIn(element.attributes.get("stdDeviation") ?? "").slice(0, 2));
  if (deviation <= longerSide * BLUR_SHARE_MAX) return null;
  return refuse(
    "TOO_LARGE",
    "The SVG has a blur that is large against the picture. Flatten it and export again.",
  );
}

function refuseFilter({ name, children }: CleanElement): SvgRefusal | null {
  if (name !== "filter" && name !== "feMerge") return null;
  if (children.length <= FILTER_PRIMITIVES_MAX) return null;
  return refuse("TOO_LARGE", `The SVG has a filter of more than ${FILTER_PRIMITIVES_MAX} steps. Flatten it.`);
}

function refuseDashes(element: CleanElement, length: number): SvgRefusal | null {
  const members = numbersIn(element.style.get("stroke-dasharray") ?? "none");
  if (members.length > DASH_MEMBERS_MAX) {
    return refuse("TOO_LARGE", `The SVG has a dash pattern of more than ${DASH_MEMBERS_MAX} lengths.`);
  }
  const period = sumOf(members);
  if (period === 0 || length / period <= DASHES_MAX) return null;
  return refuse("TOO_LARGE", "The SVG has a stroke of too many dashes. Expand the stroke and export again.");
}

const GEOMETRY = ["d", "points", "width", "height", "r", "rx", "ry", "x1", "y1", "x2", "y2"];

/** A bound on the length of an outline: twice the sum of its numbers, be they relative or not, and arcs bulge. */
function lengthMax(shape: CleanElement): number {
  const sum = GEOMETRY.reduce((total, key) => total + sumOf(numbersIn(shape.attributes.get(key) ?? "")), 0);
  return sum * 4;
}
