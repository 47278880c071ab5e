import { describe, expect, it } from "vitest";
import { sourcesOf } from "../../src/contract/catalogue/contract-sources.ts";
import { CONTRACTS, findContract } from "../../src/contract/catalogue/contracts.ts";
import { SIZES } from "../../src/contract/catalogue/sizes.ts";
import { SOURCES } from "../../src/contract/catalogue/sources.ts";
import { TIMELINE } from "../../src/renderer/motion/timeline.ts";

/** What the networks publish, written down a second time: group, sizes, bytes, and who says so. */
const PUBLISHED: readonly (readonly [string, string, number | null, string])[] = [
  ["iab", "970x250", 250_000, "iab-2017"],
  ["iab", "728x90 160x600 300x250", 150_000, "iab-2017"],
  ["iab", "970x90", 200_000, "iab-2017"],
  ["iab", "300x1050", 250_000, "iab-2017"],
  ["iab", "320x50 300x50 120x60", 50_000, "iab-2017"],
  [
    "gads",
    "200x200 240x400 250x250 250x360 300x250 336x280 580x400 120x600 160x600 300x600 300x1050 " +
      "468x60 728x90 930x180 970x90 970x250 980x120 300x50 320x50 320x100",
    150_000,
    "google-ads-1722096",
  ],
  ["gads-responsive", "1200x628 600x600 1200x1200 1200x300", null, "google-ads-17090561"],
  ["demand-gen", "1200x1200 1200x628 960x1200 1080x1920", 5_000_000, "google-ads-17140672"],
  ["meta-feed", "1080x1080 1080x1350 1200x628", 30_000_000, "meta-ads-guide"],
  ["meta-story", "1080x1920", 30_000_000, "meta-ads-guide"],
  ["meta-reel", "1080x1920", 30_000_000, "meta-ads-guide"],
  ["tiktok", "720x1280 640x640 1200x628", 100_000_000, "tiktok-pangle"],
  ["linkedin", "1200x628 1200x1200 720x900", 5_000_000, "linkedin-a426534"],
  ["x", "800x418 800x800", 5_000_000, "x-creative-specifications"],
  ["x", "1200x628 1200x1200", 5_000_000, "x-secondary"],
  ["pinterest", "1000x1500", 20_000_000, "pinterest-product-specs"],
  ["youtube-thumb", "1280x720", 2_000_000, "youtube-thumbnails-set"],
  ["youtube-banner", "2560x1440", 6_000_000, "youtube-channel-banners"],
  [
    "amazon",
    "300x250 160x600 300x600 728x90 970x250 320x50 414x125 980x55",
    null,
    "amazon-ecommerce-creative",
  ],
  ["og", "1200x630", 8_000_000, "meta-sharing-images"],
];

const sizeById = (sizeId: string) => {
  const size = SIZES.find((candidate) => candidate.sizeId === sizeId);
  if (size === undefined) throw new Error(`not in the catalogue: ${sizeId}`);
  return size;
};
const inGroup = (group: string) => SIZES.filter((size) => size.group === group);

describe("the catalogue holds every published size, and no other", () => {
  it("with its bytes and its source", () => {
    const published = PUBLISHED.flatMap(([group, sizes, byteCap, sourceId]) =>
      sizes.split(" ").map((size) => ({ sizeId: `${group}-${size}`, byteCap, sourceId })),
    );
    const held = SIZES.map(({ sizeId, byteCap, sourceIds }) => ({ sizeId, byteCap, sourceId: sourceIds[0] }));
    const bySizeId = (left: { sizeId: string }, right: { sizeId: string }) =>
      left.sizeId < right.sizeId ? -1 : 1;
    expect(held.sort(bySizeId)).toEqual(published.sort(bySizeId));
  });

  it("under ids that say group and pixels, once each", () => {
    for (const { sizeId, group, width, height } of SIZES) expect(sizeId).toBe(`${group}-${width}x${height}`);
    expect(new Set(SIZES.map((size) => size.sizeId)).size).toBe(SIZES.length);
  });
});

