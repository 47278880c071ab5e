import sharp from "sharp";
import type { AssetBytes, Box } from "#renderer/index.ts";
import { inputsOf, withPack } from "../support/renderer.ts";
import { assetOf, type MarkedPicture } from "./marked-pictures.ts";
import { type Matches, matchFaces } from "./match-faces.ts";

/** The faces found in a picture, compared with its marks. */
export interface Found extends Matches {
  readonly picture: MarkedPicture;
}

/** Changes to a picture before the search. A face that was only found by chance is missed in a changed picture. */
export const CHANGES = [
  "as they are",
  "mirrored",
  "at 60 % of their size",
  "at 45 % of their light",
] as const;
type Change = (typeof CHANGES)[number];

/** Prepares a pack of the picture, as a job would, and compares its faces with the marked ones. */
export async function findIn(picture: MarkedPicture, change: Change = "as they are"): Promise<Found> {
  const media = await changed(picture, change);
  const finds = await withPack(inputsOf({ assets: { media } }), async ({ hero }) =>
    (hero?.faces ?? []).map(({ box }) =>
      inPixels(change === "mirrored" ? { ...box, x: 1 - box.x - box.width } : box, picture),
    ),
  );
  return { picture, ...matchFaces(picture, finds) };
}

async function changed(picture: MarkedPicture, change: Change): Promise<AssetBytes> {
  const asset = assetOf(picture);
  if (change === "as they are") return asset;
  const upright = sharp(asset.bytes).autoOrient().flatten({ background: "#fff" });
  const image = {
    mirrored: () => upright.flop(),
    "at 60 % of their size": () => upright.resize(Math.round(picture.width * 0.6)),
    "at 45 % of their light": () => upright.linear(0.45, 0),
  }[change]();
  const bytes = await image.jpeg({ quality: 92, chromaSubsampling: "4:4:4" }).toBuffer();
  return { bytes: Uint8Array.from(bytes), mimeType: "image/jpeg" };
}

const inPixels = (box: Box, { width, height }: MarkedPicture): Box => ({
  x: box.x * width,
  y: box.y * height,
  width: box.width * width,
  height: box.height * height,
});
