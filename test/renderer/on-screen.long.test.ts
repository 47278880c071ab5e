import { expect, test } from "vitest";
import type { PackInputs, PreparedPack, ScreenRequest, Sources } from "#renderer/index.ts";
import { previewSizeOf } from "#renderer/preview/index.ts";
import { composeStill } from "#renderer/render.ts";
import { catalogueSize, inputsOf, readSample, renderer, sampleAsset, withPack } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";

const COPY = { headline: "Two wheels, no excuses", cta: "Ride one today" };
const CAMPAIGN = { media: sampleAsset("dandelion.jpg"), logo: sampleAsset("logo.svg") };
const SIZES = ["iab-300x250", "iab-728x90", "meta-feed-1080x1080"].map(catalogueSize);

const shown = (own: Partial<ScreenRequest> & Pick<ScreenRequest, "size">): ScreenRequest => ({
  motion: "static",
  format: "png",
  widthPx: own.size.width,
  protection: "none",
  markSeed: 7,
  ...own,
});

async function stillOf(pack: PreparedPack, request: ScreenRequest) {
  return unwrap(await renderer.draw(pack, request));
}

/** Compares bytes, because a matcher would take seconds for megabytes. */
const isSame = (one: Uint8ClampedArray, other: Uint8ClampedArray): boolean =>
  Buffer.compare(new Uint8Array(one.buffer), new Uint8Array(other.buffer)) === 0;

async function loaded(assets: PackInputs["assets"], earlier: Sources | null = null): Promise<Sources> {
  return unwrap(await renderer.load(assets, earlier));
}

async function dressed(sources: Sources, inputs: PackInputs): Promise<PreparedPack> {
  return unwrap(await renderer.dress(sources, inputs));
}

test("shows the pixels of the paid file if the screen is large enough and there is no protection", async () => {
  await withPack(inputsOf({ assets: CAMPAIGN, copy: COPY }), async (pack) => {
    for (const size of SIZES) {
      const { picture, layout } = await stillOf(pack, shown({ size }));
      const paid = unwrap(composeStill(pack, { size }));
      expect(isSame(picture.pixels, paid.canvas.pixels)).toBe(true);
      expect(layout).toEqual(paid.layout);
    }
  });
});

test("never shows more pixels than the screen, the output or its protection allows", async () => {
  await withPack(inputsOf({ assets: CAMPAIGN, copy: COPY }), async (pack) => {
    const size = catalogueSize("meta-feed-1080x1080");
    const widthOf = async (own: Partial<ScreenRequest>) =>
      (await stillOf(pack, shown({ size, ...own }))).picture.width;
    expect(await widthOf({ widthPx: 300.7 })).toBe(300);
    expect(await widthOf({ widthPx: 5000 })).toBe(1080);
    const small = previewSizeOf(1080, 1080, "watermarked-lowres").width;
    expect(await widthOf({ widthPx: 5000, protection: "watermarked-lowres" })).toBe(small);
    expect(await widthOf({ widthPx: 0 })).toBe(1);
  });
});

test("watermarks protected outputs, and moves the watermark's words with the seed", async () => {
  await withPack(inputsOf({ assets: CAMPAIGN, copy: COPY }), async (pack) => {
    const size = catalogueSize("iab-300x250");
    const of = async (own: Partial<ScreenRequest>) =>
      (await stillOf(pack, shown({ size, ...own }))).picture.pixels;
    const bare = await of({});
    const marked = await of({ protection: "watermarked" });
    const touched = marked.filter((value, at) => value !== bare[at]).length;
    expect(touched / marked.length).toBeGreaterThan(0.5);
    expect(isSame(await of({ protection: "watermarked" }), marked)).toBe(true);
    expect(isSame(await of({ protection: "watermarked", markSeed: 8 }), marked)).toBe(false);
  });
});