describe("what must stay clear is kept clear", () => {
  it.each([
    ["meta-story-1080x1920", { top: 269, right: 0, bottom: 384, left: 0 }, true],
    ["meta-reel-1080x1920", { top: 269, right: 65, bottom: 672, left: 65 }, false],
    ["tiktok-720x1280", { top: 100, right: 100, bottom: 294, left: 0 }, false],
    ["youtube-banner-2560x1440", { top: 509, right: 507, bottom: 509, left: 507 }, false],
  ])("%s", (sizeId, safeArea, isConfirmed) => {
    const size = sizeById(sizeId);
    expect(size.safeArea).toEqual(safeArea);
    expect(SOURCES.find((source) => source.sourceId === size.safeAreaSourceId)?.confirmed).toBe(isConfirmed);
  });

  it("nothing else has a safe area", () => {
    expect(SIZES.filter((size) => size.safeArea !== null)).toHaveLength(4);
  });
});

describe("formats are those that a network shows as they are meant", () => {
  it("GIF on banners and LinkedIn; elsewhere it would stand still or count as a video", () => {
    const takers = new Set(
      SIZES.filter((size) => size.acceptedFormats.includes("gif")).map((size) => size.group),
    );
    expect([...takers].sort()).toEqual(["amazon", "gads", "iab", "linkedin"]);
  });

  it("PNG and JPEG everywhere, WebP and APNG nowhere", () => {
    for (const { acceptedFormats } of SIZES) {
      expect(acceptedFormats).toEqual(expect.arrayContaining(["png", "jpg"]));
      expect(acceptedFormats).not.toContain("webp");
      expect(acceptedFormats).not.toContain("apng");
    }
  });
});

describe("motion is limited as each network asks", () => {
  it.each([
    ["gads", 30_000, "google-ads-1722096"],
    ["amazon", 15_000, "amazon-animation"],
    ["iab", 15_000, "house-safe-default"],
  ])("%s stops by %d ms", (group, durationMsMax, durationSourceId) => {
    for (const { animation } of inGroup(group))
      expect(animation).toMatchObject({ durationMsMax, durationSourceId });
  });

  it("Google Ads stays under 5 frames a second, Amazon plays 3 times at most, LinkedIn takes 250 frames", () => {
    for (const { animation } of inGroup("gads")) {
      expect(animation.framesPerSecondMax).toBeLessThan(5);
      expect(animation.framesPerSecondSourceId).toBe("google-ads-1722096");
    }
    for (const { animation } of inGroup("amazon"))
      expect(animation).toMatchObject({ loopsMax: 3, loopsSourceId: "amazon-animation" });
    for (const { animation } of inGroup("linkedin"))
      expect(animation).toMatchObject({ framesMax: 250, framesSourceId: "linkedin-a426534" });
  });

  it("every banner ships a backup of at most 50 KB and shows its edge; nothing else must", () => {
    const banners = ["iab", "gads", "amazon"];
    for (const { group, animation, needsBorder, borderSourceId } of SIZES) {
      const isBanner = banners.includes(group);
      expect(animation.backupBytesMax).toBe(isBanner ? 50_000 : null);
      expect(animation.backupSourceId).toBe(isBanner ? "google-studio" : null);
      expect([needsBorder, borderSourceId]).toEqual(isBanner ? [true, "google-studio"] : [false, null]);
    }
  });

  it("the one timeline that is drawn keeps every network's limits at once", () => {
    const playMs = (TIMELINE.frames - 1) * TIMELINE.stepMs + TIMELINE.holdMs;
    for (const { animation } of SIZES) {
      expect(playMs * TIMELINE.loops).toBeLessThanOrEqual(animation.durationMsMax);
      expect(1000 / TIMELINE.stepMs).toBeLessThanOrEqual(animation.framesPerSecondMax);
      expect(TIMELINE.loops).toBeLessThanOrEqual(animation.loopsMax);
      expect(TIMELINE.frames).toBeLessThanOrEqual(animation.framesMax ?? Number.POSITIVE_INFINITY);
    }
  });
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

describe("contracts part the catalogue", () => {
  it("campaign.v1 holds all of it, every other contract a part, and no size is in two parts", () => {
    expect(findContract("campaign.v1")?.sizes).toEqual(SIZES);
    const parts = CONTRACTS.filter(({ contractId }) => contractId !== "campaign.v1").flatMap(
      ({ sizes }) => sizes,
    );
    expect(parts.map((size) => size.sizeId).sort()).toEqual(SIZES.map((size) => size.sizeId).sort());
  });
});
