import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchQuality } from "#renderer/encode/lossy-still.ts";

const SEED = 20261122;
const RANGE = { min: 40, preferred: 85 };

/** An encoder whose files have the sizes given for the qualities from `RANGE.min` on. */
const encoderOf = (sizes: readonly number[]) => (quality: number) =>
  new Uint8Array(sizes[quality - RANGE.min] ?? 0);

/** Sizes that grow with the quality, like those of an encoder. */
const growingSizes = fc
  .array(fc.integer({ min: 1, max: 50 }), { minLength: 46, maxLength: 46 })
  .map((steps) => steps.map((_, index) => steps.slice(0, index + 1).reduce((sum, step) => sum + step, 0)));

describe("API §14.4 a byte cap", () => {
  it("of exactly the preferred file's size keeps that file; a cap of one byte less returns a smaller file", () => {
    const sizes = Array.from({ length: 46 }, (_, index) => 100 + index);
    expect(searchQuality(encoderOf(sizes), RANGE, 145)?.quality).toBe(85);
    const under = searchQuality(encoderOf(sizes), RANGE, 144);
    expect([under?.quality, under?.bytes.length]).toEqual([84, 144]);
  });

  it("of any size is used to its last byte and never exceeded", () => {
    fc.assert(
      fc.property(growingSizes, fc.nat({ max: 45 }), fc.constantFrom(-1, 0, 1), (sizes, at, off) => {
        const cap = (sizes[at] ?? 0) + off;
        const found = searchQuality(encoderOf(sizes), RANGE, cap);
        const best = sizes.findLastIndex((size) => size <= cap);
        // If nothing fits, the smallest is returned, and the caller sees that it does not fit.
        expect(found?.quality).toBe(RANGE.min + Math.max(0, best));
        if (best >= 0) expect(found?.bytes.length).toBeLessThanOrEqual(cap);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });
});
