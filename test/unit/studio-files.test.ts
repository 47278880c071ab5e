import { describe, expect, it } from "vitest";
import type { PictureFacts } from "#renderer/index.ts";
import type { DraftFile, Files } from "../../studio/src/editor/draft/draft.ts";
import {
  addFile,
  conflictsOf,
  guessSlot,
  slotOfCutOut,
  takes,
} from "../../studio/src/editor/files/guess-slot.ts";
import { hasLiveText } from "../../studio/src/editor/files/live-text.ts";
import { coloursOf, isCutOut, type Pixels } from "../../studio/src/editor/files/picture-pixels.ts";
import { outlineOf } from "../../studio/src/editor/sizes/size-names.ts";
import { paletteOf } from "../../studio/src/editor/style/palette.ts";
import { draftFile } from "../support/draft-file.ts";

/**
 * A dropped file is assigned to the slot that the user would choose. Its colours and other details are measured from
 * its pixels.
 */

const PHOTO = draftFile();
const BOX = { x: 0, y: 0, width: 9, height: 9 };
/** The engine's analysis of a cut-out. */
const SHOWN: PictureFacts = {
  width: 700,
  height: 800,
  isCutOut: true,
  isVector: false,
  faces: [],
  colours: [],
  focalPoint: { x: 0.5, y: 0.5 },
};
const CUT_OUT = draftFile({ mimeType: "image/png", isCutOut: true, width: 700, height: 1_500 });

describe("the slot of a dropped file", () => {
  it.each<[string, DraftFile, Files, string]>([
    ["a photo", PHOTO, {}, "media"],
    ["a second photo", PHOTO, { media: PHOTO }, "secondaryMedia"],
    ["a photo beside a cut-out", PHOTO, { product: CUT_OUT }, "background"],
    ["a vector", draftFile({ mimeType: "image/svg+xml" }), {}, "logo"],
    ["a wide cut-out", { ...CUT_OUT, width: 900, height: 300 }, {}, "logo"],
    ["an upright cut-out", CUT_OUT, {}, "product"],
    ["a cut-out named person", { ...CUT_OUT, name: "person-3.png" }, {}, "person"],
    ["a photo named person", draftFile({ name: "person-3.jpg" }), {}, "media"],
    ["a picture too small for a photo", draftFile({ width: 300, height: 300 }), {}, "logo"],
    ["a font", draftFile({ mimeType: "font/ttf", width: null, height: null }), {}, "font"],
  ])("of %s", (_, given, files, slot) => {
    expect(guessSlot(given, files)).toBe(slot);
  });

  it.each([
    ["with a face", { faces: [{ box: BOX, head: BOX, score: 1 }] }, "person"],
    ["of many colours", {}, "product"],
    ["that is wide", { width: 900, height: 300 }, "logo"],
    ["that is small and of one colour", { colours: [{ colour: "#112233", share: 1 }] }, "logo"],
    [
      "that is large and of one colour",
      { width: 999, colours: [{ colour: "#112233", share: 1 }] },
      "product",
    ],
    ["that turns out to be opaque", { isCutOut: false }, "media"],
  ])("of a cut-out %s", (_, found, slot) => {
    expect(slotOfCutOut({ ...SHOWN, ...found })).toBe(slot);
  });

  it("moves a single photo to the background of a cut-out", () => {
    const files = addFile({ media: PHOTO }, "product", CUT_OUT);
    expect(Object.keys(files).sort()).toEqual(["background", "product"]);
    expect(conflictsOf(["background", "product"])).toEqual([]);
  });

  it("lists slots that exclude or need each other, once each", () => {
    expect(conflictsOf(["media", "product"])).toEqual([
      { kind: "excludes", slot: "media", other: "product" },
    ]);
    expect(conflictsOf(["secondaryMedia"])).toEqual([
      { kind: "requires", slot: "secondaryMedia", other: "media" },
    ]);
  });

  it("accepts only files of the slot's types and size", () => {
    expect(takes("person", PHOTO)).toBe(false);
    expect(takes("background", draftFile({ width: 500, height: 500 }))).toBe(false);
    expect(takes("logo", draftFile({ mimeType: "image/svg+xml", width: 10, height: 10 }))).toBe(true);
  });
});

const paint = (width: number, height: number, at: (x: number, y: number) => readonly number[]): Pixels => ({
  width,
  height,
  data: Uint8ClampedArray.from(
    Array.from({ length: width * height }, (_, index) => at(index % width, Math.floor(index / width))).flat(),
  ),
});

it("live text in an SVG is found outside its comments, in time linear in its length", () => {
  const isFound = (svg: string): boolean => hasLiveText(new TextEncoder().encode(svg));
  expect(isFound('<svg><!-- a --><svg:text x="1">Velo</svg:text></svg>')).toBe(true);
  expect(isFound("<svg><!-- <text>Velo</text> --></svg>")).toBe(false);
  // Two million unterminated comments: searching for the end of each would take minutes.
  expect(isFound(`<svg>${"<!--".repeat(2_000_000)}`)).toBe(false);
});

describe("pixels", () => {
  it("are a cut-out if most of the edge is transparent", () => {
    const disc = paint(20, 20, (x, y) => [200, 0, 0, Math.hypot(x - 10, y - 10) < 8 ? 255 : 0]);
    const rounded = paint(20, 20, (x, y) => [200, 0, 0, (x < 2 || x > 17) && (y < 2 || y > 17) ? 0 : 255]);
    expect([isCutOut(disc), isCutOut(rounded)]).toEqual([true, false]);
  });

  it("yield the visible colours, the most common first, without transparent ones", () => {
    const flag = paint(30, 10, (x) =>
      x < 15 ? [20, 70, 50, 255] : x < 24 ? [214, 158, 46, 255] : [0, 0, 255, 0],
    );
    expect(coloursOf(flag).map(({ colour }) => colour)).toEqual(["#144632", "#d69e2e"]);
    expect(coloursOf(flag)[0]?.share).toBeCloseTo(15 / 24);
    expect(coloursOf(paint(2, 2, () => [0, 0, 0, 0]))).toEqual([]);
  });

  it("make a palette of the logo's colours before the photo's, all distinct", () => {
    const logo = draftFile({ mimeType: "image/svg+xml", colours: [{ colour: "#144632", share: 0.8 }] });
    const photo = draftFile({
      colours: [
        { colour: "#808080", share: 0.7 },
        { colour: "#154733", share: 0.2 },
        { colour: "#c02020", share: 0.1 },
      ],
    });
    expect(paletteOf({ media: photo, logo })).toEqual(["#144632", "#808080", "#c02020"]);
  });
});

it("sizes are outlined in their true proportions", () => {
  const { width, height } = outlineOf({ width: 1_080, height: 1_920 });
  expect(width / height).toBeCloseTo(1_080 / 1_920);
  expect(outlineOf({ width: 320, height: 50 }).width).toBeLessThan(
    outlineOf({ width: 970, height: 250 }).width,
  );
});
