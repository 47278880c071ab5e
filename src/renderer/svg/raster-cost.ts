import type { Bounds } from "../box-geometry.ts";
import { DEFINITIONS, SHAPES } from "./allowlist.ts";
import type { CleanDocument } from "./clean-document.ts";
import { type CleanElement, hasEffect, needsLayer } from "./clean-element.ts";
import {
  type Drawn,
  type Extent,
  expandExtent,
  filterRegionOf,
  largestOf,
  mergeDrawn,
  NOTHING,
  scaleOf,
  shareOf,
} from "./filter-region.ts";
import { dashesAlong, readLength } from "./length.ts";
import { COORDINATES_MAX, DRAWN_ELEMENTS_MAX, STROKED_COORDINATES_MAX, type WorkBudget } from "./limits.ts";
import { separatedParts } from "./scanner.ts";
import { geometryOf, type ShapeGeometry } from "./shape-geometry.ts";
import {
  INITIAL_STYLE,
  type Inherited,
  type Paint,
  type SpecifiedStyle,
  specifiedStyleOf,
} from "./specified-style.ts";
import { IDENTITY, type Matrix, multiplyMatrices, transformBounds } from "./transform.ts";

/** The cost of drawing a picture after following all references. */
export interface RasterCost {
  /**
   * Work proportional to the canvas, where 1 is filling all of it once. The weights below are ratios of CPU times
   * measured with the rasteriser on 1,200 × 1,200 pixels.
   */
  readonly passes: number;
  /**
   * Work proportional to the square of the canvas's area, in passes per pixel of the canvas. It is caused by filters
   * whose radius grows with the canvas.
   */
  readonly passesPerPixel: number;
  /** Maximum number of canvases in memory at once. */
  readonly canvases: number;
  /** Coordinates flattened and stroked: work independent of the canvas. */
  readonly coordinates: number;
  readonly strokedCoordinates: number;
  /** Maximum of `strokedCoordinates` in one outline, which is in memory as a whole. */
  readonly strokedCoordinatesMax: number;
  /** Length of the filled edges, in sides of the picture: every row of pixels steps through the edges that cross it. */
  readonly edgeSides: number;
  /** The widest blur, in units of the view box; infinite if its scale is unknown. */
  readonly blurMax: number;
}

const WEIGHT = {
  paintServer: 0.5,
  layer: 5,
  /** A mask, clip or blend mode: drawn on a layer, then combined. */
  combined: 8,
  pattern: 6,
  filter: 12,
  primitive: 12,
  blur: 50,
  /** Per source pixel from which a dilated or eroded pixel is computed. */
  tap: 0.25,
} as const;

/** Layers and filters of the rasteriser extend up to this many canvases on each side of the picture. */
const LAYER_REACH = 2;

const BLURS: ReadonlySet<string> = new Set(["feGaussianBlur", "feDropShadow"]);
/**
 * A stroke fills both of its sides, its joins and its caps. Measured, that costs as much as five edges of its length.
 */
const STROKE_EDGES = 5;
/** A dash has two ends and two caps. */
const COORDINATES_PER_DASH = 8;

interface Context {
  /** Null when the position is unknown. */
  readonly matrix: Matrix | null;
  readonly style: Inherited;
}

/**
 * A visit to an element. It suspends while the elements inside it are visited: it yields a visit to one of them and
 * resumes with the result.
 */
interface Visit extends Iterator<Visit, Drawn, Drawn> {
  next(drawn: Drawn): IteratorResult<Visit, Drawn>;
}

/** Completes a visit and all visits that it yields. The stack is a list, so that deep nesting cannot overflow it. */
function complete(first: Visit): Drawn {
  const suspended = [first];
  let drawn = NOTHING;
  for (let visit = suspended.at(-1); visit !== undefined; visit = suspended.at(-1)) {
    const step = visit.next(drawn);
    if (step.done === true) {
      suspended.pop();
      drawn = step.value;
    } else suspended.push(step.value);
  }
  return drawn;
}

