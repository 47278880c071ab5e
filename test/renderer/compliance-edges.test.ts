import { describe, expect, it } from "vitest";
import type { Size } from "../../src/contract/catalogue/types.ts";
import { evaluateCompliance, type UncheckedFile } from "../../src/renderer/compliance.ts";
import type { LayoutReport } from "../../src/renderer/types.ts";
import { sizeOf } from "./pack-fixtures.ts";

/** Guarantee: every rule of a size takes a file that is exactly at its limit, and none that is one unit past it. */

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
    { extension: "gif", contentType: "image/gif", animation: { frames, durationMs, loops } },
    EMPTY,
    stepMsMin,
  );

/** A headline at that box. */
const words = (x: number, y: number, width: number, height: number): string[] =>
  failedOf({}, { ...EMPTY, elements: [{ role: "headline", box: { x, y, width, height } }] });

describe("a file at a limit passes, and one unit past it fails", () => {
  it("bytes of a file", () => {
    expect(failedOf({ bytes: new Uint8Array(1_000) })).toEqual([]);
    expect(failedOf({ bytes: new Uint8Array(1_001) })).toEqual(["byte_cap"]);
  });

  it("bytes of a backup, which has a cap of its own", () => {
    expect(failedOf({ role: "backup", bytes: new Uint8Array(500) })).toEqual([]);
    expect(failedOf({ role: "backup", bytes: new Uint8Array(501) })).toEqual(["backup_bytes"]);
  });

  it("time of all plays together, not of one", () => {
    expect(moving(6, 2_000, 3)).toEqual([]);
    expect(moving(6, 6_000, 1)).toEqual([]);
    expect(moving(6, 6_001, 1)).toEqual(["duration"]);
    expect(moving(6, 3_001, 2)).toEqual(["duration"]);
  });

  it("frames a second at the fastest moment", () => {
    expect(moving(6, 2_000, 3, 200)).toEqual([]);
    expect(moving(6, 2_000, 3, 199)).toEqual(["frame_rate"]);
  });

  it("plays: at least one, and no endless loop, which is written as none", () => {
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
