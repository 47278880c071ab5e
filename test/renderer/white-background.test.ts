import { describe, expect, it } from "vitest";
import { removeWhiteBackground } from "#renderer/focus/white-background.ts";
import { fillBox } from "#renderer/raster/blend.ts";
import { filledCanvas } from "#renderer/raster/canvas.ts";
import type { Raster } from "#renderer/types.ts";

const RED = { r: 190, g: 30, b: 24 };
const WHITE = { r: 255, g: 255, b: 255 };

/** A red product with a white label, on a background. */
function photo(background = { r: 252, g: 252, b: 252 }): Raster {
  const picture = filledCanvas(60, 80, background);
  fillBox(picture, { x: 20, y: 10, width: 20, height: 60 }, RED);
  fillBox(picture, { x: 24, y: 30, width: 12, height: 16 }, WHITE);
  return picture;
}

const pixel = ({ pixels, width }: Raster, x: number, y: number): number[] => [
  ...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
];

describe("a product on white", () => {
  it("loses its white background, but keeps white inside the product", () => {
    const freed = removeWhiteBackground(photo());
    if (freed === null) throw new Error("not taken off");
    expect(pixel(freed.raster, 2, 2)).toEqual([0, 0, 0, 0]);
    expect(pixel(freed.raster, 30, 20)).toEqual([190, 30, 24, 255]);
    expect(pixel(freed.raster, 30, 36)).toEqual([255, 255, 255, 255]);
    expect(freed.hasOwnShadow).toBe(false);
    expect(freed.raster.alpha).toBe("premultiplied");
  });

  it("keeps its shadow, denser where it is darker, and reports it", () => {
    const picture = photo(WHITE);
    fillBox(picture, { x: 12, y: 70, width: 36, height: 6 }, { r: 215, g: 215, b: 215 });
    const freed = removeWhiteBackground(picture);
    if (freed === null) throw new Error("not taken off");
    expect(pixel(freed.raster, 30, 73)).toEqual([0, 0, 0, 40]);
    expect(freed.hasOwnShadow).toBe(true);
  });

  it("loses background around corners, but not in closed holes", () => {
    const picture = filledCanvas(40, 40, WHITE);
    fillBox(picture, { x: 8, y: 8, width: 24, height: 24 }, RED);
    // A hook of white that opens to the left, and a closed hole.
    fillBox(picture, { x: 8, y: 12, width: 14, height: 3 }, WHITE);
    fillBox(picture, { x: 19, y: 12, width: 3, height: 12 }, WHITE);
    fillBox(picture, { x: 26, y: 20, width: 3, height: 3 }, WHITE);
    const freed = removeWhiteBackground(picture);
    if (freed === null) throw new Error("not taken off");
    expect(pixel(freed.raster, 20, 22)[3]).toBe(0);
    expect(pixel(freed.raster, 27, 21)[3]).toBe(255);
  });
});

describe("a photo on another background", () => {
  it("is unchanged", () => {
    for (const background of [
      { r: 240, g: 228, b: 205 },
      { r: 200, g: 200, b: 200 },
      { r: 10, g: 12, b: 20 },
    ]) {
      const picture = photo(background);
      const before = picture.pixels.slice();
      expect(removeWhiteBackground(picture)).toBeNull();
      expect(picture.pixels).toEqual(before);
    }
  });

  it("is unchanged if it is not opaque", () => {
    expect(removeWhiteBackground({ ...photo(), alpha: "premultiplied" })).toBeNull();
  });
});
