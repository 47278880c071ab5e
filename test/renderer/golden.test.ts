import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { GOLDEN_CASES } from "../golden/cases.ts";
import { readSignatures } from "../golden/draw-goldens.ts";
import { distanceBetween, isSameLook, signatureOf } from "../golden/signature.ts";
import { sampleAsset } from "../support/renderer.ts";
import { QUICK_SHAPES, testGoldens } from "./golden-tests.ts";

/** Compares two shapes; golden.long.test.ts compares all others. */

testGoldens(QUICK_SHAPES);

it("every stored golden is drawn", async () => {
  const signatures = await readSignatures();
  expect(Object.keys(signatures).sort()).toEqual(GOLDEN_CASES.map((golden) => golden.name).sort());
});

describe("a signature detects only visible differences", async () => {
  const photo = await sharp(sampleAsset("dandelion-turned.jpg").bytes)
    .rotate()
    .resize(640, 800)
    .png()
    .toBuffer();
  const plain = await signatureOf(photo);
  const distanceTo = async (picture: Buffer) => distanceBetween(plain, await signatureOf(picture));

  it("compression and a slight blur have the same signature", async () => {
    expect(isSameLook(await distanceTo(await sharp(photo).jpeg({ quality: 60 }).toBuffer()))).toBe(true);
    expect(isSameLook(await distanceTo(await sharp(photo).blur(0.8).png().toBuffer()))).toBe(true);
  });

  it("a mirror image, a tint and an added block have different signatures", async () => {
    const block = await sharp({ create: { width: 200, height: 60, channels: 3, background: "#ffffff" } })
      .png()
      .toBuffer();
    const changes = [
      sharp(photo).flop(),
      sharp(photo).tint("#4060ff"),
      sharp(photo).composite([{ input: block, left: 60, top: 500 }]),
    ];
    for (const change of changes)
      expect(isSameLook(await distanceTo(await change.png().toBuffer()))).toBe(false);
  });
});
