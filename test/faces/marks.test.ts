import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { type MarkedPicture, mustBeFound, PICTURES, pictureNamed } from "./marked-pictures.ts";
import { matchFaces } from "./match-faces.ts";

const square = (x: number, y: number, edge: number) => ({ x, y, width: edge, height: edge });
const wanted = PICTURES.flatMap((picture) => picture.faces.filter((face) => mustBeFound(picture, face)));

describe("the marked pictures", () => {
  it("match the marked size, and contain every box", async () => {
    for (const { path, width, height, faces } of PICTURES) {
      const { autoOrient } = await sharp(join(import.meta.dirname, "../..", path)).metadata();
      expect({ path, width: autoOrient.width, height: autoOrient.height }).toEqual({ path, width, height });
      for (const { box } of faces) {
        expect(Math.min(box.x, box.y), path).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width, path).toBeLessThanOrEqual(width);
        expect(box.y + box.height, path).toBeLessThanOrEqual(height);
      }
    }
  });

  it("are each named once, with many of every kind", () => {
    const withTrait = (trait: string) => wanted.filter(({ traits }) => traits.some((one) => one === trait));
    expect(new Set(PICTURES.map(({ path }) => path)).size).toBe(PICTURES.length);
    expect(PICTURES.filter(({ faces }) => faces.length > 0).length).toBeGreaterThanOrEqual(120);
    expect(PICTURES.filter(({ faces }) => faces.length === 0).length).toBeGreaterThanOrEqual(30);
    expect(PICTURES.filter(({ faces }) => faces.length >= 3).length).toBeGreaterThanOrEqual(8);
    for (const [skin, least] of [
      ["light", 80],
      ["medium", 30],
      ["dark", 18],
    ] as const) {
      expect(wanted.filter((face) => face.skin === skin).length, skin).toBeGreaterThanOrEqual(least);
    }
    for (const trait of [
      "profile",
      "glasses",
      "hat",
      "beard",
      "tilted",
      "covered",
      "looking down",
      "low light",
    ]) {
      expect(withTrait(trait).length, trait).toBeGreaterThanOrEqual(5);
    }
  });
});

describe("matching finds with marks", () => {
  const [marked] = pictureNamed("faces/ayo-ogunseinde-2.jpg").faces;
  if (marked === undefined) throw new Error("the picture has a face");
  const picture = (...boxes: readonly ReturnType<typeof square>[]): MarkedPicture => ({
    path: "a.jpg",
    width: 1000,
    height: 1000,
    faces: boxes.map((box) => ({ ...marked, box })),
  });

  it("pairs the closest find, and counts a second find of the same face as false", () => {
    const { found, missed, falseFinds } = matchFaces(picture(square(100, 100, 100)), [
      square(130, 100, 100),
      square(105, 100, 100),
    ]);
    expect([found.length, missed.length, falseFinds]).toEqual([1, 0, [square(130, 100, 100)]]);
  });

  it("misses a face if the boxes overlap by less than two fifths", () => {
    const { missed, falseFinds } = matchFaces(picture(square(100, 100, 100)), [square(150, 130, 100)]);
    expect([missed.length, falseFinds.length]).toEqual([1, 1]);
  });

  it("ignores optional and small faces, found or missed", () => {
    const small = picture(square(100, 100, 40));
    expect(matchFaces(small, [])).toEqual({ found: [], missed: [], falseFinds: [] });
    expect(matchFaces(small, [square(100, 100, 40)]).falseFinds).toEqual([]);
    const drawn = pictureNamed("illustrations/sign-up.png");
    expect(matchFaces(drawn, []).missed).toEqual([]);
  });
});
