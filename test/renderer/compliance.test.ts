import { describe, expect, it } from "vitest";
import { findContract } from "#catalogue/contracts.ts";
import { atScale } from "#catalogue/scales.ts";
import type { Size } from "#catalogue/types.ts";
import { evaluateCompliance, type UncheckedFile } from "#renderer/compliance.ts";
import type { LayoutReport } from "#renderer/types.ts";
import { catalogueSize } from "../support/renderer.ts";
import { sizeOf } from "./pack-fixtures.ts";

const SAFE = { top: 40, right: 30, bottom: 50, left: 20 };
const EMPTY: LayoutReport = { family: "campaign", shape: "square", elements: [], crops: [], adjustments: [] };
const WIDTH = 300;
const HEIGHT = 250;

const SIZE: Size = {
  ...sizeOf(WIDTH, HEIGHT, SAFE),
  acceptedFormats: ["png", "gif"],
  byteCap: 1_000,
  animation: {
    ...sizeOf(WIDTH, HEIGHT).animation,
    durationMsMax: 6_000,
    framesPerSecondMax: 5,
    loopsMax: 3,
    framesMax: 10,
    backupBytesMax: 500,
  },
};

const fileOf = (more: Partial<UncheckedFile>): UncheckedFile => ({
  role: "primary",
  bytes: new Uint8Array(100),
  contentType: "image/png",
  format: "png",
  extension: "png",
  width: WIDTH,
  height: HEIGHT,
  animation: null,
  ...more,
});

/** The rules that a file fails. */
const failedOf = (more: Partial<UncheckedFile>, layout: LayoutReport = EMPTY, stepMsMin?: number): string[] =>
  evaluateCompliance(fileOf(more), SIZE, layout, stepMsMin)
    .checks.filter(({ passed }) => !passed)
    .map(({ rule }) => rule);

const moving = (frames: number, durationMs: number, loops: number, stepMsMin = 1_000): string[] =>
  failedOf(
    { format: "gif", extension: "gif", contentType: "image/gif", animation: { frames, durationMs, loops } },
    EMPTY,
    stepMsMin,
  );

/** The rules that a file with a headline in this box fails. */
const words = (x: number, y: number, width: number, height: number): string[] =>
  failedOf({}, { ...EMPTY, elements: [{ role: "headline", box: { x, y, width, height } }] });

describe("a file at a limit passes, and one unit past it fails", () => {
  it("bytes of a file", () => {
    expect(failedOf({ bytes: new Uint8Array(1_000) })).toEqual([]);
    expect(failedOf({ bytes: new Uint8Array(1_001) })).toEqual(["byte_cap"]);
  });

  it("bytes of a backup, which has its own cap", () => {
    expect(failedOf({ role: "backup", bytes: new Uint8Array(500) })).toEqual([]);
    expect(failedOf({ role: "backup", bytes: new Uint8Array(501) })).toEqual(["backup_bytes"]);
  });

  it("total time of all plays, not the time of one play", () => {
    expect(moving(6, 2_000, 3)).toEqual([]);
    expect(moving(6, 6_000, 1)).toEqual([]);
    expect(moving(6, 6_001, 1)).toEqual(["duration"]);
    expect(moving(6, 3_001, 2)).toEqual(["duration"]);
  });

  it("frames a second at the fastest moment, even if another frame is long", () => {
    expect(moving(6, 2_000, 3, 200)).toEqual([]);
    expect(moving(6, 2_000, 3, 199)).toEqual(["frame_rate"]);
    const evenly = (durationMs: number) =>
      failedOf({
        extension: "gif",
        contentType: "image/gif",
        animation: { frames: 10, durationMs, loops: 1 },
      });
    expect(evenly(2_000)).toEqual([]);
    expect(evenly(1_999)).toEqual(["frame_rate"]);
  });

  it("plays: at least one, and no endless loop, which has 0 plays", () => {
    expect(moving(6, 1_000, 3)).toEqual([]);
    expect(moving(6, 1_000, 4)).toEqual(["loops"]);
    expect(moving(6, 1_000, 1)).toEqual([]);
    expect(moving(6, 1_000, 0)).toEqual(["loops"]);
  });

  it("number of frames", () => {
    expect(moving(10, 2_000, 1)).toEqual([]);
    expect(moving(11, 2_000, 1)).toEqual(["frames"]);
  });

  it("each side of the safe area", () => {
    const [width, height] = [WIDTH - SAFE.left - SAFE.right, HEIGHT - SAFE.top - SAFE.bottom];
    expect(words(SAFE.left, SAFE.top, width, height)).toEqual([]);
    expect(words(SAFE.left - 1, SAFE.top, width, height)).toEqual(["safe_area"]);
    expect(words(SAFE.left, SAFE.top - 1, width, height)).toEqual(["safe_area"]);
    expect(words(SAFE.left, SAFE.top, width + 1, height)).toEqual(["safe_area"]);
    expect(words(SAFE.left, SAFE.top, width, height + 1)).toEqual(["safe_area"]);
  });
});

