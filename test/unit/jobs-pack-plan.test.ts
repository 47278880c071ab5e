import { describe, expect, it } from "vitest";
import { type PackRequest, packRequestSchema } from "#api/schemas/job.ts";
import { CONTRACTS } from "#catalogue/contracts.ts";
import { planPack, sizesOf } from "#domains/jobs/pack-plan.ts";
import { copiesOf, designOf as outputDesignOf, planOfSize } from "#domains/jobs/plan-design.ts";
import { formatZodIssue } from "#interface/http/format-zod-issue.ts";
import { unwrap } from "../support/unwrap.ts";

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

describe("a well-formed request is planned, or rejected with its first error", () => {
  it("defaults to static png, and to gif for animations", () => {
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

  it("reports the first error in the order contract, size, format, slot, combination", () => {
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

  it("suggests the nearest known size and slot", () => {
    const size = planPack(request({ selectedSizeIds: ["iab-300x251"] }));
    const slot = planPack(request({ assetIds: { logos: ASSET_ID } }));
    expect(!size.ok && size.message).toContain("`iab-300x250`");
    expect(!slot.ok && slot.message).toContain("`logo`");
  });

  it("for a size of another contract, suggests contracts that list it instead of similar sizes", () => {
    const size = planPack(request({ contractId: "display.v1", selectedSizeIds: ["og-1200x630"] }));
    expect(!size.ok && size.details).toEqual({
      sizeIds: ["og-1200x630"],
      contractIds: ["campaign.v3", "social.v2", "campaign.v2", "campaign.v1", "social.v1"],
    });
    expect(!size.ok && size.message).toMatch(
      /Listed by `campaign.v3`, `social.v2`, `campaign.v2`, `campaign.v1`, `social.v1`\.$/,
    );
  });

  it("plans every size of every contract, in the order of the request", () => {
    for (const contract of CONTRACTS) {
      const selectedSizeIds = contract.sizes.map((size) => size.sizeId).reverse();
      const plan = planPack(request({ contractId: contract.contractId, selectedSizeIds }));
      expect(plan.ok && sizesOf(plan.value).map((size) => size.sizeId)).toEqual(selectedSizeIds);
    }
  });

  it("drops empty texts", () => {
    const plan = planPack(request({ copy: { headline: "Hello", cta: "" } }));
    expect(plan.ok && plan.value.copy).toEqual({ headline: "Hello" });
  });
});

describe("equivalent designs have the same planned form", () => {
  const MEDIA = { assetIds: { media: ASSET_ID } };
  const designOf = (changes: Partial<PackRequest>) => {
    const { look, variant, composition, scale, placements, overrides } = unwrap(planPack(request(changes)));
    return { look, variant, composition, scale, placements, overrides };
  };
  const DESIGN = { variant: 1, composition: "auto", scale: 1, placements: {} } as const;
  const PLAIN = { look: "classic", ...DESIGN, overrides: {} };

  it("defaults to the classic look, the first variant, any composition and scale 1; drops empty placements and overrides", () => {
    expect(designOf({})).toEqual(PLAIN);
    const overrides = { "iab-300x250": { copy: {}, placements: {} } };
    expect(designOf({ look: "classic", ...DESIGN, overrides })).toEqual(PLAIN);
  });

  it("keeps an override's differences from the pack, including removed texts", () => {
    const copy = { headline: "Hello", cta: "Go" };
    const placed = { media: { focalPoint: { x: 0.5, y: 0.25 } } };
    const overrides = {
      "iab-300x250": {
        copy: { headline: "Hello", cta: "", badge: "" },
        placements: placed,
        variant: 1,
        composition: "auto",
        scale: 1,
      },
    } as const;
    expect(designOf({ ...MEDIA, copy, placements: placed, overrides }).overrides).toEqual({
      "iab-300x250": { copy: { cta: "" } },
    });
  });

  it("ends an area at the picture's edge despite binary rounding of fractions", () => {
    const keep = { x: 0.9, y: 0.7, width: 0.1, height: 0.3 };
    expect(designOf({ ...MEDIA, placements: { media: { keep } } }).placements.media).toEqual({
      keep: { x: 0.9, y: 0.7, width: 1 - 0.9, height: 0.3 },
    });
  });

  it.each<[string, Partial<PackRequest>, string]>([
    ["LOOK_UNSUPPORTED", { look: "blod" }, "There is no look `blod`. Did you mean `bold`?"],
    ["LOOK_UNSUPPORTED", { look: "?" }, "There is no look `?`. Looks: `classic`, `bold`"],
    ["PLACEMENT_UNSUPPORTED", { placements: { media: { focalPoint: { x: 0, y: 1 } } } }, "`media`"],
    [
      "PLACEMENT_UNSUPPORTED",
      { overrides: { "iab-300x250": { placements: { device: { focalPoint: { x: 0, y: 1 } } } } } },
      "`overrides.iab-300x250.placements` places `device`",
    ],
    ["OVERRIDE_UNSUPPORTED", { overrides: { "iab-300x251": {} } }, "Did you mean `iab-300x250`?"],
    [
      "SCALE_UNSUPPORTED",
      { scale: 2 },
      "No size of this contract takes it; some of `campaign.v3`, `display.v3`",
    ],
  ])("%s for %j", (code, changes, words) => {
    const plan = planPack(request(changes));
    expect(!plan.ok && plan.code).toBe(code);
    expect(!plan.ok && plan.message).toContain(words);
  });

  it("applies an override only to its size", () => {
    const plan = unwrap(
      planPack(
        request({
          ...MEDIA,
          selectedSizeIds: ["iab-300x250", "iab-728x90"],
          copy: { headline: "Hello", cta: "Go" },
          variant: 2,
          overrides: {
            "iab-728x90": { copy: { headline: "Hi", cta: "" }, variant: 3, composition: "split" },
          },
        }),
      ),
    );
    const whole = { ...DESIGN, copy: { headline: "Hello", cta: "Go" }, variant: 2 };
    const own = { ...DESIGN, copy: { headline: "Hi" }, variant: 3, composition: "split" };
    expect(outputDesignOf(plan, "iab-300x250")).toEqual(whole);
    expect(outputDesignOf(plan, "iab-728x90")).toEqual(own);
    expect(copiesOf(plan)).toEqual([whole.copy, own.copy]);
    expect(planOfSize(plan, "iab-728x90")).toEqual({
      ...plan,
      ...own,
      selectedSizeIds: ["iab-728x90"],
      overrides: {},
    });
  });
});

const messagesOf = (body: unknown): string => {
  const parsed = packRequestSchema.safeParse(body, { error: formatZodIssue });
  return parsed.success ? "ok" : parsed.error.issues.map((issue) => issue.message).join("; ");
};

describe("a malformed request is rejected before any lookup", () => {
  it("reports sizes that are selected twice", () => {
    const body = request({ selectedSizeIds: ["a", "b", "a", "c", "b"] });
    expect(messagesOf(body)).toBe("names a size twice: a, b");
  });

  it("reports unknown members and suggests the nearest known one, at every level", () => {
    expect(messagesOf({ ...request(), outputFormats: "png" })).toContain("did you mean `outputFormat`");
    expect(messagesOf({ ...request(), copy: { headlines: "x" } })).toContain("did you mean `headline`");
    expect(messagesOf({ ...request(), brand: { primaryColour: "#000000" } })).toContain("`primaryColor`");
  });

  it("API §2.12 counts characters of copy as people do, not as UTF-16 does", () => {
    expect(messagesOf(request({ copy: { cta: "🚲".repeat(28) } }))).toBe("ok");
    expect(messagesOf(request({ copy: { cta: "🚲".repeat(29) } }))).toContain("at most 28");
  });

  it("trims copy, and rejects copy that cannot be typeset", () => {
    const parsed = packRequestSchema.parse(request({ copy: { headline: "  Two\n wheels " } }));
    expect(parsed.copy).toEqual({ headline: "Two wheels" });
    expect(messagesOf(request({ copy: { headline: "a\u0000b" } }))).toContain("control characters");
    expect(messagesOf(request({ copy: { headline: "a\ud800b" } }))).toContain("control characters");
  });

  it("requires digits in prices, in any script, and a price beside an old one", () => {
    expect(messagesOf(request({ copy: { price: "free" } }))).toContain("must contain a digit");
    expect(messagesOf(request({ copy: { price: "٩٩ ر.س", oldPrice: "" } }))).toBe("ok");
    expect(messagesOf(request({ copy: { price: "9 €", oldPrice: "12 €" } }))).toBe("ok");
    expect(messagesOf(request({ copy: { oldPrice: "12 €" } }))).toContain("needs a `price`");
    const overrides = { "iab-300x250": { copy: { price: "" } } };
    expect(messagesOf(request({ copy: { price: "9 €", oldPrice: "12 €" }, overrides }))).toContain("needs a");
    const whole = { "iab-300x250": { copy: { price: "9 €" } } };
    expect(messagesOf(request({ copy: { price: "8 €", oldPrice: "12 €" }, overrides: whole }))).toBe("ok");
  });

  it.each([
    ["PT-br", "pt-BR"],
    [" de ", "de"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["", ""],
  ])("keeps the language %j as %j", (given, kept) => {
    expect(packRequestSchema.parse(request({ copy: { language: given } })).copy?.language).toBe(kept);
  });

  it.each(["xx-invalid!!", "german", "de_DE", "e", "de-", "x-klingon", `de-${"a".repeat(40)}`, "de-é"])(
    "rejects the language %j",
    (language) => {
      expect(messagesOf(request({ copy: { language } }))).toContain("must be a BCP 47 language tag");
    },
  );

  it("keeps a member of an override, whatever its name", () => {
    const body = JSON.parse('{"__proto__": {}}');
    const parsed = packRequestSchema.parse({ ...request(), overrides: body });
    const plan = planPack(parsed);
    expect(!plan.ok && plan.message).toContain("names `__proto__`");
  });

  it("accepts colours in any case and stores them in lower case", () => {
    expect(packRequestSchema.parse(request({ brand: { textColor: "#ABCdef" } })).brand).toEqual({
      textColor: "#abcdef",
    });
    for (const colour of ["#abc", "abcdef", "#abcdeg", "#abcdef0", "red"]) {
      expect(messagesOf(request({ brand: { textColor: colour } }))).toContain("#rrggbb");
    }
  });
});
