import { SHAPES } from "./allowlist.ts";
import { type CleanElement, referencesIn } from "./clean.ts";
import { type Drawn, type Extent, NOTHING, shareOf, together, widened } from "./drawn-extent.ts";
import { deviationOf, regionOf, scaleOf } from "./filter-region.ts";
import { COORDINATES_MAX, DRAWN_ELEMENTS_MAX, STROKED_COORDINATES_MAX } from "./limits.ts";
import { dashesOf, type Outline, outlineOf, readLength } from "./outline.ts";
import { type Bounds, combined, IDENTITY, type Matrix, movedBounds, parseTransform } from "./transform.ts";

/** What drawing takes, all references followed. */
export interface DrawingCost {
  /**
   * Work in proportion to the canvas, where 1 is filling all of it once. The weights below are ratios of CPU
   * times measured with the rasteriser on 1,200 × 1,200 pixels.
   */
  readonly passes: number;
  /** Canvases held at once. */
  readonly canvases: number;
  /** Coordinates flattened, and those stroked: work whatever the canvas. */
  readonly coordinates: number;
  readonly strokedCoordinates: number;
  /** The most of them in one outline, which is held whole. */
  readonly strokedCoordinatesMax: number;
  readonly dashes: number;
  /** The widest blur, in units of the view box; without end where its scale is not known. */
  readonly blurMax: number;
}

const WEIGHT = {
  paintServer: 0.5,
  layer: 5,
  /** Mask, clip, or another blend mode; drawn on a layer, then combined. */
  combined: 8,
  pattern: 6,
  filter: 12,
  primitive: 12,
  blur: 50,
} as const;

/** The rasteriser gives layers and filters up to this many canvases on each side of the picture. */
const LAYER_REACH = 2;

const BLURS: ReadonlySet<string> = new Set(["feGaussianBlur", "feDropShadow"]);
/** A dash has two ends and two caps. */
const COORDINATES_PER_DASH = 8;

/** What an element takes over from those around it. Null: it cannot be told where it is drawn. */
interface Context {
  readonly matrix: Matrix | null;
  readonly style: ReadonlyMap<string, string>;
}

const INHERITED = ["fill", "stroke", "stroke-width", "stroke-dasharray"] as const;

/** Measures a clean picture that has no reference cycles. Null when it draws more elements than are followed. */
export function measureDrawing(
  root: CleanElement,
  viewBox: readonly [number, number, number, number],
): DrawingCost | null {
  const drawing = new Drawing(root, viewBox);
  drawing.visitChildren(root, { matrix: IDENTITY, style: root.style });
  return drawing.visits > DRAWN_ELEMENTS_MAX ? null : drawing;
}

class Drawing implements DrawingCost {
  passes = 0;
  canvases = 1;
  coordinates = 0;
  strokedCoordinates = 0;
  strokedCoordinatesMax = 0;
  dashes = 0;
  blurMax = 0;
  visits = 0;
  readonly #byId = new Map<string, CleanElement>();
  readonly #outlines = new Map<CleanElement, Outline>();
  readonly #view: Bounds;
  readonly #viewSide: number;

  constructor(root: CleanElement, [left, top, width, height]: readonly [number, number, number, number]) {
    this.#view = { left, top, right: left + width, bottom: top + height };
    this.#viewSide = Math.max(width, height, longestView(root));
    this.#register(root);
  }

