import { describe, expect, it } from "vitest";
import { candidatesOf, type Detection, mergeDetections } from "#renderer/faces/detections.ts";
import { CELL_NUMBERS, GRID_EDGE } from "#renderer/faces/face-detector.ts";
import { tileScans } from "#renderer/faces/plan-scans.ts";
import { dimensions } from "../../support/dimensions.ts";

/** The network's output with one face in a cell; the other cells score low. */
function cellsWith(cell: number, numbers: readonly number[]): Float32Array {
  const cells = new Float32Array(GRID_EDGE * GRID_EDGE * CELL_NUMBERS).fill(-100);
  cells.set(numbers, cell * CELL_NUMBERS);
  return cells;
}

describe("a cell's numbers", () => {
  // A score, a box 40 pixels wide and high, 3 right of and 2 above the cell's centre, eyes, nose, mouth and ears.
  const NUMBERS = [1.5, 3, -2, 40, 40, -5, -10, 12, -10, 4, 2, 4, 10, -14, -4, 22, -4, 0, 0, 0];
  const cell = 10 * GRID_EDGE + 20;

  it("are a box around the cell's centre", () => {
    const [found, ...others] = candidatesOf(cellsWith(cell, NUMBERS), 0);
    expect(others).toEqual([]);
    expect(found?.logit).toBe(1.5);
    // Cells are four pixels wide: the centre is at 82, 42.
    expect(found?.box).toEqual({ x: 65, y: 20, width: 40, height: 40 });
  });

  it("are a face from ear to ear in a head around it", () => {
    const [found] = candidatesOf(cellsWith(cell, NUMBERS), 0);
    if (found === undefined) throw new Error("no face");
    const { face, head } = found;
    expect(face.x).toBeLessThan(82 - 14);
    expect(face.x + face.width).toBeGreaterThan(82 + 22);
    expect(head.x).toBeLessThan(face.x);
    expect(head.y).toBeLessThan(face.y - 10);
    expect(head.x + head.width).toBeGreaterThan(face.x + face.width);
    expect(head.y + head.height).toBeGreaterThan(face.y + face.height);
  });

  it.each([
    ["a score below the least", [-0.1, ...NUMBERS.slice(1)]],
    ["no score", [Number.NaN, ...NUMBERS.slice(1)]],
    ["a box without width", [1, 0, 0, 0, 40, ...NUMBERS.slice(5)]],
    ["a box of negative height", [1, 0, 0, 40, -40, ...NUMBERS.slice(5)]],
  ])("are ignored with %s", (_, numbers) => {
    expect(candidatesOf(cellsWith(cell, numbers), 0)).toEqual([]);
  });
});

describe("detections in several scans", () => {
  const seen = (x: number, y: number, edge: number, logit: number): Detection => {
    const box = { x, y, width: edge, height: edge };
    return { box, face: box, head: box, logit, turns: 0 };
  };

  it("are one face if their boxes mostly overlap; its box is nearer to the likelier detection", () => {
    const merged = mergeDetections([seen(10, 10, 40, 1), seen(14, 10, 40, 3)]);
    expect(merged).toHaveLength(1);
    expect(merged[0]?.logit).toBe(3);
    expect(merged[0]?.box.x).toBeCloseTo(12.83, 2);
  });

  it("average their likelier boxes; a face with only weak detections has the box of the best", () => {
    expect(mergeDetections([seen(10, 10, 40, 1), seen(20, 10, 40, -0.5)])[0]?.box.x).toBe(10);
    expect(mergeDetections([seen(10, 10, 40, -0.6), seen(14, 10, 40, -0.5)])[0]?.box.x).toBe(14);
  });

  it("are one face if one box is inside the other", () => {
    expect(mergeDetections([seen(0, 0, 100, 2), seen(30, 40, 30, 1)])).toHaveLength(1);
  });

  it("are two faces side by side, the likelier first", () => {
    const merged = mergeDetections([seen(0, 0, 40, 1), seen(36, 0, 40, 2)]);
    expect(merged.map(({ logit }) => logit)).toEqual([2, 1]);
  });

  it("are none if the list is empty", () => {
    expect(mergeDetections([])).toEqual([]);
  });
});

describe("tiles", () => {
  it.each(dimensions("1x1 4000x3000 3000x4000 2000x2000 1920x1080 6000x1000 9000x1 7x5000"))(
    "cover a picture of %d by %d",
    (width, height) => {
      const parts = tileScans({ width, height }).map(({ part }) => part);
      expect(parts.length).toBeLessThanOrEqual(10);
      for (let row = 0; row <= 20; row += 1) {
        for (let column = 0; column <= 20; column += 1) {
          const [x, y] = [(column / 20) * width, (row / 20) * height];
          const isSeen = parts.some(
            (part) =>
              x >= part.x - 1e-6 &&
              x <= part.x + part.width + 1e-6 &&
              y >= part.y - 1e-6 &&
              y <= part.y + part.height + 1e-6,
          );
          expect(isSeen).toBe(true);
        }
      }
    },
  );
});
