import { describe, expect, it } from "vitest";
import { composeScene, releaseScene } from "../../src/renderer/compose/scene.ts";
import type { PackInputs, PreparedPack } from "../../src/renderer/index.ts";
import { catalogueSize, inputsOf, sampleAsset, withPack } from "../support/renderer.ts";
import { violationsOf } from "./face-rules.ts";
import { assetOf, type MarkedPicture, mustBeFound, PICTURES, pictureNamed } from "./pictures/index.ts";
import { COPIES, COPY_NAMES, QUICK_PICTURES, QUICK_SIZES, RULE_SIZES } from "./rule-cases.ts";

/**
 * Guarantee: whatever the size and the copy, no word, logo, button or card lies on a face, no dense scrim over one, and
 * no edge cuts one. Marked faces are what counts, not those that the renderer found.
 * Whole: FACES=whole, with `npm run test:faces`. Else a few pictures and sizes.
 */

const isWhole = process.env.FACES === "whole";
/** A smaller picture is none for an ad. */
const SHORT_EDGE_PX_MIN = 300;
const SLOTS = ["media", "background"] as const;

const pictures: readonly MarkedPicture[] = isWhole
  ? PICTURES.filter(
      (picture) =>
        Math.min(picture.width, picture.height) >= SHORT_EDGE_PX_MIN &&
        picture.faces.some((face) => mustBeFound(picture, face)),
    )
  : QUICK_PICTURES.map(pictureNamed);
const sizes = (isWhole ? RULE_SIZES : QUICK_SIZES).map(catalogueSize);

describe("what an output does to faces", () => {
  it.each(pictures.map((picture) => [picture.path, picture] as const))(
    "%s",
    { timeout: 300_000 },
    async (_, picture) => {
      const broken: string[] = [];
      for (const [inputs, name] of packsOf(picture)) {
        await withPack(inputs, async (pack) => {
          broken.push(...violationsIn(pack, picture).map((text) => `${name}, ${text}`));
        });
      }
      expect(broken).toEqual([]);
    },
  );
});

/** The packs that are made of a picture: whole, in each slot that it may be in, with and without logo, for each copy. */
function packsOf(picture: MarkedPicture): readonly (readonly [inputs: PackInputs, name: string])[] {
  const photo = assetOf(picture);
  const logo = sampleAsset("logo.svg");
  const plain = (slot: (typeof SLOTS)[number], copy: keyof typeof COPIES) =>
    [inputsOf({ assets: { [slot]: photo }, copy: COPIES[copy] }), `${slot}, ${copy} copy`] as const;
  const signed = (slot: (typeof SLOTS)[number], copy: keyof typeof COPIES) =>
    [
      inputsOf({ assets: { [slot]: photo, logo }, copy: COPIES[copy] }),
      `${slot}, ${copy} copy, logo`,
    ] as const;
  if (!isWhole) return [plain("media", "offer"), signed("media", "long")];
  return SLOTS.flatMap((slot) => COPY_NAMES.flatMap((copy) => [plain(slot, copy), signed(slot, copy)]));
}

/** One line for each output of a pack that breaks a rule. */
function violationsIn(pack: PreparedPack, picture: MarkedPicture): readonly string[] {
  return sizes.flatMap((size) => {
    const scene = composeScene(pack, { size });
    if (!scene.ok) return [`${size.sizeId}: ${scene.message}`];
    const violations = violationsOf(scene.value, picture);
    releaseScene(scene.value);
    const texts = violations.map(({ rule, by, of }) => `${rule} by ${by} ${(of * 100).toFixed(0)} %`);
    return texts.length === 0 ? [] : [`${size.sizeId}: ${texts.join(", ")}`];
  });
}
