import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { GOLDEN_CASES, GOLDEN_FAMILIES } from "../golden/cases.ts";
import { drawGoldens, readSignatures } from "../golden/draw-goldens.ts";
import { distanceBetween, isSameLook, signatureOf } from "../golden/signature.ts";
import { sampleAsset } from "../support/renderer.ts";

/** Every family looks in every shape as it did when somebody last looked. */

const signatures = await readSignatures();

describe("each family looks as it was last accepted", () => {
  it.each(GOLDEN_FAMILIES)("%s in every shape", { timeout: 120_000 }, async (family) => {
    const changed: string[] = [];
    for (const { golden, bytes } of await drawGoldens(family)) {
      const accepted = signatures[golden.name];
      if (accepted === undefined) throw new Error(`${golden.name} was never accepted`);
      const distance = distanceBetween(accepted, await signatureOf(bytes));
      if (isSameLook(distance)) continue;
      changed.push(
        `${golden.name}: ${distance.bits} bits of structure, ${distance.colour.toFixed(1)} of colour`,
      );
    }
    const advice = "Look with `npm run golden`; if it is meant, accept it with `npm run golden -- --update`.";
    expect(changed, advice).toEqual([]);
  });

  it("and nothing else is kept", () => {
    expect(Object.keys(signatures).sort()).toEqual(GOLDEN_CASES.map((golden) => golden.name).sort());
  });
});

describe("a signature tells what the eye tells", async () => {
  const photo = await sharp(sampleAsset("dandelion-turned.jpg").bytes)
    .rotate()
    .resize(640, 800)
    .png()
    .toBuffer();
  const plain = await signatureOf(photo);
  const distanceTo = async (picture: Buffer) => distanceBetween(plain, await signatureOf(picture));

  it("compression and a slight blur are the same look", async () => {
    expect(isSameLook(await distanceTo(await sharp(photo).jpeg({ quality: 60 }).toBuffer()))).toBe(true);
    expect(isSameLook(await distanceTo(await sharp(photo).blur(0.8).png().toBuffer()))).toBe(true);
  });

  it("a mirror image, a tint and a moved block are not", async () => {
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