describe("API §14.5 a report on a size of the catalogue", () => {
  const size = catalogueSize("gads-300x250");

  it("passes a file within every rule, and names the networks that accept it", () => {
    const verdict = evaluateCompliance(fileOf({ bytes: new Uint8Array(149_000) }), size, EMPTY);
    expect(verdict).toMatchObject({ verdict: "pass", byteCap: 150_000 });
    expect(verdict.acceptedBy).toEqual(expect.arrayContaining(["iab", "gads"]));
  });

  it("fails a file over the cap or in an unlisted format, with the source of each rule", () => {
    const refused = fileOf({
      bytes: new Uint8Array(150_001),
      extension: "webp",
      format: "webp",
      contentType: "image/webp",
    });
    const { verdict, checks, acceptedBy } = evaluateCompliance(refused, size, EMPTY);
    expect(verdict).toBe("fail");
    expect(
      checks
        .filter(({ passed }) => !passed)
        .map(({ rule }) => rule)
        .sort(),
    ).toEqual(["byte_cap", "format"]);
    expect(checks.every(({ sourceId }) => sourceId !== null)).toBe(true);
    expect(acceptedBy).not.toContain("gads");
  });

  it("passes a 2x file that keeps its size's cap, for networks that document 2x files", () => {
    const double = fileOf({ bytes: new Uint8Array(149_000), width: 600, height: 500 });
    const iab = evaluateCompliance(double, atScale(catalogueSize("iab-300x250"), 2), EMPTY);
    expect(iab).toMatchObject({ verdict: "pass", byteCap: 150_000, acceptedBy: ["iab", "amazon"] });
    expect(iab.checks[0]).toMatchObject({ rule: "dimensions", sourceId: "dv360-3017252" });
    const over = { ...double, bytes: new Uint8Array(150_001) };
    expect(evaluateCompliance(over, atScale(catalogueSize("iab-300x250"), 2), EMPTY).verdict).toBe("fail");
  });

  it("checks a file's own network by the rules in its pack's contract, other networks by their newest rules", () => {
    const old = findContract("story.v1")?.sizes.find(({ sizeId }) => sizeId === "demand-gen-1080x1920");
    if (old === undefined) throw new Error("story.v1 has the size");
    const file = fileOf({ width: 1080, height: 1920 });
    const layout: LayoutReport = {
      ...EMPTY,
      elements: [{ role: "headline", box: { x: 70, y: 280, width: 800, height: 200 } }],
    };
    expect(evaluateCompliance(file, old, layout).acceptedBy).toContain("demand-gen");
    const { acceptedBy } = evaluateCompliance(file, catalogueSize("meta-story-1080x1920"), layout);
    expect(acceptedBy).not.toContain("demand-gen");
  });
});
