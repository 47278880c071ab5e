import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ellipse, fillPath, type Mask, type Path, PathBuilder, roundedRect } from "#renderer/vector/index.ts";

const SEED = 20261103;
const CANVAS = { x: 0, y: 0, width: 64, height: 64 };

function polygon(points: readonly (readonly [x: number, y: number])[]): Path {
  const builder = new PathBuilder();
  for (const [i, [x, y]] of points.entries()) i === 0 ? builder.moveTo(x, y) : builder.lineTo(x, y);
  return builder.close().build();
}

function areaOf(mask: Mask): number {
  let sum = 0;
  for (const value of mask.coverage) sum += value;
  return sum / 255;
}

function at(mask: Mask, x: number, y: number): number {
  const [column, row] = [x - mask.x, y - mask.y];
  const isInside = column >= 0 && row >= 0 && column < mask.width && row < mask.height;
  return isInside ? (mask.coverage[row * mask.width + column] ?? 0) : 0;
}

describe("coverage is the exact fraction of area", () => {
  it("is the covered fraction in each pixel of a rectangle with fractional edges", () => {
    const mask = fillPath(roundedRect({ x: 2.25, y: 3.5, width: 4.5, height: 2 }, 0), CANVAS);
    expect([mask.x, mask.y, mask.width, mask.height]).toEqual([2, 3, 5, 3]);
    expect(at(mask, 3, 4)).toBe(255);
    expect(at(mask, 2, 4)).toBe(Math.round(255 * 0.75));
    expect(at(mask, 2, 3)).toBe(Math.round(255 * 0.375));
    expect(at(mask, 6, 5)).toBe(Math.round(255 * 0.375));
  });

  it("measures circles, rounded rectangles and frames", () => {
    expect(areaOf(fillPath(ellipse(32.3, 31.7, 20, 20), CANVAS))).toBeCloseTo(Math.PI * 400, -0.5);
    const rounded = fillPath(roundedRect({ x: 1.5, y: 2.5, width: 40, height: 30 }, 9), CANVAS);
    expect(Math.abs(areaOf(rounded) - (1200 - (4 - Math.PI) * 81))).toBeLessThan(0.6);
    const outer = roundedRect({ x: 4, y: 4, width: 40, height: 30 }, 0);
    // The opposite winding.
    const inner = polygon([
      [5, 5],
      [5, 33],
      [43, 33],
      [43, 5],
    ]);
    const frame = fillPath(new PathBuilder().append(outer).append(inner).build(), CANVAS);
    expect(areaOf(frame)).toBeCloseTo(2 * 40 + 2 * 28, 6);
    expect(at(frame, 10, 10)).toBe(0);
  });

  it("splits a pixel along a diagonal", () => {
    const mask = fillPath(
      polygon([
        [0, 0],
        [8, 8],
        [0, 8],
      ]),
      CANVAS,
    );
    expect(at(mask, 3, 3)).toBe(128);
    expect(at(mask, 2, 3)).toBe(255);
    expect(at(mask, 4, 3)).toBe(0);
  });
});

describe("winding is non-zero", () => {
  it("draws overlapping contours as their union, also on shared grey edges", () => {
    const twice = new PathBuilder()
      .append(roundedRect({ x: 2.5, y: 2.5, width: 10, height: 10 }, 0))
      .append(roundedRect({ x: 2.5, y: 2.5, width: 10, height: 10 }, 0))
      .build();
    const once = roundedRect({ x: 2.5, y: 2.5, width: 10, height: 10 }, 0);
    expect(fillPath(twice, CANVAS)).toEqual(fillPath(once, CANVAS));
  });

  it("fills both lobes of a figure of eight", () => {
    const mask = fillPath(
      polygon([
        [0, 0],
        [10, 10],
        [10, 0],
        [0, 10],
      ]),
      CANVAS,
    );
    expect(areaOf(mask)).toBeCloseTo(50, 0);
  });

  it("matches point sampling on random self-crossing polygons", () => {
    const point = fc.tuple(fc.integer({ min: -8, max: 40 }), fc.integer({ min: -8, max: 40 }));
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 9 }), (points) => {
        const scaled = points.map(([x, y]) => [x * 0.61, y * 0.57] as const);
        const region = { x: 0, y: 0, width: 16, height: 16 };
        const mask = fillPath(polygon(scaled), region);
        let worst = 0;
        for (let y = 0; y < 16; y += 1) {
          for (let x = 0; x < 16; x += 1) {
            worst = Math.max(worst, Math.abs(at(mask, x, y) / 255 - sampledShare(scaled, x, y)));
          }
        }
        expect(worst).toBeLessThan(0.17);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });
});

