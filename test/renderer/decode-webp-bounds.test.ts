import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeImage } from "#renderer/decode/index.ts";
import { createVp8Decoder } from "#renderer/decode/vp8-codec.ts";
import { createEngine } from "#renderer/engine.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { paintPicture, seededRandom } from "../support/pictures.ts";
import { lossyWebp, riffChunk, webpChunk, webpFile } from "../support/riff.ts";
import { asSharp } from "../support/sharp-reference.ts";
import { randomFrame } from "../support/webp/random-frame.ts";

/** Guarantee: the memory for a lossy WebP depends only on its width. Any WebP whose bytes end early is rejected. */

const SEED = 20_261_121;
const KERNEL_BYTES_MAX = 4 * 1024 * 1024;
const modules = await loadCodecModules();
const engine = createEngine(modules);

it("the widest picture, at full size and with alpha, takes 4 MB", async () => {
  const width = 8192;
  const height = 48;
  const bytes = await sharp({ create: { width, height, channels: 3, background: "#0b5fff" } })
    .webp()
    .toBuffer();
  const decoder = createVp8Decoder(modules.vp8Decoder);
  const alpha = { nextRows: (rows: number) => new Uint8Array(rows * width).fill(128) };
  for (const picture of [
    { width, height, factors: [1], alpha: null },
    { width, height, factors: [1], alpha },
    { width, height, factors: [2], alpha },
    { width, height, factors: [2], alpha: null },
  ]) {
    expect(decoder.start(bytes.subarray(20), picture)).toBe(true);
    const pixels = picture.factors.reduce(
      (sum, factor) => sum + Math.ceil(width / factor) * Math.ceil(height / factor),
      0,
    );
    let taken = 0;
    while (taken < pixels * 4) taken += decoder.nextLines()?.[0]?.length ?? Number.POSITIVE_INFINITY;
    expect(taken).toBe(pixels * 4);
  }
  expect(decoder.memoryBytes()).toBeLessThanOrEqual(KERNEL_BYTES_MAX);
});

it("a partition larger than its window decodes", async () => {
  const random = seededRandom(SEED);
  const pixels = Uint8ClampedArray.from({ length: 700 * 500 * 4 }, () => random() * 256);
  const bytes = await asSharp({ width: 700, height: 500, pixels, alpha: "opaque" })
    .removeAlpha()
    .webp({ quality: 98, effort: 1 })
    .toBuffer();
  expect(bytes.length).toBeGreaterThan(4 * 65_536);
  const decoded = await decodeImage(engine, bytes, "image/webp", { width: 700, height: 500 });
  const expected = await sharp(bytes).ensureAlpha().raw().toBuffer();
  expect(decoded.ok && Buffer.from(decoded.value.raster.pixels.buffer).equals(expected)).toBe(true);
});

describe("bytes that end early are rejected", () => {
  const refusal = { ok: false, code: "ASSET_UNREADABLE" };

  it.each([
    ["a photo", "VP8 ", { quality: 90 }],
    ["a lossless picture", "VP8L", { lossless: true }],
  ])("in %s", async (_, type, options) => {
    const whole = await asSharp(paintPicture(120, 90)).removeAlpha().webp(options).toBuffer();
    const body = webpChunk(whole, type) ?? whole;
    for (let length = 10; length < body.length - 16; length += 97) {
      const cut = webpFile(riffChunk(type, body.subarray(0, length)));
      expect(
        await decodeImage(engine, cut, "image/webp", { width: 60, height: 45 }),
        `${length}`,
      ).toMatchObject(refusal);
    }
  });

  it("in one of eight partitions", async () => {
    // The random header of this seed has eight partitions.
    const frame = randomFrame(64, 512, seededRandom(1));
    const whole = await decodeImage(engine, frame, "image/webp", { width: 64, height: 512 });
    expect(whole.ok).toBe(true);
    const body = frame.subarray(20);
    const firstBytes = ((body[0] ?? 0) | ((body[1] ?? 0) << 8) | ((body[2] ?? 0) << 16)) >> 5;
    for (let partition = 0; partition < 7; partition++) {
      const starved = Uint8Array.from(body);
      // Sets the partition's size to 40 bytes.
      starved.set([40, 0, 0], 10 + firstBytes + 3 * partition);
      const decoded = await decodeImage(engine, lossyWebp(starved), "image/webp", {
        width: 64,
        height: 512,
      });
      expect(decoded, `${partition}`).toMatchObject(refusal);
    }
  });
});
