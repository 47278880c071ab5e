import { createHash } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { OutputRequest, PackInputs, RenderedOutput } from "#renderer/index.ts";
import { seededRandom } from "../support/pictures.ts";
import { catalogueSize, draw, inputsOf, readSample, sampleAsset, withPack } from "../support/renderer.ts";

/**
 * Guarantee: an output depends only on the inputs, its size, motion and format. The job's other sizes, their order and
 * their split into messages change no byte, so a preview of one size predicts the paid file of any job with the same
 * body.
 */

const SIZE_IDS = ["iab-320x50", "iab-300x250", "gads-300x600", "meta-feed-1200x628", "meta-story-1080x1920"];
const COPY = { headline: "Two wheels, no excuses", cta: "Ride one today" };
const ROUNDS = 2;
const seed = Number(process.env.SEED ?? 20_260_712);

/** A photo larger than its stored rendition. */
const LARGE_PHOTO = new Uint8Array(
  await sharp(readSample("dandelion-turned.jpg"))
    .rotate()
    .resize(2400, 3000, { fit: "cover" })
    .jpeg({ quality: 80 })
    .toBuffer(),
);

const PACKS: Readonly<Record<string, PackInputs>> = {
  "a photograph": inputsOf({
    assets: {
      media: { bytes: LARGE_PHOTO, mimeType: "image/jpeg" },
      logo: sampleAsset("logo-light.svg"),
    },
    copy: COPY,
  }),
  "a thing on a white background": inputsOf({
    assets: { product: sampleAsset("bottle-photo.jpg"), logo: sampleAsset("logo.svg") },
    copy: COPY,
  }),
  "two pictures": inputsOf({
    assets: {
      device: sampleAsset("phone.png"),
      background: { bytes: LARGE_PHOTO, mimeType: "image/jpeg" },
    },
    copy: COPY,
  }),
};

const requestOf = (sizeId: string): OutputRequest =>
  sizeId === "iab-320x50"
    ? { size: catalogueSize(sizeId), motion: "animated", format: "gif" }
    : { size: catalogueSize(sizeId), motion: "static", format: "jpg" };

/** The bytes of every file, and the report. */
const identityOf = ({ files, layout }: RenderedOutput): string =>
  createHash("sha256")
    .update(JSON.stringify([files.map(({ bytes }) => Buffer.from(bytes).toString("base64")), layout]))
    .digest("hex");

async function drawnIn(inputs: PackInputs, sizeIds: readonly string[]): Promise<Map<string, string>> {
  const requests = sizeIds.map(requestOf);
  return withPack(inputs, async (pack) => {
    const drawn = new Map<string, string>();
    for (const request of requests) {
      drawn.set(request.size.sizeId, identityOf(await draw(pack, request)));
    }
    return drawn;
  });
}

describe("API §14.2 a size alone and among others has the same bytes", () => {
  it.each(Object.entries(PACKS))("%s", { timeout: 120_000 }, async (_name, inputs) => {
    const random = seededRandom(seed);
    const all = await drawnIn(inputs, SIZE_IDS);
    for (let round = 0; round < ROUNDS; round += 1) {
      const shuffled = SIZE_IDS.map((sizeId) => ({ sizeId, rank: random() }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ sizeId }) => sizeId);
      const some = shuffled.slice(0, round === 0 ? 1 : 1 + Math.floor(random() * 3));
      for (const [sizeId, identity] of await drawnIn(inputs, some)) {
        expect(identity, `${sizeId} among ${some.join(", ")}; seed ${seed}`).toBe(all.get(sizeId));
      }
    }
  });
});