describe("limits and borders", () => {
  it("allocates only the region", () => {
    const huge = roundedRect({ x: -50_000, y: -50_000, width: 100_000, height: 100_000 }, 0);
    const mask = fillPath(huge, { x: 3, y: 4, width: 5, height: 6 });
    expect([mask.x, mask.y, mask.width, mask.height]).toEqual([3, 4, 5, 6]);
    expect(mask.coverage.every((value) => value === 255)).toBe(true);
    expect(fillPath(ellipse(200, 200, 5, 5), CANVAS).coverage.length).toBe(0);
  });

  it("a clipped fill has the same pixels as a cut from the whole fill", () => {
    const path: Path = new PathBuilder()
      .moveTo(-5, 3)
      .cubicTo(70, -20, -40, 90, 61, 50)
      .quadTo(10, 70, 3, 40)
      .build();
    const whole = fillPath(path, { x: -20, y: -40, width: 120, height: 160 });
    const part = fillPath(path, { x: 7, y: 9, width: 20, height: 21 });
    for (let y = 9; y < 30; y += 1) {
      for (let x = 7; x < 27; x += 1)
        expect(Math.abs(at(part, x, y) - at(whole, x, y))).toBeLessThanOrEqual(1);
    }
  });

  it("rejects coordinates that are not finite and masks that are too large", () => {
    expect(() => new PathBuilder().moveTo(Number.NaN, 0)).toThrow(RangeError);
    expect(() => new PathBuilder().lineTo(0, 1e9)).toThrow(RangeError);
    const box = { x: 0, y: 0, width: 9000, height: 9000 };
    expect(() => fillPath(roundedRect(box, 0), box)).toThrow(RangeError);
  });

  it("survives thousands of crossings in one row", () => {
    const builder = new PathBuilder().moveTo(0, 0);
    for (let i = 0; i < 600; i += 1) builder.lineTo((i * 37) % 60, i % 2);
    const mask = fillPath(builder.close().build(), CANVAS);
    expect(mask.height).toBe(1);
  });
});

/** Fraction of a pixel's 16 × 16 sample points with non-zero winding. */
function sampledShare(points: readonly (readonly [number, number])[], x: number, y: number): number {
  let inside = 0;
  for (let sy = 0; sy < 16; sy += 1) {
    for (let sx = 0; sx < 16; sx += 1) {
      if (windingAt(points, x + (sx + 0.5) / 16, y + (sy + 0.5) / 16) !== 0) inside += 1;
    }
  }
  return inside / 256;
}

function windingAt(points: readonly (readonly [number, number])[], x: number, y: number): number {
  let winding = 0;
  points.forEach(([x0, y0], i) => {
    const [x1, y1] = points[(i + 1) % points.length] ?? [x0, y0];
    const isDown = y0 <= y && y1 > y;
    const isUp = y1 <= y && y0 > y;
    if (!isDown && !isUp) return;
    const crossX = x0 + ((y - y0) * (x1 - x0)) / (y1 - y0);
    if (crossX <= x) winding += isDown ? 1 : -1;
  });
  return winding;
}
