import { describe, expect, it } from "vitest";
import { familyOf } from "#renderer/index.ts";
import { loopsWithin } from "#renderer/motion/timeline.ts";
import { catalogueSize, inputsOf, renderer, withPack } from "../support/renderer.ts";
import { FAMILY_ASSETS } from "./pack-fixtures.ts";

const MPU = catalogueSize("gads-300x250");

it.each([
  ["static", "gif"],
  ["animated", "png"],
] as const)("%s is rejected as %s with FORMAT_UNSUPPORTED", async (motion, format) => {
  await withPack(inputsOf({ assets: FAMILY_ASSETS.brand }), async (pack) => {
    const output = await renderer.render(pack, { size: MPU, motion, format });
    expect(output).toMatchObject({ ok: false, code: "FORMAT_UNSUPPORTED" });
  });
});

describe("motion", () => {
  it("plays fewer times if the size allows fewer", () => {
    expect(loopsWithin(5_000, { loopsMax: 1, durationMsMax: 30_000 })).toBe(1);
    expect(loopsWithin(5_000, { loopsMax: 3, durationMsMax: 11_000 })).toBe(2);
  });
});

describe("the family of a job", () => {
  it("depends only on the filled slots", () => {
    expect(familyOf(["media", "logo"])).toBe("campaign");
    expect(familyOf(["media", "secondaryMedia", "background"])).toBe("duo");
    expect(familyOf(["product", "background", "logo"])).toBe("product");
    expect(familyOf(["person"])).toBe("person");
    expect(familyOf(["device", "logo"])).toBe("device");
    expect(familyOf(["background", "logo", "font"])).toBe("scenery");
    expect(familyOf(["logo"])).toBe("brand");
    expect(familyOf(["font"])).toBeNull();
  });
});
