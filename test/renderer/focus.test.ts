import { describe, expect, it } from "vitest";
import { drawnBounds, measureAlpha } from "#renderer/focus/alpha-extent.ts";
import { coverCrop } from "#renderer/focus/cover-crop.ts";
import { focalPointOf } from "#renderer/focus/focal-point.ts";
import { emphasiseSubject, findSubjectOnPlainBackground } from "#renderer/focus/plain-background.ts";
import { saliencyMapOf } from "#renderer/focus/saliency.ts";
import { contains } from "#renderer/layout/pictures/protected-area-damage.ts";
import { fillBox } from "#renderer/raster/blend.ts";
import { emptyLayer, filledCanvas } from "#renderer/raster/canvas.ts";
import type { Box, Raster } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";

const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

/** A grey scene with one orange object at the given place (fractions). */
function scene(x: number, y: number): Raster {
  const picture = filledCanvas(128, 96, { r: 120, g: 124, b: 122 });
  fillBox(picture, { x: 0, y: 60, width: 128, height: 36 }, { r: 96, g: 102, b: 98 });
  fillBox(picture, { x: x * 128 - 8, y: y * 96 - 8, width: 16, height: 16 }, { r: 236, g: 120, b: 24 });
  return picture;
}

/**
 * The part of a 1280 x 960 picture that is shown in a box. Text leaves only `free` (fractions of the box) uncovered.
 */
function cropOf(picture: Raster, boxWidth: number, boxHeight: number, free = WHOLE): Box {
  const saliency = saliencyMapOf(picture);
  const focalPoint = focalPointOf(saliency);
  return coverCrop({ sourceWidth: 1280, sourceHeight: 960, boxWidth, boxHeight, free, saliency, focalPoint });
}

describe("the important part of a picture", () => {
  it.each([
    [0.2, 0.3],
    [0.8, 0.7],
    [0.5, 0.5],
    [0.85, 0.2],
  ])("is found at %d, %d", (x, y) => {
    const focal = focalPointOf(saliencyMapOf(scene(x, y)));
    expect(Math.abs(focal.x - x)).toBeLessThan(0.06);
    expect(Math.abs(focal.y - y)).toBeLessThan(0.08);
  });

  it("is the centre of an empty picture", () => {
    const focal = focalPointOf(saliencyMapOf(filledCanvas(64, 64, { r: 90, g: 90, b: 90 })));
    expect(focal.x).toBeCloseTo(0.5, 1);
    expect(focal.y).toBeCloseTo(0.5, 1);
  });

  it.each(dimensions("160x600 1200x300 300x250"))(
    "stays inside a crop for %d x %d, which keeps the box's aspect",
    (boxWidth, boxHeight) => {
      for (const [x, y] of [
        [0.2, 0.3],
        [0.8, 0.7],
      ] as const) {
        const crop = cropOf(scene(x, y), boxWidth, boxHeight);
        expect(crop.width / crop.height).toBeCloseTo(boxWidth / boxHeight, 6);
        expect(crop.x).toBeGreaterThanOrEqual(0);
        expect(crop.y).toBeGreaterThanOrEqual(0);
        expect(crop.x + crop.width).toBeLessThanOrEqual(1280.001);
        expect(crop.y + crop.height).toBeLessThanOrEqual(960.001);
        expect((x * 1280 - crop.x) / crop.width).toBeGreaterThan(0.08);
        expect((x * 1280 - crop.x) / crop.width).toBeLessThan(0.92);
        expect((y * 960 - crop.y) / crop.height).toBeGreaterThan(0.08);
        expect((y * 960 - crop.y) / crop.height).toBeLessThan(0.92);
      }
    },
  );

  it("is placed in the part of the box without text", () => {
    const at = (free: Box) => {
      const crop = cropOf(scene(0.5, 0.5), 500, 500, free);
      return (640 - crop.x) / crop.width;
    };
    expect(at({ x: 0.5, y: 0, width: 0.5, height: 1 })).toBeGreaterThan(0.55);
    expect(at({ x: 0, y: 0, width: 0.5, height: 1 })).toBeLessThan(0.45);
  });

  it("of a cut-out is the bounding box of its opaque pixels; a transparent picture has none", () => {
    const layer = emptyLayer(60, 40);
    expect(measureAlpha(layer).bounds).toBeNull();
    fillBox(layer, { x: 10, y: 5, width: 20, height: 30 }, { r: 200, g: 0, b: 0 });
    expect(measureAlpha(layer)).toEqual({ isCutOut: true, bounds: { x: 10, y: 5, width: 20, height: 30 } });
    expect(measureAlpha(filledCanvas(9, 9, { r: 0, g: 0, b: 0 })).isCutOut).toBe(false);
  });
});

