/** Slots: the purpose of an asset. API §2.8 has the accepted types, minimum sizes and combinations. */

export const SLOT_IDS = [
  "logo",
  "background",
  "media",
  "secondaryMedia",
  "product",
  "person",
  "device",
  "font",
] as const;
export type SlotId = (typeof SLOT_IDS)[number];

/** Assets that a brand refers to. */
export const BRAND_ASSET_NAMES = ["logoOnLight", "logoOnDark", "headlineFont", "textFont"] as const;
export type BrandAssetName = (typeof BRAND_ASSET_NAMES)[number];

/** The slot of each brand asset. */
export const BRAND_ASSET_SLOTS: Readonly<Record<BrandAssetName, SlotId>> = {
  logoOnLight: "logo",
  logoOnDark: "logo",
  headlineFont: "font",
  textFont: "font",
};

/** Slots whose images are cropped or placed by their content. */
export const PICTURE_SLOT_IDS = [
  "background",
  "media",
  "secondaryMedia",
  "product",
  "person",
  "device",
] as const satisfies readonly SlotId[];
export type PictureSlotId = (typeof PICTURE_SLOT_IDS)[number];

export const MIME_TYPES = [
  "image/svg+xml",
  "image/png",
  "image/jpeg",
  "image/webp",
  "font/otf",
  "font/ttf",
] as const;
export type MimeType = (typeof MIME_TYPES)[number];

export interface SlotRule {
  readonly accepts: readonly MimeType[];
  /** Minimum short edge of a raster image in pixels; null if there is none. */
  readonly shortEdgeMinPx: number | null;
  /** Slots that the same job must also fill. */
  readonly requires: readonly SlotId[];
  /** Slots that the same job must leave empty. */
  readonly excludes: readonly SlotId[];
  /** When to choose this slot, for people. */
  readonly guidance: string;
}

const PHOTO = ["image/png", "image/jpeg", "image/webp"] as const;

export const SLOTS: Readonly<Record<SlotId, SlotRule>> = {
  logo: {
    accepts: ["image/svg+xml", ...PHOTO],
    shortEdgeMinPx: 128,
    requires: [],
    excludes: [],
    guidance: "The brand mark. SVG is preferred; it stays sharp in every size, and has no minimum size.",
  },
  background: {
    accepts: PHOTO,
    shortEdgeMinPx: 512,
    requires: [],
    excludes: [],
    guidance: "Scenery that fills the whole canvas.",
  },
  media: {
    accepts: PHOTO,
    shortEdgeMinPx: 360,
    requires: [],
    excludes: ["product", "person", "device"],
    guidance: "The campaign's main picture. Choose this when unsure.",
  },
  secondaryMedia: {
    accepts: PHOTO,
    shortEdgeMinPx: null,
    requires: ["media"],
    excludes: ["product", "person", "device"],
    guidance: "A second campaign picture beside `media`.",
  },
  product: {
    accepts: PHOTO,
    shortEdgeMinPx: 256,
    requires: [],
    excludes: ["media", "secondaryMedia", "device", "person"],
    guidance: "One product, whole in the frame; a cut-out or a plain shot.",
  },
  person: {
    accepts: ["image/png", "image/webp"],
    shortEdgeMinPx: 256,
    requires: [],
    excludes: ["media", "secondaryMedia", "device", "product"],
    guidance: "A person, cut out; transparency is preferred.",
  },
  device: {
    accepts: PHOTO,
    shortEdgeMinPx: 360,
    requires: [],
    excludes: ["media", "secondaryMedia", "product", "person"],
    guidance: "A complete device, screen included.",
  },
  font: {
    accepts: ["font/otf", "font/ttf"],
    shortEdgeMinPx: null,
    requires: [],
    excludes: [],
    guidance: "One OpenType or TrueType font that sets all text.",
  },
};
