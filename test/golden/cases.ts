import { FAMILIES, type Family, SHAPES, type Shape, type VisualSlot } from "#renderer/index.ts";

/** One golden picture: a family in a size that represents its shape. */
export interface GoldenCase {
  /** Such as `campaign-banner`: family and shape. */
  readonly name: string;
  readonly family: Family;
  readonly shape: Shape;
  readonly sizeId: string;
}

/** The size that represents each shape: large enough for a person to see changes, small enough to draw quickly. */
const SIZE_IDS: Readonly<Record<Shape, string>> = {
  tiny_strip: "iab-320x50",
  banner: "iab-728x90",
  leaderboard: "iab-970x250",
  landscape: "x-800x418",
  square: "tiktok-640x640",
  portrait: "linkedin-720x900",
  skyscraper: "gads-300x1050",
  story: "tiktok-720x1280",
};

/** Sample files in each family's slots. */
export const GOLDEN_FILES: Readonly<Record<Family, Partial<Record<VisualSlot, string>>>> = {
  campaign: { media: "dandelion-turned.jpg", logo: "logo-light.svg" },
  duo: { media: "dandelion-turned.jpg", secondaryMedia: "bottle-photo.jpg", logo: "logo-light.svg" },
  product: { product: "bottle.png", logo: "logo.svg" },
  person: { person: "figure.png", logo: "logo.svg" },
  device: { device: "phone.png", background: "dandelion-turned.jpg", logo: "logo-light.svg" },
  scenery: { background: "dandelion-turned.jpg", logo: "logo-light.svg" },
  brand: { logo: "logo.svg" },
};

export const GOLDEN_COPY = {
  headline: "Soft as the first warm day",
  subheadline: "Body oil from meadow flowers, pressed cold in small batches.",
  cta: "Find yours",
  disclaimer: "100 ml. While the season lasts.",
};

/** Every combination of family and shape, sorted by family. */
export const GOLDEN_CASES: readonly GoldenCase[] = FAMILIES.flatMap((family) =>
  SHAPES.map((shape) => ({ name: `${family}-${shape}`, family, shape, sizeId: SIZE_IDS[shape] })),
);
