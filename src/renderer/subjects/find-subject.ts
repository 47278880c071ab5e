import { unionOf } from "../box-geometry.ts";
import type { Box, Face, Raster } from "../types.ts";
import { barrierDistance } from "./barrier-distance.ts";
import { borderContrast } from "./border-contrast.ts";
import { mainObjectOf, type ObjectPlanes } from "./main-object.ts";
import { edgesOf, type Plane, planesOf, sumOf } from "./planes.ts";
import { CERTAIN_MIN, type MainSubject, type PlainSides, type SubjectMap } from "./subject-map.ts";

/** Certainty of people whose faces were found. */
const PEOPLE_CERTAINTY = 0.9;
/**
 * People with smaller heads, relative to the picture's height, may be onlookers: saliency decides. A whole figure has
 * 7.6 heads.
 */
const HEAD_HEIGHT_MIN = 0.1;

/**
 * Finds the objects in an opaque thumbnail (about 128 px), and its main subject: people, else `known`, a product's box
 * on a plain background, else the most salient object.
 */
export function findSubject(thumbnail: Raster, faces: readonly Face[], known: Box | null): SubjectMap {
  const planes = planesOf(thumbnail);
  const [lightness, redGreen, blueYellow] = planes;
  const objects: ObjectPlanes = {
    barrier: sumOf([barrierDistance(lightness), barrierDistance(redGreen), barrierDistance(blueYellow)]),
    border: borderContrast(planes),
    edges: edgesOf(lightness),
  };
  return {
    ...objects.barrier,
    main: mainOf(faces, () => (known === null ? mainObjectOf(objects) : { box: known, certainty: 1 })),
    plainSides: plainSidesOf(planes),
  };
}

function mainOf(faces: readonly Face[], findObject: () => MainSubject | null): MainSubject | null {
  const people = peopleIn(faces);
  if (people === null) return findObject();
  if (people.headHeight >= HEAD_HEIGHT_MIN) return { box: people.box, certainty: PEOPLE_CERTAINTY };
  const object = findObject();
  if (object === null || object.certainty >= CERTAIN_MIN) return object;
  return { box: unionOf([people.box, object.box]), certainty: object.certainty };
}

/** Heads of at least this height, relative to the largest, belong to the main people. */
const LEADING_SHARE_MIN = 0.5;
/**
 * Space around a detected head, as multiples of the head's size: hair and hats above it, and the chest beside and below
 * it.
 */
const HAIR = 0.2;
const BUST = { across: 0.4, down: 0.65 } as const;
/**
 * Largest fraction of the space between a head and the photo's edge that belongs to the subject, so that a face that
 * fills its photo can still be cropped.
 */
const ROOM_SHARE = 0.75;
/**
 * Size of a whole person with outstretched arms, as multiples of the head's size. Used only if the photo has room for
 * `downMin` from the top of the head.
 */
const FIGURE = { across: 1.7, down: 7.6, downMin: 7 } as const;

/**
 * The box of the main people, in fractions, and the height of their largest head; null without faces. If the photo's
 * lower edge cuts a person, only head and chest must be whole: the photographer has already cut the rest.
 */
function peopleIn(
  faces: readonly Pick<Face, "box" | "head">[],
): { readonly box: Box; readonly headHeight: number } | null {
  // A person cut by the upper edge at the eyes is not the subject.
  const whole = faces.filter(({ box }) => box.y > 0);
  const headHeight = Math.max(0, ...whole.map(({ head }) => head.height));
  const leading = whole.filter(({ head }) => head.height >= headHeight * LEADING_SHARE_MIN);
  return leading.length === 0 ? null : { box: unionOf(leading.map(({ head }) => bodyOf(head))), headHeight };
}

function bodyOf({ x, y, width, height }: Box): Box {
  const [right, bottom] = [x + width, y + height];
  const isFigure = y + height * FIGURE.downMin <= 1;
  const beside = (room: number): number =>
    isFigure ? FIGURE.across * width : Math.min(BUST.across * width, ROOM_SHARE * room);
  const down = isFigure
    ? (FIGURE.down - 1) * height
    : Math.min(BUST.down * height, ROOM_SHARE * (1 - bottom));
  const left = Math.max(0, x - beside(x));
  const top = y - Math.min(HAIR * height, ROOM_SHARE * y);
  return {
    x: left,
    y: top,
    width: Math.min(1, right + beside(1 - right)) - left,
    height: Math.min(1, bottom + down) - top,
  };
}

/** Depth of the strip along a side, as a fraction of the picture. */
const STRIP_SHARE = 0.04;
/** Maximum mean difference between neighbouring pixels in a plain strip, in OKLab. */
const NEIGHBOUR_DIFFERENCE_MAX = 0.012;

/**
 * Number of parts of a strip. The limit for each part is twice that for their mean, so that an edge, such as a table's,
 * may cross a plain strip.
 */
const PARTS = 12;
const PART_DIFFERENCE_MAX = 0.024;

/** Whether the strip along each side changes so slowly that its colours can be extended past the edge. */
function plainSidesOf(planes: readonly Plane[]): PlainSides {
  const isPlain = (side: keyof PlainSides): boolean =>
    planes.every((plane) => {
      const parts = Array.from({ length: PARTS }, (_, part) => roughness(plane, side, part));
      const mean = parts.reduce((sum, one) => sum + one, 0) / PARTS;
      return mean <= NEIGHBOUR_DIFFERENCE_MAX && Math.max(...parts) <= PART_DIFFERENCE_MAX;
    });
  return {
    top: isPlain("top"),
    right: isPlain("right"),
    bottom: isPlain("bottom"),
    left: isPlain("left"),
  };
}

/** The mean absolute difference between neighbouring pixels of one part of a side's strip. */
function roughness({ width, height, values }: Plane, side: keyof PlainSides, part: number): number {
  const isAcross = side === "top" || side === "bottom";
  const deep = Math.max(2, Math.round((isAcross ? height : width) * STRIP_SHARE));
  const along = isAcross ? width : height;
  const [from, to] = [
    Math.floor((along * part) / PARTS),
    Math.min(along - 1, Math.ceil((along * (part + 1)) / PARTS)),
  ];
  const first = side === "right" ? width - deep : side === "bottom" ? height - deep : 0;
  const [left, right] = isAcross ? [from, to] : [first, first + deep - 1];
  const [top, bottom] = isAcross ? [first, first + deep - 1] : [from, to];
  let sum = 0;
  let count = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const value = values[y * width + x] ?? 0;
      sum += Math.abs((values[y * width + x + 1] ?? 0) - value);
      sum += Math.abs((values[(y + 1) * width + x] ?? 0) - value);
      count += 2;
    }
  }
  return count === 0 ? 0 : sum / count;
}
