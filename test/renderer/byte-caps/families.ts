import type { AssetBytes, Family, PackInputs } from "#renderer/index.ts";
import { foliagePhoto, noisePhoto, PHOTO_SEED } from "../../support/hard-photos.ts";
import { sampleAsset } from "../../support/renderer.ts";

/** Pack inputs of each family, with the test photo in the slot where it takes most bytes. */

/** From hard to easy to compress. */
const PHOTOS = ["noise", "foliage", "meadow"] as const;
export type Photo = (typeof PHOTOS)[number];

export const COPY = {
  headline: "Light enough to carry the whole summer",
  subheadline: "A body oil pressed from wild seeds.",
  cta: "Shop now",
  disclaimer: "While stocks last. Terms apply.",
};

const MAKERS: Readonly<Record<Photo | "logo" | "figure", () => Promise<AssetBytes> | AssetBytes>> = {
  noise: () => noisePhoto(PHOTO_SEED),
  foliage: () => foliagePhoto(PHOTO_SEED),
  meadow: () => sampleAsset("dandelion-turned.jpg"),
  logo: () => sampleAsset("logo.svg"),
  figure: () => sampleAsset("figure.png"),
};

const made = new Map<keyof typeof MAKERS, Promise<AssetBytes> | AssetBytes>();

/** Each photo is made once: painting it takes as long as drawing several packs of it. */
function picture(name: keyof typeof MAKERS): Promise<AssetBytes> | AssetBytes {
  const asset = made.get(name) ?? MAKERS[name]();
  made.set(name, asset);
  return asset;
}

/** The picture in each slot. A brand pack has no photo. */
const SLOTS: Readonly<
  Record<Family, (photo: Photo) => Partial<Record<keyof PackInputs["assets"], keyof typeof MAKERS>>>
> = {
  campaign: (photo) => ({ media: photo, logo: "logo" }),
  duo: (photo) => ({ media: photo, secondaryMedia: "meadow", logo: "logo" }),
  product: (photo) => ({ product: photo, background: "foliage", logo: "logo" }),
  person: (photo) => ({ person: "figure", background: photo, logo: "logo" }),
  device: (photo) => ({ device: photo, background: "meadow", logo: "logo" }),
  scenery: (photo) => ({ background: photo, logo: "logo" }),
  brand: () => ({ logo: "logo" }),
};

/** The photos to test a family with. A brand pack shows no photo, so it is tested once. */
export const photosOf = (family: Family): readonly Photo[] => (family === "brand" ? ["noise"] : PHOTOS);

/** The pack inputs of a family with a photo. */
export async function packInputsOf(family: Family, photo: Photo): Promise<PackInputs> {
  const slots = Object.entries(SLOTS[family](photo));
  const assets = await Promise.all(slots.map(async ([slot, name]) => [slot, await picture(name)] as const));
  return { font: null, copy: COPY, brand: {}, assets: Object.fromEntries(assets) };
}
