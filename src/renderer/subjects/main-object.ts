import type { Box } from "../types.ts";
import { candidateBoxes, type PixelBox } from "./candidate-boxes.ts";
import type { Plane } from "./planes.ts";
import { CERTAIN_MIN, type MainSubject } from "./subject-map.ts";
import { SummedArea } from "./summed-area.ts";

/**
 * Weights of a candidate's certainty: the one of the best candidate is the subject's. Fitted to the tune half of the photos in
 * test/subjects and to 14 random crops of each, by listwise logistic regression (L2 0.005): the candidates of a photo and
 * "no subject" compete, and a candidate is right that has 95 % of the label with air around it and is at most 2.2 times as
 * large. The logit is scaled so that, with each photo's weights fitted without it, 0 divides views from subjects and 0.5 has no
 * false box.
 */
const CERTAINTY = {
  base: -1.183,
  barrierShare: 0.703,
  barrierInside: 1.024,
  barrierMean: 2.674,
  edgesOverRing: 2.213,
  edge: 0.673,
  side: -0.215,
  detailSpread: -5.266,
} as const;
/** A box that reaches two sides, or across the whole width, is a strip of a view: its certainty is at most `certaintyMax`. */
const STRIP = { sides: 2, widthShare: 0.965, certaintyMax: 0.45 } as const;
/** A box this near to a side reaches it: the barrier distance of the outermost pixels is 0. */
const SIDE_PX = 1;
/** The ring around a box that it is compared with, as a share of its width and height. */
const RING = { share: 0.25, pxMin: 2 } as const;
/** Added to sums that are divided by. */
const LITTLE = 0.01;
/** Air around the found box, as a share of it: thin parts and soft edges stand out less than the rest. */
const AIR = { certain: 0.06, uncertain: 0.08 } as const;
/** The least part of the picture that is protected where the subject is uncertain: a small box may be around another thing. */
const UNCERTAIN_AREA_MIN = 0.3;

/** What stands out in a picture, by each measure. */
export interface ObjectPlanes {
  /** Barrier distance from the border, 0..1. */
  readonly barrier: Plane;
  /** Contrast with the border's colours, 0..1. */
  readonly border: Plane;
  /** Lightness gradient: what is in focus has the sharpest edges. */
  readonly edges: Plane;
  /** How far fine detail is spread across the picture: see `detailSpreadOf`. */
  readonly detailSpread: number;
}

/**
 * The main subject by objects alone: the box that has most of what the background does not reach, and sharper edges than
 * the ring around it. Null where "no subject" is likelier: a view or a pattern.
 */
export function mainObjectOf({ barrier, border, edges, detailSpread }: ObjectPlanes): MainSubject | null {
  const { width, height } = barrier;
  const sums = { barrier: new SummedArea(barrier), edges: new SummedArea(edges) };
  const ofPicture =
    CERTAINTY.base +
    CERTAINTY.barrierMean * (sums.barrier.total / (width * height)) +
    CERTAINTY.detailSpread * detailSpread;
  let best: Candidate | null = null;
  let bestLarge: Candidate | null = null;
  for (const box of candidateBoxes([barrier, border])) {
    const area = areaOf(box);
    const ring = ringAround(box, width, height);
    const inside = sums.edges.sumIn(box);
    const edgesInRing = (sums.edges.sumIn(ring) - inside) / Math.max(1, areaOf(ring) - area);
    const barrierInside = sums.barrier.sumIn(box);
    const certainty =
      ofPicture +
      CERTAINTY.barrierShare * shareOf(barrierInside, sums.barrier.total) +
      CERTAINTY.barrierInside * (barrierInside / area) +
      CERTAINTY.edgesOverRing * contrast(inside / area, edgesInRing) +
      CERTAINTY.edge * Math.sqrt(area / (width * height)) +
      CERTAINTY.side * sidesReached(box, width, height);
    if (best === null || certainty > best.certainty) best = { certainty, box };
    if (area < UNCERTAIN_AREA_MIN * width * height) continue;
    if (bestLarge === null || certainty > bestLarge.certainty) bestLarge = { certainty, box };
  }
  if (best === null || best.certainty <= 0) return null;
  const isStrip =
    sidesReached(best.box, width, height) >= STRIP.sides ||
    best.box.right - best.box.left > STRIP.widthShare * width;
  const certainty = Math.min(isStrip ? STRIP.certaintyMax : 1, best.certainty);
  return certainty >= CERTAIN_MIN
    ? { box: withAir(best.box, AIR.certain, width, height), certainty }
    : { box: withAir((bestLarge ?? best).box, AIR.uncertain, width, height), certainty };
}

interface Candidate {
  readonly certainty: number;
  readonly box: PixelBox;
}

const areaOf = ({ left, top, right, bottom }: PixelBox): number => (right - left) * (bottom - top);
const contrast = (inside: number, outside: number): number =>
  (inside - outside) / (inside + outside + LITTLE);
const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const sidesReached = ({ left, top, right, bottom }: PixelBox, width: number, height: number): number =>
  [left, top, width - right, height - bottom].filter((gap) => gap <= SIDE_PX).length;

function ringAround({ left, top, right, bottom }: PixelBox, width: number, height: number): PixelBox {
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
function withAir({ left, top, right, bottom }: PixelBox, air: number, width: number, height: number): Box {
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