  #register(element: CleanElement): void {
    const id = element.attributes.get("id");
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
    for (const child of element.children) this.#register(child);
  }

  /** What is known to be too much need not be measured to its end. */
  #isOver(): boolean {
    return (
      this.visits > DRAWN_ELEMENTS_MAX ||
      this.coordinates > COORDINATES_MAX ||
      this.strokedCoordinates > STROKED_COORDINATES_MAX
    );
  }

  #shareOf(extent: Extent | undefined, reach: number): number {
    return shareOf(this.#view, extent, reach);
  }

  /** Draws what stands in an element. */
  visitChildren(element: CleanElement, context: Context): Drawn {
    let drawn = NOTHING;
    for (const child of element.children) drawn = together(drawn, this.#visit(child, context));
    return drawn;
  }

  #visit(element: CleanElement, outer: Context): Drawn {
    this.visits += 1;
    if (this.#isOver() || NOT_DRAWN.has(element.name)) return NOTHING;
    const context = this.#within(element, outer);
    const isShape = SHAPES.has(element.name);
    let drawn = isShape ? this.#drawShape(element, context) : this.#drawGroup(element, context);
    if (drawn.extent === undefined) return drawn;
    for (const property of ["mask", "clip-path"] as const) {
      for (const target of this.#targetsOf(element.style.get(property) ?? "none")) {
        const { held } = this.#drawApart(target, context.matrix);
        drawn = { ...drawn, held: Math.max(drawn.held, held) };
      }
    }
    for (const target of this.#targetsOf(element.style.get("filter") ?? "none")) {
      drawn = this.#filter(target, drawn, context.matrix);
    }
    const weight = layerWeight(element);
    if (weight > 0) {
      const share = this.#shareOf(drawn.extent, LAYER_REACH);
      this.passes += weight * share;
      drawn = { ...drawn, held: drawn.held + share * (weight === WEIGHT.combined ? 2 : 1) };
    }
    this.canvases = Math.max(this.canvases, 1 + drawn.held);
    return drawn;
  }

  #within(element: CleanElement, outer: Context): Context {
    const style = new Map(outer.style);
    for (const property of INHERITED) {
      const own = element.style.get(property);
      if (own !== undefined && own !== "inherit") style.set(property, own);
    }
    const own = parseTransform(element.attributes.get("transform"));
    const isPlaced = element.name !== "svg" && element.name !== "symbol";
    const matrix = outer.matrix === null || own === null || !isPlaced ? null : combined(outer.matrix, own);
    return { matrix, style };
  }

  #drawGroup(element: CleanElement, context: Context): Drawn {
    if (element.name !== "use") return this.visitChildren(element, context);
    const target = this.#byId.get((element.attributes.get("href") ?? "#").slice(1));
    if (target === undefined) return NOTHING;
    const x = readLength(element.attributes.get("x"), this.#viewSide);
    const y = readLength(element.attributes.get("y"), this.#viewSide);
    const isPlaced = context.matrix !== null && x !== null && y !== null;
    const matrix = isPlaced ? combined(context.matrix, [1, 0, 0, 1, x, y]) : null;
    if (target.name !== "symbol") return this.#visit(target, { ...context, matrix });
    this.visits += 1;
    return this.visitChildren(target, { ...context, matrix: null });
  }

  #outlineOf(shape: CleanElement): Outline {
    const known = this.#outlines.get(shape);
    if (known !== undefined) return known;
    const outline = outlineOf(shape, this.#viewSide);
    this.#outlines.set(shape, outline);
    return outline;
  }

  #drawShape(shape: CleanElement, { matrix, style }: Context): Drawn {
    const { bounds, length, coordinates } = this.#outlineOf(shape);
    if (coordinates === 0) return NOTHING;
    this.coordinates += coordinates;
    const stroke = style.get("stroke") ?? "none";
    const isStroked = stroke !== "none";
    const width = isStroked ? readLength(style.get("stroke-width") ?? "1", this.#viewSide) : 0;
    const isKnown = bounds !== null && width !== null && matrix !== null;
    const extent = isKnown ? movedBounds(widened(bounds, width * 2), matrix) : null;
    const share = this.#shareOf(extent, 0);
    if (isStroked) this.#stroke(length, coordinates, style.get("stroke-dasharray") ?? "none");
    const held = Math.max(this.#paint(style.get("fill") ?? "black", share), this.#paint(stroke, share));
    return { extent, held };
  }

  #stroke(length: number, coordinates: number, dashArray: string): void {
    const dashes = dashesOf(dashArray, length, this.#viewSide);
    const stroked = coordinates + dashes * COORDINATES_PER_DASH;
    this.dashes += dashes;
    this.strokedCoordinates += stroked;
    this.strokedCoordinatesMax = Math.max(this.strokedCoordinatesMax, stroked);
  }

  /** Canvases held for it. */
  #paint(paint: string, share: number): number {
    if (paint === "none" || share === 0) return 0;
    this.passes += share;
    let held = 0;
    for (const target of this.#targetsOf(paint)) {
      this.passes += WEIGHT.paintServer * share;
      if (target.name !== "pattern") continue;
      this.passes += WEIGHT.pattern;
      held = Math.max(held, 1 + this.#drawApart(target, null).held);
    }
    return held;
  }

  /** Each step of a filter works on the filter's region, and keeps what it drew to the end. */
  #filter(filter: CleanElement, source: Drawn, matrix: Matrix | null): Drawn {
    const extent = regionOf(filter, source.extent, matrix, this.#viewSide);
    const share = this.#shareOf(extent, LAYER_REACH);
    const scale = matrix === null ? Number.POSITIVE_INFINITY : scaleOf(matrix);
    const unit = filter.attributes.get("primitiveUnits") === "objectBoundingBox" ? this.#viewSide : 1;
    this.passes += WEIGHT.filter * share;
    for (const primitive of filter.children) {
      // Each input of a merge is a step of its own.
      const inputs = Math.max(1, primitive.children.length);
      this.visits += inputs;
      this.passes += inputs * share * (BLURS.has(primitive.name) ? WEIGHT.blur : WEIGHT.primitive);
      const deviation = deviationOf(primitive);
      if (deviation > 0) this.blurMax = Math.max(this.blurMax, deviation * unit * scale);
    }
    return { extent, held: source.held + share * (2 + filter.children.length) };
  }

  /** Content that is drawn on a canvas of its own. */
  #drawApart(target: CleanElement, matrix: Matrix | null): Drawn {
    const isInUserUnits = target.attributes.get(`${target.name}ContentUnits`) !== "objectBoundingBox";
    const placed = target.name === "clipPath" ? target.attributes.get("clipPathUnits") : undefined;
    const isKnown = isInUserUnits && placed !== "objectBoundingBox";
    const context = { matrix: isKnown ? matrix : null, style: target.style };
    this.visits += 1;
    let drawn = this.visitChildren(target, context);
    for (const property of ["mask", "clip-path"] as const) {
      for (const inner of this.#targetsOf(target.style.get(property) ?? "none")) {
        this.passes += WEIGHT.combined;
        drawn = { ...drawn, held: Math.max(drawn.held, 1 + this.#drawApart(inner, matrix).held) };
      }
    }
    return drawn;
  }

  #targetsOf(value: string): readonly CleanElement[] {
    if (!value.includes("url")) return [];
    return referencesIn(value).flatMap((id) => this.#byId.get(id) ?? []);
  }
}

/** Passes over what it covers that an element's layer takes; 0 when it has none. */
function layerWeight({ style }: CleanElement): number {
  const says = (property: string, idle: string): boolean => (style.get(property) ?? idle) !== idle;
  if (says("mask", "none") || says("clip-path", "none") || says("mix-blend-mode", "normal")) {
    return WEIGHT.combined;
  }
  return says("opacity", "1") || says("filter", "none") || says("isolation", "auto") ? WEIGHT.layer : 0;
}

/** Drawn only where they are referred to. */
const NOT_DRAWN: ReadonlySet<string> = new Set([
  "defs",
  "symbol",
  "clipPath",
  "mask",
  "pattern",
  "filter",
  "linearGradient",
  "radialGradient",
]);

/** The longest side of any view box in the picture: percentages are of no more. */
function longestView(element: CleanElement): number {
  const sides = (element.attributes.get("viewBox") ?? "")
    .split(/[\s,]+/)
    .slice(2, 4)
    .map(Number);
  const own = sides.reduce((most, side) => (Number.isFinite(side) ? Math.max(most, side) : most), 0);
  return element.children.reduce((most, child) => Math.max(most, longestView(child)), own);
}
