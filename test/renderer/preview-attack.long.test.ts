import sharp from "sharp";
import { expect, test } from "vitest";
import type { PreviewProtection } from "#api/preview-quota.ts";
import { markSeedOf } from "#domains/previews/watermark-seed.ts";
import type { AssetBytes, PreviewRequest } from "#renderer/index.ts";
import { seededRandom } from "../support/pictures.ts";
import {
  catalogueSize,
  draw,
  fileOf,
  inputsOf,
  readSample,
  renderer,
  withPack,
} from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";

/**
 * Guarantee: many previews reveal no more than one. The attack averages previews of one photo with small changes, each
 * from a different workspace that never paid. Then it subtracts the mark as measured on a black and a white picture.
 */

const SIZE = catalogueSize("iab-300x250");
const PREVIEWS = 28;
const random = seededRandom(28);

/** RGB. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

const asset = (bytes: Uint8Array): AssetBytes => ({ bytes: Uint8Array.from(bytes), mimeType: "image/png" });
const flat = async (level: number) => {
  const channels = { r: level, g: level, b: level };
  const exif = { IFD0: { Copyright: String(random()) } };
  return asset(
    await sharp({ create: { width: 900, height: 750, channels: 3, background: channels } })
      .withExif(exif)
      .png()
      .toBuffer(),
  );
};
const photo = sharp(readSample("dandelion.jpg")).resize(900, 750, { fit: "cover" }).removeAlpha();

/** Changes that keep the picture recognisable: other metadata, noise, an edge cut off, another brightness or hue. */
const CHANGES: Readonly<Record<string, () => Promise<Buffer>>> = {
  bytes: () =>
    photo
      .clone()
      .withExif({ IFD0: { Copyright: String(random()) } })
      .png()
      .toBuffer(),
  noise: async () => {
    const { data, info } = await photo.clone().raw().toBuffer({ resolveWithObject: true });
    const noisy = data.map((value) => Math.max(0, Math.min(255, value + Math.round(random() * 8 - 4))));
    const raw = { width: info.width, height: info.height, channels: 3 } as const;
    return sharp(noisy, { raw }).png().toBuffer();
  },
  edges: () => {
    const [left, top] = [Math.floor(random() * 6), Math.floor(random() * 6)];
    return photo.clone().extract({ left, top, width: 890, height: 740 }).resize(900, 750).png().toBuffer();
  },
  brightness: () =>
    photo
      .clone()
      .linear(0.97 + random() * 0.06, 0)
      .png()
      .toBuffer(),
  hue: () =>
    photo
      .clone()
      .modulate({ hue: Math.round(random() * 12 - 6) })
      .png()
      .toBuffer(),
};

async function preview(media: AssetBytes, protection: PreviewProtection): Promise<Picture> {
  const markSeed = markSeedOf(crypto.randomUUID(), protection);
  const request: PreviewRequest = { size: SIZE, motion: "static", format: "jpg", protection, markSeed };
  const drawn = unwrap(
    await withPack(inputsOf({ assets: { media } }), (pack) => renderer.preview(pack, request)),
  );
  return decoded(drawn.bytes);
}

async function decoded(png: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, values: Float64Array.from(data) };
}

async function psnrToPaid(picture: Picture, paid: Picture): Promise<number> {
  const { width, height } = picture;
  const bytes = Buffer.from(Uint8ClampedArray.from(picture.values));
  const scaled = await sharp(bytes, { raw: { width, height, channels: 3 } })
    .resize(paid.width, paid.height, { fit: "fill" })
    .raw()
    .toBuffer();
  const squares = scaled.reduce((sum, value, at) => sum + (value - (paid.values[at] ?? 0)) ** 2, 0);
  return 10 * Math.log10((255 ** 2 * scaled.length) / squares);
}

function mean(pictures: readonly Picture[]): Picture {
  const [first] = pictures;
  if (first === undefined) throw new Error("there are pictures");
  const values = first.values.map(
    (_, at) => pictures.reduce((sum, one) => sum + (one.values[at] ?? 0), 0) / pictures.length,
  );
  return { ...first, values };
}

/** Removes a mark that turned black into `black` and white into `white`. */
const unblended = (picture: Picture, black: Picture, white: Picture): Picture => ({
  ...picture,
  values: picture.values.map((value, at) => {
    const added = black.values[at] ?? 0;
    return (255 * (value - added)) / Math.max(64, (white.values[at] ?? 0) - added);
  }),
});

test.each(Object.entries(CHANGES))(
  "28 previews with changed %s gain less than 0.5 dB over the best one",
  async (_, changedPhoto) => {
    const changed: AssetBytes[] = [];
    for (let count = 0; count < PREVIEWS; count += 1) changed.push(asset(await changedPhoto()));
    const [first] = changed;
    if (first === undefined) throw new Error("there are previews");
    const paid = await withPack(
      inputsOf({ assets: { media: asset(await photo.clone().png().toBuffer()) } }),
      async (pack) =>
        decoded(fileOf(await draw(pack, { size: SIZE, motion: "static", format: "png" })).bytes),
    );
    const shown: Picture[] = [];
    for (const media of changed) shown.push(await preview(media, "watermarked-lowres"));
    const markOn = async (level: number) => {
      const flats: Picture[] = [];
      for (let count = 0; count < 6; count += 1)
        flats.push(await preview(await flat(level), "watermarked-lowres"));
      return mean(flats);
    };
    const [black, white] = [await markOn(0), await markOn(255)];
    const average = mean(shown);
    const alone = await Promise.all(shown.map((one) => psnrToPaid(one, paid)));
    const attacked = [
      average,
      unblended(average, black, white),
      ...shown.map((one) => unblended(one, black, white)),
    ];
    const results = await Promise.all(attacked.map((one) => psnrToPaid(one, paid)));
    expect(Math.max(...results) - Math.max(...alone)).toBeLessThan(0.5);
  },
  300_000,
);
