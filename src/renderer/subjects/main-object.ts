import type { Bounds } from "../box-geometry.ts";
import type { Box } from "../types.ts";
import type { Plane } from "./planes.ts";
import { CERTAIN_MIN, type MainSubject } from "./subject-map.ts";

/**
 * Weights of a candidate's score and of the winner's certainty: ridge regression on the tune half of the photos in
 * test/subjects and on random crops of them. The score favours boxes with the whole label that are at most 2.2 times as
 * large: a box that cuts its subject harms more than a large one.
 */
const SCORE = {
  edges: 0.143,
  edgesOverRing: 0.269,
  barrier: 0.816,
  borderOverRest: 0.205,
  area: -0.258,
} as const;
const CERTAINTY = {
  base: 0.331,
  edgesOverRing: 0.926,
  barrierInside: 0.91,
  edgesInRing: 1.435,
  edge: -0.843,
} as const;
/** A box of the whole width along the upper or lower edge is a strip of a view, so its certainty is limited. */
const STRIP = { widthShare: 0.96, certaintyMax: 0.45 } as const;
/** The ring around a box for comparison, relative to its width and height. */
const RING = { share: 0.25, pxMin: 2 } as const;
/** A picture without an edge this sharp, in OKLab lightness a pixel, is a plain colour or a gradient. */
const EDGE_MIN = 0.05;
/** Added to divisors, so that none is 0. */
const LITTLE = 0.01;
/** Space around the found box, relative to the box's size: thin parts and soft edges are less salient than the rest. */
const AIR = { certain: 0.04, uncertain: 0.12 } as const;

/** The saliency of a picture's pixels, by each measure. */
export interface ObjectPlanes {
  /** Barrier distance from the border, 0..1. */
  readonly barrier: Plane;
  /** Contrast with the border's colours, 0..1. */
  readonly border: Plane;
  /** Lightness gradient: objects in focus have the sharpest edges. */
  readonly edges: Plane;
}

/**
 * The main subject, without regard to faces: the box with most of the picture's sharp edges and barrier distance for
 * its area. Null if nothing is salient.
 */
export function mainObjectOf({ barrier, border, edges }: ObjectPlanes): MainSubject | null {
  const { width, height } = barrier;
  if (edges.values.every((edge) => edge < EDGE_MIN)) return null;
  const sums = {
    barrier: new SummedArea(barrier),
    border: new SummedArea(border),
    edges: new SummedArea(edges),
  };
  let best: { readonly score: number; readonly box: Bounds; readonly certainty: number } | null = null;
  for (const box of candidateBoxes([barrier, border])) {
    const area = (box.right - box.left) * (box.bottom - box.top);
    const share = area / (width * height);
    const ring = ringAround(box, width, height);
    const inside = sums.edges.sumIn(box);
    const edgesInRing = (sums.edges.sumIn(ring) - inside) / Math.max(1, areaOf(ring) - area);
    const edgesOverRing = contrast(inside / area, edgesInRing);
    const barrierInside = sums.barrier.sumIn(box);
    const borderInside = sums.border.sumIn(box);
    const borderRest = (sums.border.total - borderInside) / Math.max(1, width * height - area);
    const score =
      SCORE.edges * shareOf(inside, sums.edges.total) +
      SCORE.edgesOverRing * edgesOverRing +
      SCORE.barrier * shareOf(barrierInside, sums.barrier.total) +
      SCORE.borderOverRest * contrast(borderInside / area, borderRest) +
      SCORE.area * share;
    if (best !== null && score <= best.score) continue;
    const certainty =
      CERTAINTY.base +
      CERTAINTY.edgesOverRing * edgesOverRing +
      CERTAINTY.barrierInside * (barrierInside / area) +
      CERTAINTY.edgesInRing * edgesInRing +
      CERTAINTY.edge * Math.sqrt(share);
    best = { score, box, certainty };
  }
  if (best === null) return null;
  const certaintyMax = isStrip(best.box, width, height) ? STRIP.certaintyMax : 1;
  const certainty = Math.max(0, Math.min(certaintyMax, best.certainty));
  const air = certainty >= CERTAIN_MIN ? AIR.certain : AIR.uncertain;
  return { box: withAir(best.box, air, width, height), certainty };
}

/** The barrier distance of the outermost pixels is 0, so a box that reaches an edge ends one pixel before it. */
const isStrip = ({ left, top, right, bottom }: Bounds, width: number, height: number): boolean =>
  right - left > STRIP.widthShare * width && (top <= 1 || bottom >= height - 1);

const areaOf = ({ left, top, right, bottom }: Bounds): number => (right - left) * (bottom - top);
const contrast = (inside: number, outside: number): number =>
  (inside - outside) / (inside + outside + LITTLE);
const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

function ringAround({ left, top, right, bottom }: Bounds, width: number, height: number): Bounds {
  const across = Math.max(RING.pxMin, Math.round(RING.share * (right - left)));
  const down = Math.max(RING.pxMin, Math.round(RING.share * (bottom - top)));
  return {
    left: Math.max(0, left - across),
    top: Math.max(0, top - down),
    right: Math.min(width, right + across),
    bottom: Math.min(height, bottom + down),
  };
}

