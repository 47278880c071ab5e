import { expect, it } from "vitest";
import { PHOTO_SEED, staticPicture } from "../../support/hard-photos.ts";
import { inputsOf, renderer, sampleAsset, withPack } from "../../support/renderer.ts";
import { COPY } from "./families.ts";
import { capOf, displaySizes } from "./sizes.ts";

/** Painted once for all formats. */
const background = await staticPicture(PHOTO_SEED);

/** Guarantee: an output that exceeds its cap at every quality is rejected, never delivered. */

it.each(["png", "jpg", "webp"] as const)(`saturated static as %s (seed ${PHOTO_SEED})`, async (format) => {
  const sizes = displaySizes("static").filter((size) => size.sizeId === "gads-300x1050");
  const assets = { background, logo: sampleAsset("logo.svg") };
  expect(sizes).toHaveLength(1);
  await withPack(inputsOf({ assets, copy: COPY }), async (pack) => {
    for (const size of sizes) {
      const drawn = await renderer.render(pack, { size, motion: "static", format });
      if (drawn.ok) {
        for (const { bytes } of drawn.value.files)
          expect(bytes.length).toBeLessThanOrEqual(capOf(size, "static", "primary"));
        continue;
      }
      expect(drawn.code).toBe("BYTE_CAP_UNREACHABLE");
      expect(drawn.message).toMatch(/takes \d+ bytes, and the size allows \d+\./);
    }
  });
});
