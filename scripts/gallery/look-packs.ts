import { LOOK_IDS } from "#catalogue/looks.ts";
import { type Copy, FAMILIES, type Family } from "#renderer/index.ts";
import { type GalleryPack, sample } from "./packs.ts";

/** One size of each shape, for looks and brands. */
export const LOOK_SIZES: readonly string[] = [
  "gads-320x50",
  "iab-728x90",
  "iab-970x250",
  "linkedin-1200x628",
  "iab-300x250",
  "meta-feed-1080x1080",
  "meta-feed-1080x1350",
  "gads-300x600",
  "demand-gen-1080x1920",
];

/** A portrait from the package of a free web template (MIT). */
const PORTRAIT = "node_modules/material-kit/assets/img/faces/christian.jpg";

const COPY: Copy = {
  headline: "Made for the long way home",
  subheadline: "Layers that keep their shape, season after season.",
  cta: "Shop now",
};
const OFFER: Copy = { ...COPY, price: "€ 49", oldPrice: "€ 82", badge: "−40 %" };

const FILES: Readonly<Record<Family, GalleryPack["files"]>> = {
  campaign: { media: PORTRAIT, logo: sample("logo.svg") },
  duo: { media: PORTRAIT, secondaryMedia: sample("bottle-photo.jpg"), logo: sample("logo.svg") },
  product: { product: sample("bottle.png"), logo: sample("logo.svg") },
  person: { person: sample("figure.png"), background: sample("dandelion.jpg"), logo: sample("logo.svg") },
  device: { device: sample("phone.png"), logo: sample("logo.svg") },
  scenery: { background: sample("dandelion.jpg"), logo: sample("logo.svg") },
  brand: { logo: sample("logo.svg") },
};

/** Every family in every look, with the same text, colours and logo. */
export const lookPacks = (): readonly GalleryPack[] =>
  FAMILIES.flatMap((family) =>
    LOOK_IDS.map(
      (look): GalleryPack => ({
        family,
        set: "looks",
        name: look,
        look,
        language: "English",
        files: FILES[family],
        font: null,
        copy: family === "product" || family === "device" ? OFFER : COPY,
        brand: { primaryColor: "#1f6b4a", accentColor: "#f2b233" },
      }),
    ),
  );

/** Eight invented brands with the same person and the same text. */
const BRANDS: readonly Pick<GalleryPack, "name" | "look" | "brand">[] = [
  { name: "pappus", look: "classic", brand: { primaryColor: "#d79a2b", backgroundColor: "#f3efe4" } },
  { name: "kerb", look: "bold", brand: { primaryColor: "#ff4a1c" } },
  { name: "maren", look: "editorial", brand: { primaryColor: "#8a2f1f" } },
  { name: "oda", look: "minimal", brand: { primaryColor: "#2b5d50" } },
  { name: "tango", look: "retail", brand: { primaryColor: "#d9001b", accentColor: "#ffd400" } },
  { name: "aurelle", look: "premium", brand: {} },
  { name: "bobble", look: "playful", brand: { primaryColor: "#4a2be0", accentColor: "#ff6d9a" } },
  { name: "strada", look: "bold", brand: { primaryColor: "#1233d6", accentColor: "#c8ff2e" } },
];

const logoOf = (name: string): string =>
  name === "pappus" ? sample("logo.svg") : sample(`brands/${name}.svg`);

export const brandPacks = (): readonly GalleryPack[] =>
  BRANDS.map(
    (one): GalleryPack => ({
      ...one,
      family: "campaign",
      set: "brands",
      language: "English",
      files: { media: PORTRAIT, logo: logoOf(one.name) },
      font: null,
      copy: COPY,
    }),
  );
