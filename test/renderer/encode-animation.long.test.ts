import { describe, expect, it } from "vitest";
import { createAnimationBudget } from "#renderer/encode/animation-budget.ts";
import { type AnimationShape, encodeAnimation } from "#renderer/encode/index.ts";
import { createEngine } from "#renderer/engine.ts";
import { hash } from "#renderer/mark/mark-values.ts";
import type { Raster } from "#renderer/types.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { meanError } from "../support/picture-error.ts";
import { paintPicture } from "../support/pictures.ts";
import { playAnimation } from "../support/play-animation.ts";
import { unwrap } from "../support/unwrap.ts";

const engine = createEngine(await loadCodecModules());
const WIDTH = 121;
const HEIGHT = 91;
const ground = paintPicture(WIDTH, HEIGHT);
const FORMATS = ["gif", "webp", "apng"] as const;
const shape: AnimationShape = {
  width: WIDTH,
  height: HEIGHT,
  delaysMs: Array.from({ length: 8 }, () => 250),
  loops: 3,
};

/** A red block rises over a still background; the last two frames are the same. */
function draw(index: number): Raster {
  const pixels = ground.pixels.slice();
  const top = 60 - Math.min(index, 6) * 7;
  for (let y = top; y < top + 15; y++) {
    for (let x = 11; x < 52; x++) pixels.set([225, 29, 72, 255], (y * WIDTH + x) * 4);
  }
  return { ...ground, pixels };
}

async function encode(format: (typeof FORMATS)[number], byteCap: number | null, frame = draw) {
  return unwrap(await encodeAnimation(engine, frame, shape, format, byteCap));
}

describe.each(FORMATS)("%s", (format) => {
  it("plays every frame in order, for the requested time and number of plays", async () => {
    const encoded = await encode(format, null);
    expect(encoded).toMatchObject({
      frames: 7,
      durationMs: 2000,
      loops: 3,
      reduced: false,
      framesReduced: false,
    });
    const { loops, delaysMs, frames } = await playAnimation(encoded.bytes, format);
    expect(loops).toBe(3);
    expect(delaysMs).toEqual([250, 250, 250, 250, 250, 250, 500]);
    for (const [index, frame] of frames.entries())
      expect(meanError(frame, draw(index).pixels)).toBeLessThan(5);
  });

  it("meets a cap by quality or colours, then frames, and still ends on the last frame", async () => {
    // A drifting background changes every pixel of every frame.
    const drifting = (index: number): Raster => {
      const { pixels } = draw(index);
      return {
        ...ground,
        pixels: Uint8ClampedArray.from(pixels, (_, at) => pixels[(at + index * 8) % pixels.length] ?? 0),
      };
    };
    const whole = (await encode(format, null, drifting)).bytes.length;
    const byteCap = Math.floor(whole * (format === "apng" ? 0.15 : 0.45));
    const encoded = await encode(format, byteCap, drifting);
    expect(encoded.bytes.length).toBeLessThanOrEqual(byteCap);
    expect(encoded.reduced || encoded.framesReduced).toBe(true);
    const { delaysMs, frames } = await playAnimation(encoded.bytes, format);
    expect(delaysMs.reduce((sum, delay) => sum + delay, 0)).toBe(2000);
    expect(meanError(frames.at(-1) ?? new Uint8Array(0), drifting(7).pixels)).toBeLessThan(15);
  });

  it("plays once when requested", async () => {
    const once = unwrap(await encodeAnimation(engine, draw, { ...shape, loops: 1 }, format, null));
    expect((await playAnimation(once.bytes, format)).loops).toBe(1);
  });
});