/** Measures a clean picture that has no reference cycles. Null when it draws more elements than the limit. */
export function measureRasterCost(
  document: CleanDocument,
  viewBox: readonly [number, number, number, number],
  steps: WorkBudget,
): RasterCost | null {
  const drawing = new Drawing(document, viewBox, steps);
  complete(drawing.start(document.root));
  return drawing.visits > DRAWN_ELEMENTS_MAX ? null : drawing;
}

class Drawing implements RasterCost {
  passes = 0;
  passesPerPixel = 0;
  canvases = 1;
  coordinates = 0;
  strokedCoordinates = 0;
  strokedCoordinatesMax = 0;
  edgeSides = 0;
  blurMax = 0;
  visits = 0;
  readonly #byId: ReadonlyMap<string, CleanElement>;
  readonly #geometries = new Map<CleanElement, ShapeGeometry>();
  readonly #styles = new Map<CleanElement, SpecifiedStyle>();
  readonly #view: Bounds;
  readonly #viewBoxSide: number;
  readonly #steps: WorkBudget;

  constructor(
    document: CleanDocument,
    [left, top, width, height]: readonly [number, number, number, number],
    steps: WorkBudget,
  ) {
    this.#byId = document.byId;
    this.#view = { left, top, right: left + width, bottom: top + height };
    this.#viewBoxSide = Math.max(width, height, longestViewBoxSide(document, steps));
    this.#steps = steps;
  }

