import type { Bounds } from "../box-geometry.ts";
import type { Box } from "../types.ts";
import { candidateBoxes } from "./candidate-boxes.ts";
import type { Plane } from "./planes.ts";
import { CERTAIN_MIN, type MainSubject } from "./subject-map.ts";

/**
 * Weights of a candidate's score and of the winner's certainty: ridge regression on the tune half of the photos in
 * test/subjects and on random crops of them. A score aims at boxes that have the whole label and are at most 2.2 times as
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
/** A box from one side to the other along the upper or lower edge is a strip of a view: at most this certain. */
const STRIP = { widthShare: 0.96, certaintyMax: 0.45 } as const;
/** The ring around a box that it is compared with, as a share of its width and height. */
const RING = { share: 0.25, pxMin: 2 } as const;
/** A picture without an edge this sharp, in OKLab lightness a pixel, is a plain colour or a gradient. */
const EDGE_MIN = 0.05;
/** Added to sums that are divided by. */
const LITTLE = 0.01;
/** Air around the found box, as a share of it: thin parts and soft edges stand out less than the rest. */
const AIR = { certain: 0.04, uncertain: 0.12 } as const;

/** What stands out in a picture, by each measure. */
export interface ObjectPlanes {
  /** Barrier distance from the border, 0..1. */
  readonly barrier: Plane;
  /** Contrast with the border's colours, 0..1. */
  readonly border: Plane;
  /** Lightness gradient: what is in focus has the sharpest edges. */
  readonly edges: Plane;
}

/**
 * The main subject by objects alone: the box that has most of the picture's sharp edges and of what its background does
 * not reach for its area. Null where nothing stands out.
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

/** In shares 0..1 of the picture. */
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