describe("an animation of noise, whose attempts stop when the budget is spent", () => {
  const SIDE = 96;
  const noisy = (index: number): Raster => {
    const pixels = new Uint8ClampedArray(SIDE * SIDE * 4);
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = hash(at, index) & 255;
    return { width: SIDE, height: SIDE, pixels, alpha: "opaque" };
  };
  const noise = { ...shape, width: SIDE, height: SIDE };
  const framePx = SIDE * SIDE * 1.25;
  const attemptPx = framePx * shape.delaysMs.length;

  /** Counts frames drawn for encoding, after one pass for palettes. */
  async function framesEncoded(
    format: (typeof FORMATS)[number],
    byteCap: number,
    attempts: number,
    ...mayGiveUp: ["give up"?]
  ) {
    let drawn = 0;
    const counted = (index: number) => {
      drawn += 1;
      return noisy(index);
    };
    const budget = createAnimationBudget(attemptPx * attempts);
    const encoded = await encodeAnimation(engine, counted, noise, format, byteCap, budget, ...mayGiveUp);
    return { encoded, frames: drawn - (format === "webp" ? 0 : shape.delaysMs.length) };
  }

  it.each(FORMATS)(
    "%s: an unreachable cap costs no more than the budget and the smallest file",
    async (format) => {
      const { encoded, frames } = await framesEncoded(format, 600, 1);
      expect(encoded).toMatchObject({ ok: false, code: "BYTE_CAP_UNREACHABLE" });
      // Subtract the pass over all frames that finds the frames with the least change.
      const encodedFrames = frames - shape.delaysMs.length;
      // An aborted attempt has also drawn the next frame. Without a budget, WebP would encode more than thirty frames.
      expect(encodedFrames).toBeLessThanOrEqual(shape.delaysMs.length * 3);
    },
  );

  it("returns the best file so far if no other attempt fits the budget", async () => {
    const preferred = unwrap(await encodeAnimation(engine, noisy, noise, "webp", null));
    const byteCap = Math.floor(preferred.bytes.length * 0.9);
    const { encoded, frames } = await framesEncoded("webp", byteCap, 2);
    if (!encoded.ok) throw new Error(encoded.message);
    expect(encoded.value.bytes.length).toBeLessThanOrEqual(byteCap);
    expect(frames).toBeLessThanOrEqual(shape.delaysMs.length * 2);
    const without = await framesEncoded("webp", byteCap, 100);
    expect(without.frames).toBeGreaterThan(frames * 2);
  });

  it("makes no attempt with a spent budget if it may give up", async () => {
    const { encoded, frames } = await framesEncoded("webp", 600, 0, "give up");
    expect(encoded.ok).toBe(false);
    expect(frames).toBeLessThanOrEqual(shape.delaysMs.length);
  });
});

it("a GIF keeps a flat colour exactly", async () => {
  const { bytes } = await encode("gif", null);
  const { frames } = await playAnimation(bytes, "gif");
  const at = (65 * WIDTH + 20) * 4;
  expect([...(frames[0] ?? new Uint8Array(0)).subarray(at, at + 3)]).toEqual([225, 29, 72]);
});

it("a long noisy GIF frame survives every reset of the code table", async () => {
  const noisy = paintPicture(300, 300, 5);
  for (let at = 0; at < noisy.pixels.length; at += 4) noisy.pixels[at] = (at * 2654435761) >>> 24;
  const still: AnimationShape = { width: 300, height: 300, delaysMs: [1000], loops: 1 };
  const encoded = unwrap(await encodeAnimation(engine, () => noisy, still, "gif", null));
  const { frames } = await playAnimation(encoded.bytes, "gif");
  expect(meanError(frames[0] ?? new Uint8Array(0), noisy.pixels)).toBeLessThan(15);
});

describe("a head in a GIF", () => {
  it("is closer to the original if the encoder knows where the head is", async () => {
    const head = { x: 30, y: 20, width: 40, height: 40 };
    const errorAt = async (heads: AnimationShape["heads"]) => {
      const encoded = unwrap(
        await encodeAnimation(engine, () => ground, { ...shape, heads: heads ?? [] }, "gif", 9_000),
      );
      const { frames } = await playAnimation(encoded.bytes, "gif");
      const shown = frames[0] ?? new Uint8Array(0);
      let error = 0;
      for (let y = head.y; y < head.y + head.height; y += 1) {
        for (let at = (y * WIDTH + head.x) * 4; at < (y * WIDTH + head.x + head.width) * 4; at += 1) {
          error += Math.abs((shown[at] ?? 0) - (ground.pixels[at] ?? 0));
        }
      }
      return error;
    };
    expect(await errorAt([head])).toBeLessThan((await errorAt([])) * 0.9);
  });
});
