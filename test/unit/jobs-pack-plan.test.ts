import { describe, expect, it } from "vitest";
import { type PackRequest, packRequestSchema } from "../../src/api/schemas/job.ts";
import { CONTRACTS } from "../../src/catalogue/contracts.ts";
import { planPack, sizesOf } from "../../src/jobs/pack-plan.ts";

const ASSET_ID = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";

const request = (changes: Partial<PackRequest> = {}): PackRequest => ({
  contractId: "display.v1",
  selectedSizeIds: ["iab-300x250"],
  assetIds: { logo: ASSET_ID },
  ...changes,
});

const codeOf = (changes: Partial<PackRequest>): string => {
  const plan = planPack(request(changes));
  return plan.ok ? "ok" : plan.code;
};

describe("a well-formed request is planned or refused with what is wrong", () => {
  it("fills in static png, and gif where it moves", () => {
    const still = planPack(request());
    const moving = planPack(request({ motion: "animated" }));
    expect(still.ok && [still.value.motion, still.value.outputFormat]).toEqual(["static", "png"]);
    expect(moving.ok && [moving.value.motion, moving.value.outputFormat]).toEqual(["animated", "gif"]);
  });

  it.each<[string, Partial<PackRequest>]>([
    ["FORMAT_UNSUPPORTED", { motion: "animated", outputFormat: "png" }],
    ["SLOT_COMBINATION_UNSUPPORTED", { assetIds: { secondaryMedia: ASSET_ID } }],
    ["VISUAL_ASSET_REQUIRED", { assetIds: {} }],
    ["VISUAL_ASSET_REQUIRED", { assetIds: { font: ASSET_ID } }],
  ])("%s for %j", (code, changes) => {
    expect(codeOf(changes)).toBe(code);
  });

  it("answers for the first thing wrong in the order contract, size, format, slot, combination", () => {
    const wrong = {
      contractId: "nope",
      selectedSizeIds: ["nope"],
      outputFormat: "nope",
      assetIds: { nope: ASSET_ID, secondaryMedia: ASSET_ID },
    };
    expect(codeOf(wrong)).toBe("CONTRACT_UNSUPPORTED");
    expect(codeOf({ ...wrong, contractId: "display.v1" })).toBe("SIZE_UNSUPPORTED");
    expect(codeOf({ outputFormat: "nope", assetIds: wrong.assetIds })).toBe("FORMAT_UNSUPPORTED");
    expect(codeOf({ assetIds: wrong.assetIds })).toBe("SLOT_UNSUPPORTED");
  });

  it("names the nearest known size and slot", () => {
    const size = planPack(request({ selectedSizeIds: ["iab-300x251"] }));
    const slot = planPack(request({ assetIds: { logos: ASSET_ID } }));
    expect(!size.ok && size.message).toContain("`iab-300x250`");
    expect(!slot.ok && slot.message).toContain("`logo`");
  });

  it("names the contracts that list a size which this one does not, rather than a size that looks alike", () => {
    const size = planPack(request({ contractId: "display.v1", selectedSizeIds: ["og-1200x630"] }));
    expect(!size.ok && size.details).toEqual({
      sizeIds: ["og-1200x630"],
      contractIds: ["campaign.v1", "social.v1"],
    });
    expect(!size.ok && size.message).toMatch(/Listed by `campaign.v1`, `social.v1`\.$/);
  });

  it("takes every size of every contract, in the order of the request", () => {
    for (const contract of CONTRACTS) {
      const selectedSizeIds = contract.sizes.map((size) => size.sizeId).reverse();
      const plan = planPack(request({ contractId: contract.contractId, selectedSizeIds }));
      expect(plan.ok && sizesOf(plan.value).map((size) => size.sizeId)).toEqual(selectedSizeIds);
    }
  });

  it("drops texts that say nothing", () => {
    const plan = planPack(request({ copy: { headline: "Hello", cta: "" } }));
    expect(plan.ok && plan.value.copy).toEqual({ headline: "Hello" });
  });
});

const messagesOf = (body: unknown): string => {
  const parsed = packRequestSchema.safeParse(body);
  return parsed.success ? "ok" : parsed.error.issues.map((issue) => issue.message).join("; ");
};

describe("a malformed request is refused before anything is looked up", () => {
  it("names sizes that are selected twice", () => {
    const body = request({ selectedSizeIds: ["a", "b", "a", "c", "b"] });
    expect(messagesOf(body)).toBe("names a size twice: a, b");
  });

  it("names unknown members and the nearest known one, at every level", () => {
    expect(messagesOf({ ...request(), outputFormats: "png" })).toContain("did you mean `outputFormat`");
    expect(messagesOf({ ...request(), copy: { headlines: "x" } })).toContain("did you mean `headline`");
    expect(messagesOf({ ...request(), brand: { primaryColour: "#000000" } })).toContain("`primaryColor`");
  });

  it("API §2.12 counts characters of copy as people do, not as UTF-16 does", () => {
    expect(messagesOf(request({ copy: { cta: "🚲".repeat(28) } }))).toBe("ok");
    expect(messagesOf(request({ copy: { cta: "🚲".repeat(29) } }))).toContain("at most 28");
  });

  it("trims copy, and refuses what cannot be set in type", () => {
    const parsed = packRequestSchema.parse(request({ copy: { headline: "  Two\n wheels " } }));
    expect(parsed.copy).toEqual({ headline: "Two wheels" });
    expect(messagesOf(request({ copy: { headline: "a\u0000b" } }))).toContain("control characters");
    expect(messagesOf(request({ copy: { headline: "a\ud800b" } }))).toContain("control characters");
  });

  it("takes colours in any case and keeps them in lower case", () => {
    expect(packRequestSchema.parse(request({ brand: { textColor: "#ABCdef" } })).brand).toEqual({
      textColor: "#abcdef",
    });
    for (const colour of ["#abc", "abcdef", "#abcdeg", "#abcdef0", "red"]) {
      expect(messagesOf(request({ brand: { textColor: colour } }))).toContain("#rrggbb");
    }
  });
});