describe("the drawing on a plain background", () => {
  it("is found without its margins", () => {
    const logo = filledCanvas(80, 40, { r: 255, g: 255, b: 255 });
    fillBox(logo, { x: 12, y: 9, width: 50, height: 20 }, { r: 0, g: 58, b: 112 });
    expect(drawnBounds(logo)).toEqual({ x: 12, y: 9, width: 50, height: 20 });
  });

  it("is the whole picture if the background is not plain, or nothing is on it", () => {
    const whole = { x: 0, y: 0, width: 80, height: 40 };
    const photo = filledCanvas(80, 40, { r: 255, g: 255, b: 255 });
    fillBox(photo, { x: 0, y: 30, width: 80, height: 10 }, { r: 90, g: 80, b: 70 });
    expect(drawnBounds(photo)).toEqual(whole);
    expect(drawnBounds(filledCanvas(80, 40, { r: 10, g: 20, b: 30 }))).toEqual(whole);
  });
});

describe("heads", () => {
  it("outweigh everything else", () => {
    const head: Box = { x: 0.1, y: 0.2, width: 0.15, height: 0.25 };
    const focal = focalPointOf(saliencyMapOf(scene(0.85, 0.7), [{ head }]));
    expect(focal.x).toBeCloseTo(0.175, 1);
    expect(focal.y).toBeCloseTo(0.325, 1);
  });

  it("are kept together", () => {
    const left: Box = { x: 0.1, y: 0.2, width: 0.15, height: 0.25 };
    const right: Box = { ...left, x: 0.45 };
    const focal = focalPointOf(saliencyMapOf(scene(0.9, 0.9), [{ head: left }, { head: right }]));
    expect(focal.x).toBeCloseTo(0.35, 1);
  });

  it("may reach the picture's edges", () => {
    const head: Box = { x: 0.7, y: 0, width: 0.3, height: 1 };
    expect(focalPointOf(saliencyMapOf(scene(0.2, 0.5), [{ head }])).x).toBeGreaterThan(0.75);
  });
});

describe("a product on a plain background", () => {
  /** A wall, a table under it and a bottle on the table. */
  function studio(left: number, top: number): Raster {
    const picture = filledCanvas(120, 120, { r: 222, g: 204, b: 176 });
    fillBox(picture, { x: 0, y: 92, width: 120, height: 28 }, { r: 196, g: 164, b: 122 });
    fillBox(picture, { x: left, y: top, width: 30, height: 100 - top }, { r: 132, g: 62, b: 20 });
    fillBox(picture, { x: left + 10, y: top - 14, width: 10, height: 14 }, { r: 18, g: 60, b: 44 });
    return picture;
  }

  it.each(dimensions("45x30 12x40 70x50"))("is found whole, including its tip, at %d, %d", (left, top) => {
    const subjectBox = findSubjectOnPlainBackground(studio(left, top));
    expect(subjectBox).not.toBeNull();
    if (subjectBox === null) return;
    expect(subjectBox.x).toBeCloseTo(left / 120, 2);
    expect(subjectBox.width).toBeCloseTo(30 / 120, 2);
    expect(subjectBox.y).toBeCloseTo((top - 14) / 120, 2);
    expect(subjectBox.y + subjectBox.height).toBeCloseTo(100 / 120, 2);
  });

  it("is null if the background is not plain, or nothing is on it", () => {
    expect(findSubjectOnPlainBackground(filledCanvas(120, 120, { r: 222, g: 204, b: 176 }))).toBeNull();
    const restless = studio(45, 30);
    for (let y = 0; y < 120; y += 6)
      fillBox(restless, { x: 0, y, width: 5, height: 3 }, { r: 40, g: 90, b: 160 });
    expect(findSubjectOnPlainBackground(restless)).toBeNull();
  });

  it("attracts the focal point and the crop", () => {
    const picture = studio(70, 40);
    const subjectBox = findSubjectOnPlainBackground(picture);
    expect(subjectBox).not.toBeNull();
    if (subjectBox === null) return;
    const saliency = emphasiseSubject(saliencyMapOf(picture), subjectBox);
    const focalPoint = focalPointOf(saliency);
    expect(focalPoint.x).toBeGreaterThan(subjectBox.x);
    expect(focalPoint.x).toBeLessThan(subjectBox.x + subjectBox.width);
    const crop = coverCrop({
      sourceWidth: 120,
      sourceHeight: 120,
      boxWidth: 60,
      boxHeight: 120,
      free: WHOLE,
      saliency,
      focalPoint,
    });
    expect(crop.x).toBeLessThanOrEqual(subjectBox.x * 120);
    expect(crop.x + crop.width).toBeGreaterThanOrEqual((subjectBox.x + subjectBox.width) * 120);
  });
});