/** The box with space around it, in fractions 0..1 of the picture. */
function withAir({ left, top, right, bottom }: Bounds, air: number, width: number, height: number): Box {
  const [across, down] = [air * (right - left), air * (bottom - top)];
  const x = Math.max(0, left - across) / width;
  const y = Math.max(0, top - down) / height;
  return {
    x,
    y,
    width: Math.min(width, right + across) / width - x,
    height: Math.min(height, bottom + down) / height - y,
  };
}

/** Sums over boxes of a plane, each from four values of its summed-area table. */
class SummedArea {
  readonly total: number;
  readonly #stride: number;
  readonly #sums: Float64Array;

  constructor({ width, height, values }: Plane) {
    this.#stride = width + 1;
    this.#sums = new Float64Array((width + 1) * (height + 1));
    for (let y = 0; y < height; y += 1) {
      let row = 0;
      for (let x = 0; x < width; x += 1) {
        row += values[y * width + x] ?? 0;
        this.#sums[(y + 1) * this.#stride + x + 1] = (this.#sums[y * this.#stride + x + 1] ?? 0) + row;
      }
    }
    this.total = this.#at(width, height);
  }

  sumIn({ left, top, right, bottom }: Bounds): number {
    return this.#at(right, bottom) - this.#at(right, top) - this.#at(left, bottom) + this.#at(left, top);
  }

  #at(x: number, y: number): number {
    return this.#sums[y * this.#stride + x] ?? 0;
  }
}

/** Thresholds: at each, connected pixels of at least that value are one object. */
const THRESHOLDS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
/** Objects of fewer pixels are specks; only the most salient of each threshold are considered. */
const PIXELS_MIN = 10;
const OBJECTS_MAX = 6;
/**
 * A subject may fall into parts, like dark shoes on a dark floor: each of the first three objects is joined with each
 * later one, up to the fourth.
 */
const JOINED_MAX = [3, 4] as const;
/** Minimum and maximum size of a subject, as a fraction of the picture. */
const AREA_SHARE = { min: 0.0012, max: 0.92 } as const;
const EDGE_PX_MIN = 2;

/** Boxes around the objects of the planes (0..1), alone and in pairs, without duplicates. */
function candidateBoxes(planes: readonly Plane[]): readonly Bounds[] {
  const found = new Map<string, Bounds>();
  for (const plane of planes) {
    const pixels = plane.width * plane.height;
    const add = (box: Bounds): void => {
      const [width, height] = [box.right - box.left, box.bottom - box.top];
      const share = (width * height) / pixels;
      if (Math.min(width, height) < EDGE_PX_MIN || share < AREA_SHARE.min || share > AREA_SHARE.max) return;
      found.set(`${box.left} ${box.top} ${box.right} ${box.bottom}`, box);
    };
    const buffers = { seen: new Uint8Array(pixels), stack: new Int32Array(pixels) };
    for (const least of THRESHOLDS) {
      const objects = objectsIn(plane, least, buffers);
      objects.forEach(add);
      objects.slice(0, JOINED_MAX[0]).forEach((one, at) => {
        for (const other of objects.slice(at + 1, JOINED_MAX[1])) add(joined(one, other));
      });
    }
  }
  return [...found.values()];
}

const joined = (one: Bounds, other: Bounds): Bounds => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
});

/** Marks for pixels that were visited or are too low, and the stack of pixels to visit: shared by all thresholds. */
interface Buffers {
  readonly seen: Uint8Array;
  readonly stack: Int32Array;
}

/** Boxes of the connected pixels of at least a value, the most salient first. */
function objectsIn(
  { width, height, values }: Plane,
  least: number,
  { seen, stack }: Buffers,
): readonly Bounds[] {
  for (let at = 0; at < values.length; at += 1) seen[at] = (values[at] ?? 0) < least ? 1 : 0;
  const objects: { readonly box: Bounds; readonly weight: number }[] = [];
  for (let start = 0; start < values.length; start += 1) {
    if (seen[start] === 1) continue;
    let [left, top, right, bottom, count, weight] = [width, height, 0, 0, 0, 0];
    let depth = 1;
    stack[0] = start;
    seen[start] = 1;
    while (depth > 0) {
      depth -= 1;
      const at = stack[depth] ?? 0;
      const x = at % width;
      const y = (at - x) / width;
      if (x < left) left = x;
      if (x >= right) right = x + 1;
      if (y < top) top = y;
      if (y >= bottom) bottom = y + 1;
      count += 1;
      weight += values[at] ?? 0;
      // Inlined: on a cold isolate, calls for twenty planes would cost more than the work itself.
      if (x > 0 && seen[at - 1] === 0) {
        seen[at - 1] = 1;
        stack[depth++] = at - 1;
      }
      if (x < width - 1 && seen[at + 1] === 0) {
        seen[at + 1] = 1;
        stack[depth++] = at + 1;
      }
      if (y > 0 && seen[at - width] === 0) {
        seen[at - width] = 1;
        stack[depth++] = at - width;
      }
      if (y < height - 1 && seen[at + width] === 0) {
        seen[at + width] = 1;
        stack[depth++] = at + width;
      }
    }
    if (count >= PIXELS_MIN) objects.push({ box: { left, top, right, bottom }, weight });
  }
  return objects
    .sort((one, other) => other.weight - one.weight)
    .slice(0, OBJECTS_MAX)
    .map(({ box }) => box);
}
