import { describe, expect, it } from "vitest";
import type { JobInputs, JobPlan } from "#domains/jobs/job.ts";
import { fingerprintOf } from "#domains/jobs/pack-plan.ts";

const plan: JobPlan = {
  contractId: "display.v1",
  motion: "static",
  outputFormat: "png",
  network: null,
  clickUrl: null,
  selectedSizeIds: ["iab-300x250", "iab-728x90"],
  assetIds: { logo: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71" },
  copy: { headline: "Hello" },
  brand: { textColor: "#000000" },
  brandAssetIds: {},
  buttonStyle: null,
  look: "classic",
  variant: 1,
  composition: "auto",
  scale: 1,
  placements: {},
  overrides: {},
};
const inputs: JobInputs = { logo: { objectKey: "a", mimeType: "image/png", sha256: "1".repeat(64) } };

describe("API §14.1 two packs have the same fingerprint if and only if their pixels are the same", () => {
  it("it does not depend on the order of sizes or on asset names", async () => {
    const renamed = { logo: { objectKey: "b", mimeType: "image/png", sha256: "1".repeat(64) } };
    const reordered = { ...plan, selectedSizeIds: [...plan.selectedSizeIds].reverse(), assetIds: {} };
    expect(await fingerprintOf(reordered, renamed, "1")).toBe(await fingerprintOf(plan, inputs, "1"));
  });

  it("it is unchanged for orders without compositions, scales and saved brands", async () => {
    expect(await fingerprintOf(plan, inputs, "1")).toBe(
      "c556cea708dc9b13a7ae6fe0e5c22a05bd8c50a5b5487d1694fccb1d95caceb0",
    );
  });

  it("it differs with everything that the pixels depend on", async () => {
    const font = { objectKey: "f", mimeType: "font/ttf", sha256: "2".repeat(64) };
    const fingerprints = await Promise.all([
      fingerprintOf(plan, inputs, "1"),
      fingerprintOf(plan, inputs, "2"),
      fingerprintOf(plan, { ...inputs, font }, "1"),
      fingerprintOf(plan, { media: { objectKey: "a", mimeType: "image/png", sha256: "1".repeat(64) } }, "1"),
      fingerprintOf(plan, { logo: { objectKey: "a", mimeType: "image/png", sha256: "3".repeat(64) } }, "1"),
      fingerprintOf({ ...plan, contractId: "campaign.v1" }, inputs, "1"),
      fingerprintOf({ ...plan, selectedSizeIds: ["iab-300x250"] }, inputs, "1"),
      fingerprintOf({ ...plan, outputFormat: "webp" }, inputs, "1"),
      fingerprintOf({ ...plan, motion: "animated", outputFormat: "webp" }, inputs, "1"),
      fingerprintOf({ ...plan, copy: { subheadline: "Hello" } }, inputs, "1"),
      fingerprintOf({ ...plan, brand: {} }, inputs, "1"),
      fingerprintOf({ ...plan, buttonStyle: "pill" }, inputs, "1"),
      fingerprintOf(plan, { ...inputs, logoOnDark: font }, "1"),
      fingerprintOf(plan, { ...inputs, font, textFont: font }, "1"),
      fingerprintOf({ ...plan, look: "bold" }, inputs, "1"),
      fingerprintOf({ ...plan, variant: 2 }, inputs, "1"),
      fingerprintOf({ ...plan, composition: "split" }, inputs, "1"),
      fingerprintOf({ ...plan, scale: 2 }, inputs, "1"),
      fingerprintOf({ ...plan, placements: { media: { focalPoint: { x: 0.2, y: 0.8 } } } }, inputs, "1"),
      fingerprintOf({ ...plan, overrides: { "iab-728x90": { variant: 2 } } }, inputs, "1"),
    ]);
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
    expect(fingerprints.every((fingerprint) => /^[0-9a-f]{64}$/.test(fingerprint))).toBe(true);
  });
});
