import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type CompositionWish, VARIANTS, type Variant } from "#catalogue/looks.ts";
import { reportOf } from "#renderer/compose/layout-report.ts";
import type { PreparedPack } from "#renderer/compose/prepared-pack.ts";
import { composeScene, releaseScene } from "#renderer/compose/scene.ts";
import { coverCrop } from "#renderer/focus/cover-crop.ts";
import { boxesOf } from "#renderer/layout/design/design.ts";
import { aspectRangeOf } from "#renderer/layout/pictures/whole-subject-range.ts";
import { dimensions } from "../support/dimensions.ts";
import { sampleAsset } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";
import { prepared, sizeOf } from "./pack-fixtures.ts";

const SIZES = dimensions("540x675 540x540 300x250 600x314 970x250 160x600 300x600");
const WISHES = ["full_bleed", "split", "framed", "overlap"] as const;

describe("the compositions of a photo", () => {
  let pack: PreparedPack;
  beforeAll(async () => {
    pack = await prepared({
      assets: { media: sampleAsset("bottle-photo.jpg"), logo: sampleAsset("logo.svg") },
      copy: { headline: "Made for the long way round", cta: "Shop now" },
    });
  });

  function composedIn(
    width: number,
    height: number,
    more: { variant?: Variant; composition?: CompositionWish },
  ) {
    const scene = unwrap(composeScene(pack, { size: sizeOf(width, height), ...more }));
    const { kind } = scene.arrangement;
    const codes = reportOf(pack, scene, false).adjustments.map(({ code }) => code);
    releaseScene(scene);
    return { kind, codes };
  }

  it("differ in kind between the first variant and each of the other two, in every shape", () => {
    for (const [width, height] of SIZES) {
      const kinds = VARIANTS.map((variant) => composedIn(width, height, { variant }).kind);
      expect(kinds[1], `${width}x${height}`).not.toBe(kinds[0]);
      expect(kinds[2], `${width}x${height}`).not.toBe(kinds[0]);
    }
  });

  it("are of the requested kind, or the report names the kind drawn", () => {
    for (const [width, height] of SIZES) {
      for (const composition of WISHES) {
        const { kind, codes } = composedIn(width, height, { composition });
        if (kind !== composition) expect(codes, `${width}x${height}`).toContain("arrangement_changed");
      }
      expect(composedIn(width, height, { composition: "split" }).kind).toBe("split");
    }
  });

  it.each(dimensions("120x600 160x600 300x600 300x1050"))(
    "have text on only one side of the photo at %dx%d",
    (width, height) => {
      const scene = unwrap(composeScene(pack, { size: sizeOf(width, height), composition: "split" }));
      const { design } = scene.arrangement;
      releaseScene(scene);
      const [photo] = design.pictures;
      const isOver = boxesOf(design).map(({ y }) => y < (photo?.box.y ?? 0));
      expect(new Set(isOver).size).toBe(1);
      expect([0, height - (photo?.box.height ?? 0)]).toContain(photo?.box.y);
    },
  );

  it("show the main subject whole in every shape", () => {
    for (const [width, height] of SIZES) {
      expect(composedIn(width, height, {}).codes, `${width}x${height}`).not.toContain("subject_cut");
    }
  });
});

describe("the regions that a photo can fill without cutting its subject", () => {
  const share = fc.double({ min: 0.05, max: 0.45, noNaN: true });
  const size = fc.integer({ min: 200, max: 2000 });

  it("have aspects for which a crop with the whole subject exists", () => {
    fc.assert(
      fc.property(
        size,
        size,
        share,
        share,
        share,
        share,
        (sourceWidth, sourceHeight, x, y, width, height) => {
          const whole = { x, y, width: width * 2 * (1 - x), height: height * 2 * (1 - y) };
          const { least, most } = aspectRangeOf({
            aspect: sourceWidth / sourceHeight,
            isCutOut: false,
            subjectBox: null,
            protectedAreas: [{ kind: "subject", whole, core: whole }],
            textBackground: null,
          });
          for (const aspect of [least, most]) {
            const crop = coverCrop({
              sourceWidth,
              sourceHeight,
              boxWidth: 1000 * aspect,
              boxHeight: 1000,
              free: { x: 0, y: 0, width: 1, height: 1 },
              saliency: { width: 1, height: 1, values: Float64Array.of(1) },
              focalPoint: { x: 0.5, y: 0.5 },
              protectedAreas: [whole],
            });
            const [left, top] = [crop.x / sourceWidth, crop.y / sourceHeight];
            expect(left).toBeLessThanOrEqual(whole.x + 1e-6);
            expect(top).toBeLessThanOrEqual(whole.y + 1e-6);
            expect(left + crop.width / sourceWidth).toBeGreaterThanOrEqual(whole.x + whole.width - 1e-6);
            expect(top + crop.height / sourceHeight).toBeGreaterThanOrEqual(whole.y + whole.height - 1e-6);
          }
        },
      ),
      { seed: 20_261_126, numRuns: 200 },
    );
  });
});
