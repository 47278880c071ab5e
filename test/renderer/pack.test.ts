import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { OutputFormat } from "../../src/contract/catalogue/types.ts";
import { composeScene, flattenScene } from "../../src/renderer/compose/scene.ts";
import { createRenderer, familyOf, type Renderer } from "../../src/renderer/index.ts";
import { driftsOf, framesOf } from "../../src/renderer/motion/animate.ts";
import { loopsWithin, TIMELINE } from "../../src/renderer/motion/timeline.ts";
import { copyOf } from "../../src/renderer/raster/canvas.ts";
import { loadBundledFonts, loadCodecModules } from "../support/node-modules.ts";
import { catalogueSize } from "../support/renderer.ts";
import { COPY, digest, FAMILY_ASSETS, prepared } from "./pack-fixtures.ts";

const MPU = catalogueSize("gads-300x250");

describe("a pack", () => {
  let renderer: Renderer;
  beforeAll(async () => {
    renderer = createRenderer(await loadCodecModules(), await loadBundledFonts());
  });

  async function open(assets: Parameters<Renderer["prepare"]>[0]["assets"]) {
    const pack = await renderer.prepare({ assets, font: null, copy: COPY, brand: {} });
    if (!pack.ok) throw new Error(pack.message);
    return pack.value;
  }

  it("API §14.7 moves within every display network's limits, and brings its last frame as a backup", async () => {
    const pack = await open(FAMILY_ASSETS.campaign);
    const output = await renderer.render(pack, { size: MPU, motion: "animated", format: "gif" });
    if (!output.ok) throw new Error(output.message);
    const [primary, backup] = output.value.files;
    expect(primary).toMatchObject({ role: "primary", extension: "gif", compliance: { verdict: "pass" } });
    expect(primary?.animation?.loops).toBeLessThanOrEqual(3);
    expect(backup).toMatchObject({ role: "backup", animation: null, compliance: { verdict: "pass" } });
    expect(backup?.bytes.length).toBeLessThanOrEqual(50_000);
    const read = await sharp(primary?.bytes, { pages: -1 }).metadata();
    expect(read.pages).toBe(primary?.animation?.frames);
    pack.close();
  });

  it("refuses a moving png and a still gif by name", async () => {
    const pack = await open(FAMILY_ASSETS.brand);
    const refusals: readonly ["static" | "animated", OutputFormat][] = [
      ["static", "gif"],
      ["animated", "png"],
    ];
    for (const [motion, format] of refusals) {
      const output = await renderer.render(pack, { size: MPU, motion, format });
      expect(output).toMatchObject({ ok: false, code: "FORMAT_UNSUPPORTED" });
    }
    pack.close();
  });
});

describe("motion", () => {
  it("ends on the static design, pixel for pixel, in every family", async () => {
    for (const assets of Object.values(FAMILY_ASSETS)) {
      const pack = await prepared({ assets });
      const scene = composeScene(pack, MPU, true);
      if (!scene.ok) throw new Error(scene.message);
      const rest = flattenScene({ ...scene.value, backdrop: copyOf(scene.value.backdrop) }, true);
      const draw = framesOf(scene.value, rest.hasBorder, driftsOf(pack, scene.value, "webp", null));
      expect(digest(draw(TIMELINE.frames - 1).pixels)).toBe(digest(rest.canvas.pixels));
      expect(digest(draw(0).pixels)).not.toBe(digest(rest.canvas.pixels));
      expect(digest(draw(4).pixels)).toBe(digest(draw(4).pixels));
    }
  });

  it("plays less where a size allows less", () => {
    expect(loopsWithin({ loopsMax: 1, durationMsMax: 30_000 })).toBe(1);
    expect(loopsWithin({ loopsMax: 3, durationMsMax: 11_000 })).toBe(2);
  });
});

describe("the family of a job", () => {
  it("follows from the filled slots alone", () => {
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
