import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { PHOTOS, WITH_SUBJECT } from "./labelled-photos.ts";

describe("the labelled photos", () => {
  it("exist, and are each listed once", async () => {
    expect(new Set(PHOTOS.map(({ path }) => path)).size).toBe(PHOTOS.length);
    for (const { path } of PHOTOS) {
      const { width } = await sharp(join(import.meta.dirname, "../..", path)).metadata();
      expect(width, path).toBeGreaterThanOrEqual(400);
    }
  });

  it("have boxes with an area", () => {
    for (const { path, box } of PHOTOS) {
      if (box !== null) expect(Math.min(box.width, box.height), path).toBeGreaterThan(0);
    }
  });

  it("include at least 120 with an undisputed subject, in two halves of similar size", () => {
    const agreed = PHOTOS.filter(({ isUncertain }) => !isUncertain);
    const tune = agreed.filter(({ half }) => half === "tune").length;
    expect(agreed.length).toBeGreaterThanOrEqual(120);
    expect(WITH_SUBJECT.length).toBeGreaterThanOrEqual(100);
    expect(Math.min(tune, agreed.length - tune)).toBeGreaterThanOrEqual(60);
  });
});
