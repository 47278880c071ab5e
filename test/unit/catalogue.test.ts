import { describe, expect, it } from "vitest";
import { CONTRACTS, findContract, NEWEST_CONTRACTS, sourcesOf } from "#catalogue/contracts.ts";
import { takesScale } from "#catalogue/scales.ts";
import { SIZES, SIZES_V1 } from "#catalogue/sizes.ts";
import { SOURCES } from "#catalogue/sources.ts";
import { framesAt, loopsWithin, PLAY } from "#renderer/motion/timeline.ts";

/** The values of the sizes are protected by the contracts' hashes (catalogue-frozen.test.ts). */

const sizeById = (sizeId: string) => {
  const size = SIZES.find((candidate) => candidate.sizeId === sizeId);
  if (size === undefined) throw new Error(`not in the catalogue: ${sizeId}`);
  return size;
};

it("size ids consist of group and pixels, and are unique", () => {
  for (const { sizeId, group, width, height } of SIZES) expect(sizeId).toBe(`${group}-${width}x${height}`);
  expect(new Set(SIZES.map((size) => size.sizeId)).size).toBe(SIZES.length);
});

describe("safe areas match the networks' rules", () => {
  it.each([
    ["meta-story-1080x1920", { top: 269, right: 0, bottom: 384, left: 0 }, true],
    ["meta-reel-1080x1920", { top: 269, right: 65, bottom: 672, left: 65 }, false],
    ["demand-gen-1080x1920", { top: 288, right: 192, bottom: 672, left: 48 }, false],
    ["tiktok-720x1280", { top: 100, right: 100, bottom: 294, left: 80 }, false],
    ["snapchat-1080x1920", { top: 150, right: 0, bottom: 150, left: 0 }, false],
    ["pinterest-1080x1920", { top: 270, right: 195, bottom: 790, left: 65 }, true],
    ["youtube-banner-2560x1440", { top: 509, right: 507, bottom: 509, left: 507 }, false],
  ])("%s", (sizeId, safeArea, isConfirmed) => {
    const size = sizeById(sizeId);
    expect(size.safeArea).toEqual(safeArea);
    expect(SOURCES.find((source) => source.sourceId === size.safeAreaSourceId)?.confirmed).toBe(isConfirmed);
  });

  it("no other size has a safe area", () => {
    expect(SIZES.filter((size) => size.safeArea !== null)).toHaveLength(7);
  });
});

it("the single animation timeline meets every network's limits", () => {
  for (const { animation } of SIZES) {
    const frames = framesAt(PLAY, animation.framesPerSecondMax);
    expect(PLAY.durationMs * loopsWithin(PLAY.durationMs, animation)).toBeLessThanOrEqual(
      animation.durationMsMax,
    );
    expect(1000 / Math.min(...frames.map(({ delayMs }) => delayMs))).toBeLessThanOrEqual(
      animation.framesPerSecondMax,
    );
    expect(loopsWithin(PLAY.durationMs, animation)).toBeLessThanOrEqual(animation.loopsMax);
    expect(frames.length).toBeLessThanOrEqual(animation.framesMax ?? Number.POSITIVE_INFINITY);
  }
});

it("frames exceed 4 a second only where every network that accepts the GIF allows it", () => {
  const smooth = SIZES.filter(({ animation }) => animation.framesPerSecondMax > 4);
  expect(new Set(smooth.map(({ group }) => group))).toContain("linkedin");
  for (const { sizeId, width, height, animation } of smooth) {
    const takers = SIZES.filter((other) => other.width === width && other.height === height).filter(
      ({ acceptedFormats }) => acceptedFormats.includes("gif"),
    );
    for (const taker of takers)
      expect(taker.animation.framesPerSecondMax, `${sizeId}, ${taker.sizeId}`).toBe(
        animation.framesPerSecondMax,
      );
  }
});

it("sizes outside Google's and publishers' pages animate at 10 to 15 frames a second", () => {
  const others = SIZES.filter(({ group }) => !/^(gads|demand-gen|iab|amazon)/.test(group));
  for (const { sizeId, animation } of others) {
    const delays = framesAt(PLAY, animation.framesPerSecondMax).map(({ delayMs }) => delayMs);
    expect(1000 / Math.min(...delays), sizeId).toBeGreaterThanOrEqual(10);
    expect(1000 / Math.min(...delays), sizeId).toBeLessThanOrEqual(15);
  }
});

describe("every rule has a source and a date", () => {
  it("every source has a date and an address, and is used", () => {
    const used = new Set(
      CONTRACTS.flatMap((contract) => sourcesOf(contract).map((source) => source.sourceId)),
    );
    expect([...used].sort()).toEqual(SOURCES.map((source) => source.sourceId).sort());
    for (const source of SOURCES) {
      expect(source.readOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(new URL(source.url).protocol).toBe("https:");
    }
  });

  it("a figure and its source are either both present or both absent", () => {
    const known = new Set(SOURCES.map((source) => source.sourceId));
    for (const size of SIZES) {
      const { animation } = size;
      const pairs: readonly (readonly [unknown, string | null | undefined])[] = [
        [size.width, size.sourceIds[0]],
        [size.byteCap, size.byteCapSourceId],
        [size.safeArea, size.safeAreaSourceId],
        [animation.durationMsMax, animation.durationSourceId],
        [animation.framesPerSecondMax, animation.framesPerSecondSourceId],
        [animation.loopsMax, animation.loopsSourceId],
        [animation.framesMax, animation.framesSourceId],
        [animation.backupBytesMax, animation.backupSourceId],
      ];
      for (const [figure, sourceId] of pairs) {
        expect(figure === null).toBe(sourceId === null);
        if (sourceId !== null) expect(known).toContain(sourceId);
      }
    }
  });
});

it("campaign has all sizes, and each size is in exactly one of the other newest contracts", () => {
  expect(findContract("campaign.v3")?.sizes).toEqual(SIZES);
  const [campaign, ...others] = NEWEST_CONTRACTS;
  expect(campaign?.contractId).toBe("campaign.v3");
  const parts = others.flatMap(({ sizes }) => sizes);
  expect(parts.map((size) => size.sizeId).sort()).toEqual(SIZES.map((size) => size.sizeId).sort());
});

it("newer versions accept 2x banners of two networks, each with its source; version 1 accepts none", () => {
  const scaled = SIZES.filter((size) => takesScale(size, 2));
  expect([...new Set(scaled.map(({ group }) => group))]).toEqual(["iab", "amazon"]);
  for (const { scale2SourceId } of scaled) {
    expect(SOURCES.map(({ sourceId }) => sourceId)).toContain(scale2SourceId);
  }
  expect(SIZES_V1.filter((size) => takesScale(size, 2))).toEqual([]);
});
