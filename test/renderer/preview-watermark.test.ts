import { describe, expect, it } from "vitest";
import { drawWatermark } from "#renderer/mark/watermark.ts";
import type { Raster } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { paintPicture } from "../support/pictures.ts";
import { digest } from "./pack-fixtures.ts";

/** Guarantee: the mark cannot easily be cut off, blurred away, recoloured, subtracted or averaged away. */

const SEED = 0x1234abcd;
/** A change of this many grey levels is visible. */
const VISIBLE = 10;

function flat(width: number, height: number, level: number): Raster {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(level);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  return { width, height, pixels, alpha: "opaque" };
}

const copyOf = (raster: Raster): Raster => ({ ...raster, pixels: raster.pixels.slice() });

function marked(raster: Raster, seed = SEED): Raster {
  const copy = copyOf(raster);
  drawWatermark(copy, seed);
  return copy;
}

/** Green differences, one per pixel; the mark is grey, so one channel is enough. */
const changes = (before: Raster, after: Raster): Int16Array =>
  Int16Array.from(
    { length: before.width * before.height },
    (_, pixel) => (after.pixels[pixel * 4 + 1] ?? 0) - (before.pixels[pixel * 4 + 1] ?? 0),
  );

/** Minimum fraction of visibly changed pixels over all windows of a size. Neighbouring windows overlap by half. */
function leastShare({ width, height }: Raster, change: Int16Array, windowPx: number): number {
  let least = 1;
  const step = Math.floor(windowPx / 2);
  for (let top = 0; top + Math.min(windowPx, height) <= height; top += step) {
    for (let left = 0; left + Math.min(windowPx, width) <= width; left += step) {
      let seen = 0;
      let all = 0;
      for (let y = top; y < Math.min(height, top + windowPx); y += 1) {
        for (let x = left; x < Math.min(width, left + windowPx); x += 1) {
          all += 1;
          if (Math.abs(change[y * width + x] ?? 0) >= VISIBLE) seen += 1;
        }
      }
      least = Math.min(least, seen / all);
    }
  }
  return least;
}

/** Box blur: mean over squares of `2 * radius + 1` pixels. */
function blurred({ width, height }: Raster, change: Int16Array, radius: number): number[] {
  const out: number[] = [];
  for (let y = radius; y < height - radius; y += 2) {
    for (let x = radius; x < width - radius; x += 2) {
      let sum = 0;
      for (let dy = -radius; dy <= radius; dy += 1) {
        for (let dx = -radius; dx <= radius; dx += 1) sum += change[(y + dy) * width + x + dx] ?? 0;
      }
      out.push(sum / (2 * radius + 1) ** 2);
    }
  }
  return out;
}

const rangeOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value)) -
  values.reduce((least, value) => Math.min(least, value));

const SIZES = dimensions("300x250 320x50 160x600 640x336 1080x1080");

describe("the mark covers the whole picture", () => {
  it.each(SIZES.flatMap(([width, height]) => [18, 128, 245].map((level) => [width, height, level] as const)))(
    "%i x %i of grey level %i: no square crop with an edge of √area / 8 is free of the mark",
    (width, height, level) => {
      const ground = flat(width, height, level);
      const windowPx = Math.max(44, Math.round(Math.sqrt(width * height) / 8));
      expect(leastShare(ground, changes(ground, marked(ground)), windowPx)).toBeGreaterThan(0.04);
    },
  );

  it("changes nearly every pixel of a photograph", () => {
    const photo = paintPicture(300, 250, 7);
    const change = changes(photo, marked(photo));
    expect(change.filter((by) => by === 0).length / change.length).toBeLessThan(0.06);
  });

  it("keeps the layout recognisable: strokes cover less than a third, and none is opaque", () => {
    const photo = paintPicture(640, 336, 7);
    const change = changes(photo, marked(photo));
    expect(change.filter((by) => Math.abs(by) >= 24).length / change.length).toBeLessThan(0.33);
    const black = marked(flat(640, 336, 0));
    const white = marked(flat(640, 336, 255));
    const contrastLeft = changes(black, white);
    expect(contrastLeft.reduce((least, left) => Math.min(least, left))).toBeGreaterThan(90);
  });
});

describe("the mark resists attacks", () => {
  it.each([18, 128, 245])("a blur of 7 pixels, grey level %i: strokes stay visible", (level) => {
    const ground = flat(640, 336, level);
    const left = blurred(ground, changes(ground, marked(ground)), 3);
    expect(rangeOf(left)).toBeGreaterThan(24);
  });

  it("its opacity varies along its strokes, so no single value undoes it", () => {
    const ground = flat(640, 336, 128);
    const levels = new Set(changes(ground, marked(ground)));
    expect(levels.size).toBeGreaterThan(40);
  });

  it("it is both lighter and darker than its background", () => {
    const ground = flat(300, 250, 128);
    const change = changes(ground, marked(ground));
    expect(change.filter((by) => by >= VISIBLE).length / change.length).toBeGreaterThan(0.03);
    expect(change.filter((by) => by <= -VISIBLE).length / change.length).toBeGreaterThan(0.03);
  });

  it("the mark of another picture does not cancel it, because its words are elsewhere", () => {
    const ground = flat(640, 336, 128);
    const residue = changes(marked(ground, 1), marked(ground, 2));
    expect(residue.filter((by) => Math.abs(by) >= VISIBLE).length / residue.length).toBeGreaterThan(0.1);
  });

  it("the mean of 24 previews with other seeds still shows the lines", () => {
    const ground = flat(320, 250, 128);
    const sum = new Float64Array(ground.width * ground.height);
    for (let seed = 0; seed < 24; seed += 1) {
      changes(ground, marked(ground, Math.imul(seed + 1, 0x9e3779b9) >>> 0)).forEach((by, pixel) => {
        sum[pixel] = (sum[pixel] ?? 0) + by / 24;
      });
    }
    expect(rangeOf([...sum])).toBeGreaterThan(24);
  });

  it("the same picture and seed get the same mark", () => {
    const photo = paintPicture(300, 250, 3);
    expect(digest(marked(photo).pixels)).toBe(digest(marked(photo).pixels));
  });
});
