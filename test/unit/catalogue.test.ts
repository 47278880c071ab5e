import { describe, expect, it } from "vitest";
import { CONTRACTS, findContract, NEWEST_CONTRACTS, sourcesOf } from "#catalogue/contracts.ts";
import { takesScale } from "#catalogue/scales.ts";
import { SIZES, SIZES_V1 } from "#catalogue/sizes.ts";
import { SOURCES } from "#catalogue/sources.ts";
import { framesAt, loopsWithin, PLAY } from "#renderer/motion/timeline.ts";

/** What the sizes say is held by the hashes of the contracts (catalogue-frozen.test.ts). */

const sizeById = (sizeId: string) => {
  const size = SIZES.find((candidate) => candidate.sizeId === sizeId);
  if (size === undefined) throw new Error(`not in the catalogue: ${sizeId}`);
  return size;
};

it("sizes stand under ids that say group and pixels, once each", () => {
  for (const { sizeId, group, width, height } of SIZES) expect(sizeId).toBe(`${group}-${width}x${height}`);
  expect(new Set(SIZES.map((size) => size.sizeId)).size).toBe(SIZES.length);
});

describe("what must stay clear is kept clear", () => {
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

  it("nothing else has a safe area", () => {
    expect(SIZES.filter((size) => size.safeArea !== null)).toHaveLength(7);
  });
});

it("the one timeline that is drawn keeps every network's limits at once", () => {
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

it("frames follow faster than 4 a second only where every network that takes a GIF of those pixels allows it", () => {
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

it("sizes that neither Google nor a publisher's page shows move at 10 to 15 frames a second", () => {
  const others = SIZES.filter(({ group }) => !/^(gads|demand-gen|iab|amazon)/.test(group));
  for (const { sizeId, animation } of others) {
    const delays = framesAt(PLAY, animation.framesPerSecondMax).map(({ delayMs }) => delayMs);
    expect(1000 / Math.min(...delays), sizeId).toBeGreaterThanOrEqual(10);
    expect(1000 / Math.min(...delays), sizeId).toBeLessThanOrEqual(15);
  }
});

describe("every rule can be traced to where and when it was read", () => {
  it("sources are dated, have an address, and each is used", () => {
    const used = new Set(
      CONTRACTS.flatMap((contract) => sourcesOf(contract).map((source) => source.sourceId)),
    );
    expect([...used].sort()).toEqual(SOURCES.map((source) => source.sourceId).sort());
    for (const source of SOURCES) {
      expect(source.readOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(new URL(source.url).protocol).toBe("https:");
    }
  });

  it("a figure and its source come and go together", () => {
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

it("the newest contracts part the catalogue: campaign has all of it, every other a part, and no size is in two parts", () => {
  expect(findContract("campaign.v3")?.sizes).toEqual(SIZES);
  const [campaign, ...others] = NEWEST_CONTRACTS;
  expect(campaign?.contractId).toBe("campaign.v3");
  const parts = others.flatMap(({ sizes }) => sizes);
  expect(parts.map((size) => size.sizeId).sort()).toEqual(SIZES.map((size) => size.sizeId).sort());
});

it("newer versions take files of twice the pixels for banners of two networks, each with its source, and version 1 for none", () => {
  const scaled = SIZES.filter((size) => takesScale(size, 2));
  expect([...new Set(scaled.map(({ group }) => group))]).toEqual(["iab", "amazon"]);
  for (const { scale2SourceId } of scaled) {
    expect(SOURCES.map(({ sourceId }) => sourceId)).toContain(scale2SourceId);
  }
  expect(SIZES_V1.filter((size) => takesScale(size, 2))).toEqual([]);
});