test("draws reused pictures with other text, colours and looks exactly like newly decoded pictures", async () => {
  const designs: readonly Omit<PackInputs, "assets">[] = [
    inputsOf({ assets: {}, copy: COPY }),
    inputsOf({ assets: {}, copy: COPY, brand: { backgroundColor: "#101820" } }),
    inputsOf({ assets: {}, copy: COPY, look: "bold" }),
    inputsOf({ assets: {}, copy: COPY, font: readSample("fonts/tajawal-bold.ttf") }),
    inputsOf({ assets: {}, copy: COPY }),
  ];
  const [size] = SIZES;
  if (size === undefined) throw new Error("there is a size");
  for (const assets of [CAMPAIGN, { product: sampleAsset("bottle-photo.jpg") }]) {
    const sources = await loaded(assets);
    for (const design of designs) {
      const inputs = { ...design, assets };
      const pack = await dressed(sources, inputs);
      const kept = await stillOf(pack, shown({ size }));
      pack.close();
      const fresh = await withPack(inputs, (prepared) => stillOf(prepared, shown({ size })));
      expect(isSame(kept.picture.pixels, fresh.picture.pixels)).toBe(true);
      expect(kept.layout).toEqual(fresh.layout);
    }
    sources.close();
  }
});

test("reuses the pictures that an earlier pack has decoded, and no others", async () => {
  const first = await loaded(CAMPAIGN);
  const photo = first.pictures.get("media");
  const logo = sampleAsset("logo-light.svg");
  const second = await loaded({ ...CAMPAIGN, logo }, first);
  expect(second.pictures.get("media")).toBe(photo);
  expect(second.logo).not.toBe(first.logo);
  const failed = await renderer.load({ ...CAMPAIGN, logo: { ...logo, bytes: new Uint8Array(9) } }, second);
  expect(failed.ok).toBe(false);
  const pack = await dressed(second, inputsOf({ assets: {}, copy: COPY }));
  expect((await stillOf(pack, shown({ size: catalogueSize("iab-300x250") }))).picture.width).toBe(300);
  pack.close();
  // In another slot, the same file is analysed differently.
  const third = await loaded({ background: CAMPAIGN.media }, second);
  expect(third.pictures.get("background")).not.toBe(photo);
  third.close();
});

test("reports the facts of pictures", async () => {
  const sources = await loaded({ person: sampleAsset("figure.png"), logo: sampleAsset("logo.svg") });
  const facts = renderer.facts(sources);
  expect(facts.get("person")).toMatchObject({ isCutOut: true, isVector: false });
  expect(facts.get("logo")).toMatchObject({ isVector: true, faces: [] });
  for (const { colours } of facts.values()) {
    expect(colours[0]?.colour).toMatch(/^#[0-9a-f]{6}$/);
    expect(colours.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 5);
  }
  sources.close();
});

test("plays the frames of an animation, the last of which is the still", async () => {
  await withPack(inputsOf({ assets: CAMPAIGN, copy: COPY }), async (pack) => {
    const size = catalogueSize("iab-300x250");
    const request = shown({ size, motion: "animated", format: "gif" });
    const { delaysMs, loops, draw, close } = unwrap(await renderer.frames(pack, request));
    expect(loops).toBeGreaterThan(0);
    const last = draw(delaysMs.length - 1);
    expect(isSame(draw(0).pixels, last.pixels)).toBe(false);
    close();
    const still = await stillOf(pack, request);
    expect(isSame(last.pixels, still.picture.pixels)).toBe(true);
    expect(still.compliance.checks.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(["dimensions", "format", "duration", "frame_rate", "loops"]),
    );
    expect((await renderer.frames(pack, shown({ size }))).ok).toBe(false);
    expect((await renderer.draw(pack, shown({ size, format: "gif" }))).ok).toBe(false);
  });
});

test("checks safe areas like the paid output's report", async () => {
  await withPack(inputsOf({ assets: CAMPAIGN, copy: COPY }), async (pack) => {
    const size = catalogueSize("meta-story-1080x1920");
    const { compliance } = await stillOf(pack, shown({ size, format: "jpg" }));
    const output = unwrap(await renderer.render(pack, { size, motion: "static", format: "jpg" }));
    const paid = output.files[0]?.compliance.checks.filter(({ rule }) => rule !== "byte_cap");
    expect(compliance.checks).toEqual(paid);
  });
});