describe("a crop with protected areas", () => {
  const saliency = saliencyMapOf(scene(0.5, 0.5));
  const crop = (boxWidth: number, boxHeight: number, protectedAreas: readonly Box[], free = WHOLE): Box => {
    const focalPoint = focalPointOf(saliency);
    return coverCrop({
      sourceWidth: 1280,
      sourceHeight: 960,
      boxWidth,
      boxHeight,
      free,
      saliency,
      focalPoint,
      protectedAreas,
    });
  };
  /** A part of the source in fractions of the crop. */
  const within = (shown: Box, part: Box): Box => ({
    x: (part.x * 1280 - shown.x) / shown.width,
    y: (part.y * 960 - shown.y) / shown.height,
    width: (part.width * 1280) / shown.width,
    height: (part.height * 960) / shown.height,
  });
  const grown: Box = { x: -1e-6, y: -1e-6, width: 1 + 2e-6, height: 1 + 2e-6 };

  it("shows the areas whole in the free part, wherever they are", () => {
    for (const part of [
      { x: 0, y: 0, width: 0.15, height: 0.2 },
      { x: 0.8, y: 0.75, width: 0.2, height: 0.25 },
      { x: 0.4, y: 0.1, width: 0.2, height: 0.3 },
    ]) {
      expect(contains(grown, within(crop(300, 600, [part]), part))).toBe(true);
      expect(contains(grown, within(crop(900, 300, [part]), part))).toBe(true);
    }
    const part = { x: 0.45, y: 0.3, width: 0.12, height: 0.2 };
    const free = { x: 0.5, y: 0, width: 0.5, height: 1 };
    const placed = within(crop(500, 500, [part], free), part);
    expect(placed.x).toBeGreaterThanOrEqual(0.5 - 1e-6);
  });

  it("keeps the most important area if it cannot keep all", () => {
    const [first, second] = [
      { x: 0.02, y: 0.3, width: 0.2, height: 0.3 },
      { x: 0.8, y: 0.3, width: 0.15, height: 0.25 },
    ];
    const shown = crop(200, 600, [first, second]);
    expect(contains(grown, within(shown, first))).toBe(true);
    const other = within(shown, second);
    // The less important area is outside the crop, not cut.
    expect(other.x >= 1 || other.x + other.width <= 0).toBe(true);
  });

  it("puts a given focal point as near to the free part's centre as possible", () => {
    const given = (x: number) =>
      coverCrop({
        sourceWidth: 1280,
        sourceHeight: 960,
        boxWidth: 300,
        boxHeight: 600,
        free: WHOLE,
        saliency,
        focalPoint: { x, y: 0.5 },
        isFocusGiven: true,
      });
    expect((0.6 * 1280 - given(0.6).x) / given(0.6).width).toBeCloseTo(0.5, 1);
    expect(given(0.01).x).toBeCloseTo(0, 6);
    expect(given(0.99).x + given(0.99).width).toBeCloseTo(1280, 6);
  });
});
