import { unzipSync } from "fflate";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { OutputFormat } from "#catalogue/types.ts";
import { loadFonts } from "#renderer/compose/scene.ts";
import { createTestMark } from "#renderer/mark/test-mark.ts";
import { composeAnimation } from "#renderer/motion/compose-animation.ts";
import { createResampler } from "#renderer/raster/resampler.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { playAnimation } from "../support/play-animation.ts";
import { catalogueSize, draw, fileOf, inputsOf, sampleAsset, withPack } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";

/**
 * Guarantee: the outputs of test keys have the size's pixels in every format. Each frame is marked all over, the mark
 * does not move, and the file meets the live byte cap.
 */

const size = catalogueSize("iab-300x250");
const inputs = inputsOf({
  assets: { product: sampleAsset("bottle.png"), logo: sampleAsset("logo.svg") },
  copy: { headline: "Two wheels, no excuses", cta: "Ride now" },
});
const pixelsOf = async (file: Uint8Array) => sharp(file).removeAlpha().raw().toBuffer();

/** The minimum fraction of visibly different pixels over all squares of 50 × 50 pixels. */
function leastDifference(one: ArrayLike<number>, other: ArrayLike<number>, channels: number): number {
  const shares: number[] = [];
  for (let top = 0; top < size.height; top += 50) {
    for (let left = 0; left < size.width; left += 50) {
      let differing = 0;
      for (let at = 0; at < 2_500; at += 1) {
        const pixel = ((top + Math.floor(at / 50)) * size.width + left + (at % 50)) * channels;
        if (Math.abs((one[pixel + 1] ?? 0) - (other[pixel + 1] ?? 0)) > 4) differing += 1;
      }
      shares.push(differing / 2_500);
    }
  }
  return Math.min(...shares);
}

const LEAST = 0.2;
const output = (format: OutputFormat, motion: "static" | "animated", isTest: boolean) =>
  withPack(inputs, (pack) =>
    draw(pack, {
      ...{ size, motion, format, isTest },
      ...(format === "html5" && { landing: { network: "google", clickUrl: "https://example.com" } }),
    }),
  );

describe("a test output", () => {
  it.each(["png", "jpg", "webp"] as const)("as %s", async (format) => {
    const [live, test] = [
      fileOf(await output(format, "static", false)),
      fileOf(await output(format, "static", true)),
    ];
    expect(await sharp(test.bytes).metadata()).toMatchObject({ width: 300, height: 250 });
    expect(test.compliance.verdict).toBe(live.compliance.verdict);
    expect(leastDifference(await pixelsOf(test.bytes), await pixelsOf(live.bytes), 3)).toBeGreaterThan(LEAST);
    expect((await output(format, "static", true)).files[0]?.bytes).toEqual(test.bytes);
  });

  it.each(["gif", "webp", "apng"] as const)(
    "as animated %s, in each frame and in the backup",
    async (format) => {
      const [live, test] = [await output(format, "animated", false), await output(format, "animated", true)];
      const [liveFile, testFile] = [fileOf(live), fileOf(test)];
      const [unmarked, marked] = [
        await playAnimation(liveFile.bytes, format),
        await playAnimation(testFile.bytes, format),
      ];
      expect(testFile.bytes.length).toBeLessThanOrEqual(150_000);
      expect(testFile.compliance.verdict).toBe(liveFile.compliance.verdict);
      const rest = unmarked.frames.at(-1) ?? Buffer.alloc(0);
      const channels = rest.length / (size.width * size.height);
      // Every frame differs from both the first and the last frame of the live file.
      for (const frame of marked.frames) {
        for (const other of [unmarked.frames[0] ?? rest, rest]) {
          expect(leastDifference(frame, other, channels)).toBeGreaterThan(LEAST);
        }
      }
      const [backup, liveBackup] = [fileOf(test, "backup"), fileOf(live, "backup")];
      expect(
        leastDifference(await pixelsOf(backup.bytes), await pixelsOf(liveBackup.bytes), 3),
      ).toBeGreaterThan(LEAST);
    },
  );

  it("as HTML5, in each picture, also in moving pictures", async () => {
    const files = async (isTest: boolean) =>
      unzipSync(fileOf(await output("html5", "animated", isTest)).bytes);
    const [live, test] = [await files(false), await files(true)];
    const names = Object.keys(test).filter((name) => /^(ground|picture|logo|overlay)/.test(name));
    expect(names.length).toBeGreaterThan(1);
    const stem = (name: string) => name.replace(/\..*/, "");
    for (const name of names) {
      const [, before] = Object.entries(live).find(([other]) => stem(other) === stem(name)) ?? [];
      const raw = (bytes: Uint8Array) =>
        sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      const [one, other] = [await raw(test[name] ?? new Uint8Array()), await raw(before ?? new Uint8Array())];
      expect([one.info.width, one.info.height], name).toEqual([other.info.width, other.info.height]);
      let [seen, differing] = [0, 0];
      for (let at = 0; at < one.data.length; at += 4) {
        if ((other.data[at + 3] ?? 0) < 200) continue;
        seen += 1;
        if (Math.abs((one.data[at + 1] ?? 0) - (other.data[at + 1] ?? 0)) > 4) differing += 1;
      }
      expect(differing / seen, name).toBeGreaterThan(LEAST);
    }
  });
});

it("marks a video's canvas in place, and does not change the layers that stay still", async () => {
  const resampler = createResampler((await loadCodecModules()).resampler);
  await withPack(inputs, async (pack) => {
    const request = { size, motion: "animated" as const, format: "mp4" as const };
    await loadFonts(pack, request);
    const { draw: drawFrame, close } = unwrap(composeAnimation(pack, request, "mp4"));
    const mark = createTestMark(resampler);
    const [first, again, plain, middle] = [drawFrame(0), drawFrame(0), drawFrame(20), drawFrame(20)];
    const { pixels } = first;
    for (const canvas of [first, middle, again]) mark(canvas);
    close();
    expect(first.pixels).toBe(pixels);
    expect(first.pixels).toEqual(again.pixels);
    expect(leastDifference(middle.pixels, plain.pixels, 4)).toBeGreaterThan(LEAST);
  });
});
