import { unionOf } from "../box-geometry.ts";
import type { Box, Face } from "../types.ts";
import type { Plane } from "./planes.ts";
import type { MainSubject } from "./subject-map.ts";

/** Pixels of an object: as a share of the way from the background's mean to the highest value. */
const OBJECT_SHARE = 0.42;
/** Objects of less area than this share of the picture are specks. */
const AREA_SHARE_MIN = 0.004;
/** Objects this much less important than the first are not part of it, and one this near joins it, in shares. */
const JOIN_SHARE = 0.35;
const JOIN_GAP = 0.03;
/** An object over more of the picture than this is a scene. */
const SCENE_SHARE = 0.82;
/** A body below a head, in heads: half as wide to either side, and this many high. */
const BODY = { across: 0.9, down: 3.2 };

interface Blob {
  readonly box: Box;
  readonly weight: number;
  readonly area: number;
}

/** The main subject of a map of objects: people first, else the object of most area, contrast and central place. */
export function mainSubjectOf(map: Plane, faces: readonly Face[]): MainSubject | null {
  const lead = faces[0];
  if (lead !== undefined) return { box: bodyOf(faces), certainty: 0.9 };
  const blobs = blobsOf(map);
  const first = blobs[0];
  if (first === undefined) return null;
  const joined = blobs.filter(
    (blob) =>
      blob === first || (blob.weight > first.weight * JOIN_SHARE && gapOf(blob.box, first.box) < JOIN_GAP),
  );
  const box = unionOf(joined.map((blob) => blob.box));
  if (box.width * box.height > SCENE_SHARE) return null;
  const others = blobs.filter((blob) => !joined.includes(blob)).reduce((sum, blob) => sum + blob.weight, 0);
  const weight = joined.reduce((sum, blob) => sum + blob.weight, 0);
  return { box, certainty: weight / (weight + others) };
}

function bodyOf(faces: readonly Face[]): Box {
  const largest = Math.max(...faces.map(({ head }) => head.height));
  const people = faces.filter(({ head }) => head.height > largest * 0.5);
  return unionOf(
    people.map(({ head }) => {
      const left = Math.max(0, head.x - head.width * BODY.across);
      const right = Math.min(1, head.x + head.width * (1 + BODY.across));
      return {
        x: left,
        y: head.y,
        width: right - left,
        height: Math.min(1 - head.y, head.height * BODY.down),
      };
    }),
  );
}

const gapOf = (one: Box, other: Box): number =>
  Math.max(
    one.x - other.x - other.width,
    other.x - one.x - one.width,
    one.y - other.y - other.height,
    other.y - one.y - one.height,
  );

/** Connected groups of object pixels, the most important first. */
function blobsOf({ width, height, values }: Plane): readonly Blob[] {
  let sum = 0;
  let most = 0;
  for (const value of values) {
    sum += value;
    most = Math.max(most, value);
  }
  const mean = sum / Math.max(1, values.length);
  const least = mean + (most - mean) * OBJECT_SHARE;
  const seen = new Uint8Array(values.length);
  const stack = new Int32Array(values.length);
  const blobs: Blob[] = [];
  for (let start = 0; start < values.length; start += 1) {
    if (seen[start] === 1 || (values[start] ?? 0) < least) continue;
    let depth = 0;
    stack[depth++] = start;
    seen[start] = 1;
    let [left, top, right, bottom, area, weight] = [width, height, 0, 0, 0, 0];
    while (depth > 0) {
      const at = stack[--depth] ?? 0;
      const x = at % width;
      const y = (at - x) / width;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      area += 1;
      const [dx, dy] = [(x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5];
      weight += (values[at] ?? 0) * (1 - 1.2 * (dx * dx + dy * dy));
      const push = (next: number, isInside: boolean): void => {
        if (!isInside || seen[next] === 1 || (values[next] ?? 0) < least) return;
        seen[next] = 1;
        stack[depth++] = next;
      };
      push(at - 1, x > 0);
      push(at + 1, x < width - 1);
      push(at - width, y > 0);
      push(at + width, y < height - 1);
    }
    if (area < values.length * AREA_SHARE_MIN) continue;
    const box = {
      x: left / width,
      y: top / height,
      width: (right + 1 - left) / width,
      height: (bottom + 1 - top) / height,
    };
    blobs.push({ box, weight, area });
  }
  return blobs.sort((one, other) => other.weight - one.weight);
}
