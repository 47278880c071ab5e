import type { Bounds } from "../box-geometry.ts";
import type { Plane } from "./planes.ts";

/** What stands out by at least each of these values is one object. */
const THRESHOLDS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
/** Objects of fewer pixels are specks, and only the most conspicuous of each threshold are looked at. */
const PIXELS_MIN = 10;
const OBJECTS_MAX = 6;
/** A subject may fall into parts, as dark shoes on a dark floor do: each of the first three joins each up to the fourth. */
const JOINED_MAX = [3, 4] as const;
/** The least and the largest part of the picture that a subject takes. */
const AREA_SHARE = { min: 0.0012, max: 0.92 } as const;
const EDGE_PX_MIN = 2;

/** Boxes around what stands out in the planes (0..1), alone and in pairs, each once. */
export function candidateBoxes(planes: readonly Plane[]): readonly Bounds[] {
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

/** Which pixels were seen or are too low, and those still to be looked at: one pair for all thresholds. */
interface Buffers {
  readonly seen: Uint8Array;
  readonly stack: Int32Array;
}

/** Boxes of the connected pixels of at least a value, the most conspicuous first. */
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