  start(root: CleanElement): Visit {
    return this.#visitChildren(root, {
      matrix: IDENTITY,
      style: { ...INITIAL_STYLE, ...this.#styleOf(root).inherited },
    });
  }

  /** Past a limit, measuring can stop. */
  #isOver(): boolean {
    return (
      this.visits > DRAWN_ELEMENTS_MAX ||
      this.coordinates > COORDINATES_MAX ||
      this.strokedCoordinates > STROKED_COORDINATES_MAX
    );
  }

  #count(visits: number): void {
    this.visits += visits;
    this.#steps.take(visits);
  }

  #shareOf(extent: Extent | undefined, reach: number): number {
    return shareOf(this.#view, extent, reach);
  }

  *#visitChildren(element: CleanElement, context: Context): Visit {
    let drawn = NOTHING;
    for (const child of element.children) {
      if (this.#isOver()) break;
      drawn = mergeDrawn(drawn, yield this.#visit(child, context));
    }
    return drawn;
  }

  *#visit(element: CleanElement, outer: Context): Visit {
    this.#count(1);
    if (this.#isOver() || DEFINITIONS.has(element.name)) return NOTHING;
    const own = this.#styleOf(element);
    const context = this.#within(element, own, outer);
    const isShape = SHAPES.has(element.name);
    let drawn = isShape ? yield this.#drawShape(element, context) : yield this.#drawGroup(element, context);
    if (drawn.extent === undefined) return drawn;
    for (const target of [...own.masks, ...own.clips]) {
      const { canvasesInMemory } = yield this.#drawApart(target, context.matrix);
      drawn = { ...drawn, canvasesInMemory: Math.max(drawn.canvasesInMemory, canvasesInMemory) };
    }
    for (const target of own.filters) drawn = this.#filter(target, drawn, context.matrix);
    const weight = layerWeight(element);
    if (weight > 0) {
      const share = this.#shareOf(drawn.extent, LAYER_REACH);
      this.passes += weight * share;
      drawn = {
        ...drawn,
        canvasesInMemory: drawn.canvasesInMemory + share * (weight === WEIGHT.combined ? 2 : 1),
      };
    }
    this.canvases = Math.max(this.canvases, 1 + drawn.canvasesInMemory);
    return drawn;
  }

  #styleOf(element: CleanElement): SpecifiedStyle {
    const known = this.#styles.get(element);
    if (known !== undefined) return known;
    const own = specifiedStyleOf(element, this.#byId, this.#viewBoxSide, this.#steps);
    this.#styles.set(element, own);
    return own;
  }

  #within(element: CleanElement, own: SpecifiedStyle, outer: Context): Context {
    const isPlaced = element.name !== "svg" && element.name !== "symbol";
    const isKnown = outer.matrix !== null && own.matrix !== null && isPlaced;
    const matrix = isKnown ? multiplyMatrices(outer.matrix, own.matrix) : null;
    return { matrix, style: { ...outer.style, ...own.inherited } };
  }

  *#drawGroup(element: CleanElement, context: Context): Visit {
    if (element.name !== "use") return yield this.#visitChildren(element, context);
    const target = this.#byId.get((element.attributes.get("href") ?? "#").slice(1));
    if (target === undefined) return NOTHING;
    const x = readLength(element.attributes.get("x"), this.#viewBoxSide, this.#steps);
    const y = readLength(element.attributes.get("y"), this.#viewBoxSide, this.#steps);
    const isPlaced = context.matrix !== null && x !== null && y !== null;
    const matrix = isPlaced ? multiplyMatrices(context.matrix, [1, 0, 0, 1, x, y]) : null;
    if (target.name !== "symbol") return yield this.#visit(target, { ...context, matrix });
    this.#count(1);
    return yield this.#visitChildren(target, { ...context, matrix: null });
  }

  #geometryOf(shape: CleanElement): ShapeGeometry {
    const known = this.#geometries.get(shape);
    if (known !== undefined) return known;
    const outline = geometryOf(shape, this.#viewBoxSide, this.#steps);
    this.#geometries.set(shape, outline);
    return outline;
  }

  *#drawShape(shape: CleanElement, { matrix, style }: Context): Visit {
    const { bounds, length, coordinates } = this.#geometryOf(shape);
    if (coordinates === 0) return NOTHING;
    this.coordinates += coordinates;
    const isStroked = !style.stroke.isNone;
    const width = isStroked ? style.strokeWidth : 0;
    const isKnown = bounds !== null && width !== null && matrix !== null;
    const extent = isKnown ? transformBounds(expandExtent(bounds, width * 2), matrix) : null;
    const share = this.#shareOf(extent, 0);
    const scale = matrix === null || bounds === null ? null : scaleOf(matrix);
    const sides = this.#sidesOf(coordinates, scale === null ? null : length * scale);
    if (!style.fill.isNone) this.edgeSides += sides;
    if (isStroked) {
      this.edgeSides += sides * STROKE_EDGES;
      this.#stroke(coordinates, dashesAlong(style.dashes, length));
    }
    const fill = yield this.#paint(style.fill, share);
    const stroke = yield this.#paint(style.stroke, share);
    return { extent, canvasesInMemory: Math.max(fill.canvasesInMemory, stroke.canvasesInMemory) };
  }

  /**
   * Upper bound of an outline's length, in sides of the picture. `length` is in units of the view box; null if the
   * scale is unknown.
   */
  #sidesOf(coordinates: number, length: number | null): number {
    // Parts outside the picture are clipped, so each pair of coordinates crosses the picture at most once.
    const most = coordinates / 2;
    const side = Math.max(this.#view.right - this.#view.left, this.#view.bottom - this.#view.top);
    return length === null ? most : Math.min(most, length / side);
  }

  #stroke(coordinates: number, dashes: number): void {
    const stroked = coordinates + dashes * COORDINATES_PER_DASH;
    this.strokedCoordinates += stroked;
    this.strokedCoordinatesMax = Math.max(this.strokedCoordinatesMax, stroked);
  }

  /** Counts a fill or stroke, and returns the number of canvases in memory for it. */
  *#paint({ isNone, servers }: Paint, share: number): Visit {
    if (isNone || share === 0) return NOTHING;
    this.passes += share;
    let canvasesInMemory = 0;
    for (const server of servers) {
      this.#steps.take();
      this.passes += WEIGHT.paintServer * share;
      if (server.name !== "pattern") continue;
      this.passes += WEIGHT.pattern;
      const drawn = yield this.#drawApart(server, null);
      canvasesInMemory = Math.max(canvasesInMemory, 1 + drawn.canvasesInMemory);
    }
    return { extent: undefined, canvasesInMemory };
  }

  /** Each step of a filter works on the filter's region. Its result is kept until the filter ends. */
  #filter(filter: CleanElement, source: Drawn, matrix: Matrix | null): Drawn {
    const extent = filterRegionOf(filter, source.extent, matrix, this.#viewBoxSide, this.#steps);
    const share = this.#shareOf(extent, LAYER_REACH);
    const scale = matrix === null ? Number.POSITIVE_INFINITY : scaleOf(matrix);
    const unit = filter.attributes.get("primitiveUnits") === "objectBoundingBox" ? this.#viewBoxSide : 1;
    this.passes += WEIGHT.filter * share;
    for (const primitive of filter.children) {
      // Each input of a merge is a separate step.
      const inputs = Math.max(1, primitive.children.length);
      this.#count(inputs);
      this.passes += inputs * share * (BLURS.has(primitive.name) ? WEIGHT.blur : WEIGHT.primitive);
      const deviation = largestOf(primitive, "stdDeviation", this.#steps);
      if (deviation > 0) this.blurMax = Math.max(this.blurMax, deviation * unit * scale);
      if (primitive.name !== "feMorphology") continue;
      const radius = largestOf(primitive, "radius", this.#steps);
      if (radius > 0) this.#morph(share, radius * unit * scale);
    }
    return { extent, canvasesInMemory: source.canvasesInMemory + share * (2 + filter.children.length) };
  }

  /**
   * A pixel is computed from (2 × ⌈radius⌉)² source pixels, which is at most 2 (2 × radius)² + 8. The radius in pixels
   * grows with the canvas.
   */
  #morph(share: number, radius: number): void {
    const { left, top, right, bottom } = this.#view;
    this.passes += WEIGHT.tap * share * 8;
    this.passesPerPixel += (WEIGHT.tap * share * 8 * radius ** 2) / ((right - left) * (bottom - top));
  }

  /** Measures content that is drawn on its own canvas. */
  *#drawApart(target: CleanElement, matrix: Matrix | null): Visit {
    this.#count(1);
    if (this.#isOver()) return NOTHING;
    const isInUserUnits = target.attributes.get(`${target.name}ContentUnits`) !== "objectBoundingBox";
    const placed = target.name === "clipPath" ? target.attributes.get("clipPathUnits") : undefined;
    const isKnown = isInUserUnits && placed !== "objectBoundingBox";
    const own = this.#styleOf(target);
    const style = { ...INITIAL_STYLE, ...own.inherited };
    let drawn = yield this.#visitChildren(target, { matrix: isKnown ? matrix : null, style });
    for (const inner of [...own.masks, ...own.clips]) {
      this.passes += WEIGHT.combined;
      const { canvasesInMemory } = yield this.#drawApart(inner, matrix);
      drawn = { ...drawn, canvasesInMemory: Math.max(drawn.canvasesInMemory, 1 + canvasesInMemory) };
    }
    return drawn;
  }
}

/** Passes of an element's layer over the part that it covers; 0 when it has no layer. */
function layerWeight(element: CleanElement): number {
  const isCombined = ["mask", "clip-path", "mix-blend-mode"].some((property) => hasEffect(element, property));
  if (isCombined) return WEIGHT.combined;
  return needsLayer(element) ? WEIGHT.layer : 0;
}

/** The third and fourth numbers of a view box are its width and height. */
const VIEW_BOX_NUMBERS = 4;

/** The longest side of any view box in the picture: an upper bound of what a percentage refers to. */
function longestViewBoxSide({ elements }: CleanDocument, steps: WorkBudget): number {
  let longest = 0;
  for (const { attributes } of elements) {
    const sides = separatedParts(attributes.get("viewBox") ?? "", VIEW_BOX_NUMBERS, steps).slice(2);
    for (const side of sides.map(Number)) if (Number.isFinite(side)) longest = Math.max(longest, side);
  }
  return longest;
}
