import type { ButtonStyleId, CompositionWish, LookId, Variant } from "creative-packs-service/looks";
import type { Brand, HexColour, Placements } from "creative-packs-service/renderer";
import type { PixelScale } from "creative-packs-service/scales";
import type { BannerNetwork, Motion, OutputFormat } from "creative-packs-service/size-types";
import { type MimeType, SLOT_IDS, type SlotId } from "creative-packs-service/slots";

/** A draft: an order as plain data, with files instead of asset ids. */

/** The texts of a pack, in form order. */
export const TEXT_FIELDS = [
  "headline",
  "subheadline",
  "cta",
  "price",
  "oldPrice",
  "badge",
  "disclaimer",
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** All texts, as typed. A text that is not set is empty. */
export type Texts = Readonly<Record<TextField, string>>;

/** Normalizes a text as the API does: trimmed, runs of white space collapsed. */
export const normalText = (text: string): string => text.trim().replace(/[\t\n\r ]+/g, " ");

/** A colour of a picture. `share`: fraction of the visible area, 0 to 1. */
export interface FileColour {
  readonly colour: HexColour;
  readonly share: number;
}

/** A conversion of the original file. `from` is its format, or its size in megapixels. */
export type FileNote =
  | { readonly kind: "converted"; readonly from: string }
  | { readonly kind: "reduced"; readonly from: number; readonly to: number };

/** A file in a slot. Its bytes are stored beside the draft, under their SHA-256. */
export interface DraftFile {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly name: string;
  /** Detected from the bytes, not the name. */
  readonly mimeType: MimeType;
  readonly byteLength: number;
  /** Displayed size in pixels; null for fonts, and for files that the browser cannot show. */
  readonly width: number | null;
  readonly height: number | null;
  /** Whether the subject is cut out on a transparent background. */
  readonly isCutOut: boolean;
  /** Main colours, most frequent first. */
  readonly colours: readonly FileColour[];
  readonly notes?: readonly FileNote[] | undefined;
}

export type Files = Readonly<Partial<Record<SlotId, DraftFile>>>;

/** Overrides of one size. A missing text means the pack's text; an empty text removes it. */
export interface DraftOverride {
  readonly texts: Readonly<Partial<Record<TextField, string>>>;
  readonly placements: Placements;
  /** Null: the pack's variant. */
  readonly variant: Variant | null;
  /** Absent: the pack's composition. */
  readonly composition?: CompositionWish | undefined;
  /** 2 doubles the pixels if the size allows it. Default: 1. */
  readonly scale?: PixelScale | undefined;
}

export interface Draft {
  /** Saved brand that supplies values that the draft does not set. */
  readonly brandId: string | null;
  readonly files: Files;
  readonly texts: Texts;
  /** BCP 47 tag; empty if not set. */
  readonly language: string;
  readonly brand: Brand;
  /** Null: the brand's look, or else the first look. */
  readonly look: LookId | null;
  /** Absent: the brand's button style, or else that of the look. */
  readonly buttonStyle?: ButtonStyleId | undefined;
  readonly variant: Variant;
  /** Default: `auto`. */
  readonly composition?: CompositionWish | undefined;
  readonly motion: Motion;
  readonly outputFormat: OutputFormat;
  /** For HTML5 banners: the ad network, which determines the click tag, and the click-through URL. */
  readonly network?: BannerNetwork | undefined;
  readonly clickUrl?: string | undefined;
  readonly contractId: string;
  /** Chosen sizes, in the contract's order. */
  readonly sizeIds: readonly string[];
  readonly placements: Placements;
  /** Overrides by size id, including those of sizes that are not chosen. */
  readonly overrides: Readonly<Record<string, DraftOverride>>;
}

const NO_TEXTS: Texts = {
  headline: "",
  subheadline: "",
  cta: "",
  price: "",
  oldPrice: "",
  badge: "",
  disclaimer: "",
};

/**
 * Sizes that most campaigns need, one per shape. If several networks have a size with these pixels, the one with the
 * strictest rules is listed.
 */
const FIRST_SIZE_IDS = [
  "iab-728x90",
  "iab-160x600",
  "iab-300x250",
  "iab-320x50",
  "gads-300x600",
  "gads-970x250",
  "demand-gen-1200x628",
  "meta-feed-1080x1080",
  "meta-feed-1080x1350",
  "meta-story-1080x1920",
];

export const emptyDraft: Draft = {
  brandId: null,
  files: {},
  texts: NO_TEXTS,
  language: "",
  brand: {},
  look: null,
  variant: 1,
  motion: "static",
  outputFormat: "jpg",
  contractId: "campaign.v3",
  sizeIds: FIRST_SIZE_IDS,
  placements: {},
  overrides: {},
};

export const emptyOverride: DraftOverride = { texts: {}, placements: {}, variant: null };

/** Whether an override changes nothing. */
export const isEmptyOverride = (override: DraftOverride): boolean => {
  const { texts, placements, variant, composition, scale } = override;
  return (
    variant === null &&
    composition === undefined &&
    scale === undefined &&
    isNone(texts) &&
    isNone(placements)
  );
};
const isNone = (members: object): boolean => Object.keys(members).length === 0;

/** A draft's files with their slots, in slot order. */
export const filesOf = (files: Files): readonly (readonly [SlotId, DraftFile])[] =>
  SLOT_IDS.flatMap((slot) => {
    const file = files[slot];
    return file === undefined ? [] : [[slot, file] as const];
  });

/** Whether there is anything to draw: a font alone shows nothing. */
export const hasPicture = ({ files }: Draft): boolean => filesOf(files).some(([slot]) => slot !== "font");

/** Whether the draft has content worth keeping. */
export const hasContent = ({ files, texts }: Draft): boolean =>
  Object.keys(files).length > 0 || Object.values(texts).some((text) => text !== "");
