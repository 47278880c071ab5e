import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { PreparedPack } from "#renderer/index.ts";
import { mostFlashes } from "../support/count-flashes.ts";
import { meanError } from "../support/picture-error.ts";
import { playAnimation } from "../support/play-animation.ts";
import { catalogueSize, draw, fileOf, inputsOf, renderer, sampleAsset } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";

/**
 * Guarantee: another library reads every file as the renderer describes it: pixels, format, transparency, frames and
 * time.
 */

const STILLS = ["png", "jpg", "webp"] as const;
const ANIMATIONS = ["gif", "webp", "apng"] as const;
const SIZE_IDS = ["iab-300x250", "iab-320x50", "gads-120x600", "x-800x418"];
const COPY = { headline: "Soft as the first warm day", subheadline: "Pressed cold.", cta: "Find yours" };

const packs: Record<string, PreparedPack> = {};

beforeAll(async () => {
  const assets = {
    photo: { media: sampleAsset("dandelion-turned.jpg"), logo: sampleAsset("logo-light.svg") },
    "cut-out": { product: sampleAsset("bottle.png"), logo: sampleAsset("logo.svg") },
  };
  for (const [name, given] of Object.entries(assets)) {
    packs[name] = unwrap(await renderer.prepare(inputsOf({ assets: given, copy: COPY })));
  }
  return () => {
    for (const pack of Object.values(packs)) pack.close();
  };
});

function packOf(name: string): PreparedPack {
  const pack = packs[name];
  if (pack === undefined) throw new Error(`no pack ${name}`);
  return pack;
}

describe.each([
  ["photo", SIZE_IDS],
  ["cut-out", SIZE_IDS.slice(0, 2)],
] as const)("stills of a %s", (name, sizeIds) => {
  it.each(sizeIds.flatMap((sizeId) => STILLS.map((format) => ({ sizeId, format }))))(
    "$sizeId as $format",
    async ({ sizeId, format }) => {
      const size = catalogueSize(sizeId);
      const output = await draw(packOf(name), { size, motion: "static", format });
      expect(output.files).toHaveLength(1);
      const file = fileOf(output);
      const read = await sharp(file.bytes).metadata();
      expect(read).toMatchObject({
        width: size.width,
        height: size.height,
        format: format === "jpg" ? "jpeg" : format,
        space: "srgb",
      });
      expect([file.width, file.height]).toEqual([read.width, read.height]);
      expect(read.pages ?? 1).toBe(1);
      expect(read.orientation).toBeUndefined();
      expect(file.contentType).toBe(`image/${format === "jpg" ? "jpeg" : format}`);
      expect(file.animation).toBeNull();
      // An ad is opaque.
      expect((await sharp(file.bytes).stats()).isOpaque).toBe(true);
    },
  );
});

describe.each(["photo", "cut-out"])("API §14.7 animations of a %s", (name) => {
  it.each(ANIMATIONS)("300x250 as %s", { timeout: 120_000 }, async (format) => {
    const size = catalogueSize("gads-300x250");
    const output = await draw(packOf(name), { size, motion: "animated", format });
    const file = fileOf(output);
    const backup = fileOf(output, "backup");
    expect(output.files).toHaveLength(2);
    if (file.animation === null) throw new Error("an animation that says it does not move");
    const read = await sharp(file.bytes).metadata();
    expect(read).toMatchObject({ width: 300, format: format === "apng" ? "png" : format });
    const { loops, delaysMs, frames } = await playAnimation(file.bytes, format);
    expect(frames).toHaveLength(file.animation.frames);
    expect(delaysMs).toHaveLength(frames.length);
    expect(delaysMs.reduce((sum, delayMs) => sum + delayMs, 0)).toBe(file.animation.durationMs);
    expect(loops).toBe(file.animation.loops);
    for (const frame of frames) expect(frame.length).toBe(300 * 250 * 4);

    // The networks' rules on motion, measured on the file itself.
    expect(file.animation.durationMs * loops).toBeLessThanOrEqual(15_000);
    expect(Math.min(...delaysMs)).toBeGreaterThanOrEqual(250);
    let endMs = 0;
    const shown = [...frames, ...frames].map((pixels, at) => {
      const ms = endMs;
      endMs += delaysMs[at % frames.length] ?? 0;
      return { pixels, ms };
    });
    expect(mostFlashes(shown)).toBeLessThanOrEqual(3);

    expect(file.compliance.verdict).toBe(format === "gif" ? "pass" : "fail");
    expect(file.animation.loops).toBeLessThanOrEqual(3);
    expect(backup).toMatchObject({ animation: null, compliance: { verdict: "pass" } });
    expect(backup.bytes.length).toBeLessThanOrEqual(50_000);

    // The last frame is the static design.
    const still = await sharp(backup.bytes).ensureAlpha().raw().toBuffer();
    const last = frames.at(-1);
    expect(last === undefined ? 255 : meanError(last, still)).toBeLessThan(6);
    expect(meanError(frames[0] ?? still, still)).toBeGreaterThan(0.2);
    const backupRead = await sharp(backup.bytes).metadata();
    expect([backupRead.width, backupRead.height]).toEqual([300, 250]);
    expect(frames.every((frame) => frame.every((value, at) => at % 4 !== 3 || value === 255))).toBe(true);
  });
});
