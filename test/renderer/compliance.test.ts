import { describe, expect, it } from "vitest";
import { evaluateCompliance, type UncheckedFile } from "../../src/renderer/compliance.ts";
import type { LayoutReport } from "../../src/renderer/types.ts";
import { catalogueSize } from "./pack-fixtures.ts";

const EMPTY: LayoutReport = { family: "campaign", shape: "square", elements: [], crops: [], adjustments: [] };

function file(bytes: number, more: Partial<UncheckedFile> = {}): UncheckedFile {
  return {
    role: "primary",
    bytes: new Uint8Array(bytes),
    contentType: "image/png",
    extension: "png",
    width: 300,
    height: 250,
    animation: null,
    ...more,
  };
}

const failed = (of: ReturnType<typeof evaluateCompliance>) =>
  of.checks.filter(({ passed }) => !passed).map(({ rule }) => rule);

describe("API §14.5 a verdict", () => {
  const size = catalogueSize("gads-300x250");

  it("passes a file inside every rule, and names the networks that take it", () => {
    const verdict = evaluateCompliance(file(149_000), size, EMPTY);
    expect(verdict).toMatchObject({ verdict: "pass", byteCap: 150_000 });
    expect(verdict.acceptedBy).toEqual(expect.arrayContaining(["iab", "gads"]));
  });

  it("fails a file over the cap, and says which source asks for it", () => {
    const verdict = evaluateCompliance(file(150_001), size, EMPTY);
    expect(verdict.verdict).toBe("fail");
    expect(failed(verdict)).toEqual(["byte_cap"]);
    expect(verdict.checks.every(({ sourceId }) => sourceId !== null)).toBe(true);
  });

  it("fails a format that the network does not list", () => {
    const verdict = evaluateCompliance(
      file(20_000, { extension: "webp", contentType: "image/webp" }),
      size,
      EMPTY,
    );
    expect(failed(verdict)).toEqual(["format"]);
    expect(verdict.acceptedBy).not.toContain("gads");
  });

  it("holds animations to time and rate, over all plays", () => {
    const moving = (frames: number, durationMs: number, loops: number, stepMsMin?: number) =>
      failed(
        evaluateCompliance(
          file(90_000, {
            extension: "gif",
            contentType: "image/gif",
            animation: { frames, durationMs, loops },
          }),
          size,
          EMPTY,
          stepMsMin,
        ),
      );
    expect(moving(12, 5_000, 3)).toEqual([]);
    expect(moving(12, 50_000, 3)).toContain("duration");
    expect(moving(120, 5_000, 3)).toContain("frame_rate");
    // A long hold does not make a fast moment slow.
    expect(moving(12, 5_000, 3, 250)).toEqual([]);
    expect(moving(12, 5_000, 3, 180)).toEqual(["frame_rate"]);
  });

  it("fails words inside a story's safe area", () => {
    const story = catalogueSize("meta-story-1080x1920");
    const words = (y: number): LayoutReport => ({
      ...EMPTY,
      elements: [{ role: "headline", box: { x: 100, y, width: 500, height: 90 } }],
    });
    const still = file(50_000, { width: 1080, height: 1920 });
    expect(evaluateCompliance(still, story, words(900)).verdict).toBe("pass");
    expect(failed(evaluateCompliance(still, story, words(40)))).toEqual(["safe_area"]);
  });
});
