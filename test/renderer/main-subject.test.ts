import { describe, expect, it } from "vitest";
import { protectedAreasOf } from "#renderer/focus/protected-areas.ts";
import type { Box, Face, Raster } from "#renderer/index.ts";
import { findSubject } from "#renderer/subjects/find-subject.ts";
import { CERTAIN_MIN } from "#renderer/subjects/subject-map.ts";

const [WIDTH, HEIGHT] = [128, 96];
const ALL_SIDES = { top: true, right: true, bottom: true, left: true };

/** A grey that gets lighter downwards, with an orange box on it. */
function thumbnailWith(thing: Box | null): Raster {
  const pixels = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
  for (let at = 0; at < WIDTH * HEIGHT; at += 1) {
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)];
    const isThing =
      thing !== null &&
      x >= thing.x * WIDTH &&
      x < (thing.x + thing.width) * WIDTH &&
      y >= thing.y * HEIGHT &&
      y < (thing.y + thing.height) * HEIGHT;
    const grey = 90 + Math.floor(y / 4);
    pixels.set(isThing ? [230, 120, 20, 255] : [grey, grey, grey, 255], at * 4);
  }
  return { width: WIDTH, height: HEIGHT, pixels, alpha: "opaque" };
}

const faceOf = (head: Box): Face => ({ box: head, head, score: 1 });

describe("the main subject of a thumbnail", () => {
  const thing = { x: 0.25, y: 0.25, width: 0.25, height: 0.5 };

  it("is the most salient object, with a small margin", () => {
    const { main } = findSubject(thumbnailWith(thing), [], null);
    expect(main?.certainty).toBeGreaterThan(CERTAIN_MIN);
    expect(main?.box.x).toBeCloseTo(0.24, 2);
    expect(main?.box.width).toBeCloseTo(0.27, 2);
  });

  it("is null on a plain background, whose sides can all be extended", () => {
    expect(findSubject(thumbnailWith(null), [], null)).toMatchObject({ main: null, plainSides: ALL_SIDES });
  });

  it("is the product if one was already found on a plain background", () => {
    const known = { x: 0.1, y: 0.1, width: 0.2, height: 0.2 };
    expect(findSubject(thumbnailWith(thing), [], known).main).toEqual({ box: known, certainty: 1 });
  });

  it("is a person from the hair to the chest if the lower edge cuts them", () => {
    const { main } = findSubject(
      thumbnailWith(thing),
      [faceOf({ x: 0.4, y: 0.2, width: 0.3, height: 0.4 })],
      null,
    );
    expect(main?.certainty).toBeGreaterThan(CERTAIN_MIN);
    expect(main?.box.y).toBeLessThan(0.2);
    expect((main?.box.y ?? 0) + (main?.box.height ?? 0)).toBeCloseTo(0.86, 2);
  });

  it("is a whole figure with arms if the photo has room from head to feet", () => {
    const { main } = findSubject(
      thumbnailWith(thing),
      [faceOf({ x: 0.45, y: 0.05, width: 0.1, height: 0.12 })],
      null,
    );
    expect(main?.box.x).toBeCloseTo(0.28, 2);
    expect((main?.box.y ?? 0) + (main?.box.height ?? 0)).toBeCloseTo(0.962, 2);
  });

  it("is protected whole, beside an onlooker's face, if the subject is uncertain", () => {
    const box = { x: 0, y: 0, width: 1, height: 1 };
    const onlooker = faceOf({ x: 0.9, y: 0.8, width: 0.05, height: 0.06 });
    const [, subject] = protectedAreasOf([onlooker], undefined, { box, certainty: 0.2 });
    expect(subject?.whole.width).toBeCloseTo(0.96, 2);
    expect(subject?.whole.height).toBeCloseTo(0.96, 2);
  });

  it("is the object rather than an onlooker", () => {
    const onlooker = faceOf({ x: 0.9, y: 0.8, width: 0.05, height: 0.06 });
    const { main } = findSubject(thumbnailWith(thing), [onlooker], null);
    expect(main?.box.x).toBeCloseTo(0.24, 2);
  });
});
