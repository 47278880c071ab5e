import { describe, expect, it } from "vitest";
import { type PackRequest, packRequestSchema } from "#api/schemas/job.ts";
import { planPack } from "#domains/jobs/pack-plan.ts";

const BRACED = ["$", "{CLICK_URL}"].join("");

const BANNER: PackRequest = {
  contractId: "display.v3",
  selectedSizeIds: ["iab-300x250"],
  motion: "animated",
  outputFormat: "html5",
  assetIds: { logo: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71" },
  clickUrl: "https://example.com/spring?x=1",
};

const planOf = (changes: Partial<PackRequest>) => planPack({ ...BANNER, ...changes });

describe("an HTML5 banner", () => {
  it.each<[string, Partial<PackRequest>]>([
    ["an address", {}],
    ["a macro of its network", { network: "xandr", clickUrl: BRACED }],
    ["a macro before an address", { clickUrl: "%%CLICK_URL_UNESC%%https://example.com/" }],
    ["Adform's open prefix", { network: "adform", clickUrl: "%%c1;cpdir=https://example.com/" }],
  ])("accepts %s", (_, changes) => {
    const { clickUrl, network = "google" } = { ...BANNER, ...changes };
    expect(planOf(changes)).toMatchObject({ ok: true, value: { clickUrl, network } });
  });

  it.each<[string, Partial<PackRequest>]>([
    ["without an address", { clickUrl: undefined }],
    ["with an http: address", { clickUrl: "http://example.com/" }],
    ["with a script", { clickUrl: "javascript:alert(1)" }],
    ["with a macro of another network", { network: "adform", clickUrl: BRACED }],
    ["with an address, if it is a picture", { motion: "static", outputFormat: "png" }],
  ])("is rejected as CLICK_URL_UNSUPPORTED %s", (_, changes) => {
    expect(planOf(changes)).toMatchObject({ ok: false, code: "CLICK_URL_UNSUPPORTED" });
  });

  it.each(["example.com", "https://", "a b", 'https://e.com/"', "%%", ""])(
    "with %j is malformed",
    (clickUrl) => {
      expect(packRequestSchema.safeParse({ ...BANNER, clickUrl }).success).toBe(false);
    },
  );

  it("is rejected for sizes whose network supports none, naming those sizes", () => {
    const plan = planOf({ contractId: "campaign.v3", selectedSizeIds: ["iab-300x250", "og-1200x630"] });
    expect(plan).toMatchObject({
      ok: false,
      code: "FORMAT_UNSUPPORTED",
      details: { sizeIds: ["og-1200x630"] },
    });
  });
});

it("a video is rejected for sizes whose network supports none", () => {
  const video = { contractId: "campaign.v3", outputFormat: "mp4", clickUrl: undefined } as const;
  expect(planOf({ ...video, selectedSizeIds: ["meta-story-1080x1920"] }).ok).toBe(true);
  expect(planOf({ ...video, selectedSizeIds: ["iab-300x250"] })).toMatchObject({
    code: "FORMAT_UNSUPPORTED",
  });
});
