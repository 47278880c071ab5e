import { describe, expect, it } from "vitest";
import { createFaceDetector, type FaceDetector } from "#renderer/faces/face-detector.ts";
import { findFaces } from "#renderer/faces/find-faces.ts";
import { filledCanvas } from "#renderer/raster/canvas.ts";
import { Pyramid } from "#renderer/raster/pyramid.ts";
import { toRgba } from "#renderer/raster/rgb-pixels.ts";
import type { Box, Face, Raster } from "#renderer/types.ts";
import { dimensions } from "../../support/dimensions.ts";
import { loadCodecModules } from "../../support/node-modules.ts";
import { pyramidOf, resampler } from "./pictures.ts";

/**
 * Guarantee: faces are found upright or turned, one or forty, drawn or photographed, in a bounded number of scans,
 * without false positives.
 */

/**
 * Maximum number of scans for these pictures, which need no search for neighbours of small faces. The maximum for any
 * picture is 48.
 */
const SCANS_MAX = 20;

const { faceDetector, faceWeights } = await loadCodecModules();
const detector = await createFaceDetector(faceDetector, faceWeights);

/** Finds faces and counts the scans. */
function find(pyramid: Pyramid): { readonly faces: readonly Face[]; readonly scans: number } {
  let scans = 0;
  const counting: FaceDetector = {
    memoryBytes: detector.memoryBytes,
    scan: (pixels) => {
      scans += 1;
      return detector.scan(pixels);
    },
  };
  return { faces: findFaces(counting, pyramid), scans };
}

const figure = await pyramidOf("figure.png");
/** The figure's face, marked by hand. */
const FACE: Box = { x: 0.33, y: 0.16, width: 0.33, height: 0.29 };

const centreOf = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });
const isAround = (box: Box, point: { readonly x: number; readonly y: number }): boolean =>
  box.x < point.x && point.x < box.x + box.width && box.y < point.y && point.y < box.y + box.height;
const contains = (outer: Box, inner: Box): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height;

/** The raster after quarter turns clockwise. */
function turned(raster: Raster, turns: number): Raster {
  if (turns === 0) return raster;
  const { width, height } = raster;
  const from = new Uint32Array(raster.pixels.buffer);
  const to = new Uint32Array(from.length);
  from.forEach((pixel, at) => {
    to[(at % width) * height + (height - 1 - Math.floor(at / width))] = pixel;
  });
  const pixels = new Uint8ClampedArray(to.buffer);
  return turned({ width: height, height: width, pixels, alpha: raster.alpha }, turns - 1);
}

/** Rows of the figure's head on grey, each in a cell of `cellPx` pixels. */
function crowd(columns: number, rows: number, cellPx: number): Pyramid {
  const { base } = figure;
  const head = { x: base.width * 0.2, y: 0, width: base.width * 0.6, height: base.width * 0.6 };
  const cell = figure.draw(head, cellPx, cellPx);
  const picture = filledCanvas(columns * cellPx, rows * cellPx, { r: 150, g: 150, b: 146 });
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      const at = (y * picture.width + x) * 4;
      const from = ((y % cellPx) * cellPx + (x % cellPx)) * 4;
      const behind = 1 - (cell.pixels[from + 3] ?? 0) / 255;
      for (let channel = 0; channel < 3; channel += 1)
        picture.pixels[at + channel] =
          (cell.pixels[from + channel] ?? 0) + behind * (picture.pixels[at + channel] ?? 0);
    }
  }
  return new Pyramid(picture, resampler);
}

describe("a drawn figure", () => {
  it("has one face, and a head around it with its hair", () => {
    const { faces } = find(figure);
    expect(faces).toHaveLength(1);
    const [face] = faces;
    if (face === undefined) return;
    expect(isAround(face.box, centreOf(FACE))).toBe(true);
    expect(isAround(FACE, centreOf(face.box))).toBe(true);
    expect(contains(face.head, face.box)).toBe(true);
    expect(contains({ x: 0, y: 0, width: 1, height: 1 }, face.head)).toBe(true);
    expect(face.score).toBeGreaterThan(0.5);
  });

  it.each([1, 2, 3])("is found after %d quarter turns", (turns) => {
    const { faces, scans } = find(new Pyramid(turned(toRgba(figure.base), turns), resampler));
    const upright = find(figure).faces[0];
    expect(faces).toHaveLength(1);
    expect(scans).toBeLessThanOrEqual(SCANS_MAX);
    const [face] = faces;
    if (face === undefined || upright === undefined) return;
    const { x, y } = centreOf(upright.box);
    const centre = [
      { x, y },
      { x: 1 - y, y: x },
      { x: 1 - x, y: 1 - y },
      { x: y, y: 1 - x },
    ][turns];
    expect(centre !== undefined && isAround(face.box, centre)).toBe(true);
  });

  it("is found when its face fills the picture", () => {
    const { width, height } = figure.base;
    const part = {
      x: FACE.x * width,
      y: FACE.y * height,
      width: FACE.width * width,
      height: FACE.height * height,
    };
    expect(find(new Pyramid(figure.draw(part, 300, 300), resampler)).faces).toHaveLength(1);
  });
});

describe("a crowd", () => {
  it("of forty: nearly all faces are found, and none twice", () => {
    const { faces, scans } = find(crowd(8, 5, 150));
    expect(scans).toBeLessThanOrEqual(SCANS_MAX);
    const cells = faces.map(({ box }) => {
      const { x, y } = centreOf(box);
      return Math.floor(x * 8) + Math.floor(y * 5) * 8;
    });
    expect(new Set(cells).size).toBe(cells.length);
    expect(cells.length).toBeGreaterThanOrEqual(38);
  });
});

describe("no face is found", () => {
  it.each(["bottle.png", "bottle-photo.jpg", "phone.png", "dandelion.jpg", "dandelion-turned.jpg"])(
    "in %s",
    async (name) => {
      const { faces, scans } = find(await pyramidOf(name));
      expect(faces).toEqual([]);
      expect(scans).toBeLessThanOrEqual(SCANS_MAX);
    },
  );

  it.each(dimensions("1x1 8000x1 1x8000 3x700 192x192"))(
    "in a plain picture of %d by %d",
    (width, height) => {
      const { faces, scans } = find(
        new Pyramid(filledCanvas(width, height, { r: 200, g: 160, b: 140 }), resampler),
      );
      expect(faces).toEqual([]);
      expect(scans).toBeLessThanOrEqual(SCANS_MAX);
    },
  );

  it("where nothing is visible", () => {
    const pixels = new Uint8ClampedArray(300 * 200 * 4);
    const clear = new Pyramid({ width: 300, height: 200, pixels, alpha: "premultiplied" }, resampler);
    expect(find(clear).faces).toEqual([]);
  });
});
