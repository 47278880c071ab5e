import type { ButtonStyleId, CompositionWish, LookId, Variant } from "creative-packs-service/looks";
import type { Brand, HexColour, Placements } from "creative-packs-service/renderer";
import type { PixelScale } from "creative-packs-service/scales";
import type { BannerNetwork, Motion, OutputFormat } from "creative-packs-service/size-types";
import { type MimeType, SLOT_IDS, type SlotId } from "creative-packs-service/slots";

/** What a person is making, as plain data: everything of a pack's order, with files in place of asset ids. */

/** The texts of a pack, in the order in which they are asked for. */
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

/** Every text, as typed; an empty one is none. */
export type Texts = Readonly<Record<TextField, string>>;

/** A text as the API keeps it: without white space at its ends, and without runs of it. */
export const normalText = (text: string): string => text.trim().replace(/[\t\n\r ]+/g, " ");

/** A colour of a picture; `share` is its part of what is visible, 0..1. */
export interface FileColour {
  readonly colour: HexColour;
  readonly share: number;
}

/** What was done to a given file before it was taken; megapixels. */
export type FileNote =
  | { readonly kind: "converted"; readonly from: string }
  | { readonly kind: "reduced"; readonly from: number; readonly to: number };

/** A file in a slot. Its bytes are kept beside the draft, under their SHA-256. */
export interface DraftFile {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly name: string;
  /** Of the bytes, whatever the name says. */
  readonly mimeType: MimeType;
  readonly byteLength: number;
  /** Pixels as they are shown; null of fonts and of what the browser cannot show. */
  readonly width: number | null;
  readonly height: number | null;
  /** Whether what it shows stands free, on transparency. */
  readonly isCutOut: boolean;
  /** Commonest first. */
  readonly colours: readonly FileColour[];
  readonly notes?: readonly FileNote[] | undefined;
}

export type Files = Readonly<Partial<Record<SlotId, DraftFile>>>;

/** What one size has of its own. A text that is absent is the pack's; an empty one is none. */
export interface DraftOverride {
  readonly texts: Readonly<Partial<Record<TextField, string>>>;
  readonly placements: Placements;
  /** Null is the pack's. */
  readonly variant: Variant | null;
  /** Absent is the pack's. */
  readonly composition?: CompositionWish | undefined;
  /** 2 for files of twice the pixels, where the size takes them; 1 when absent. */
  readonly scale?: PixelScale | undefined;
}

export interface Draft {
  /** The saved brand whose values it has where it has none of its own. */
  readonly brandId: string | null;
  readonly files: Files;
  readonly texts: Texts;
  /** BCP 47; empty for none. */
  readonly language: string;
  readonly brand: Brand;
  /** Null is the brand's, else the first look. */
  readonly look: LookId | null;
  /** Absent is the brand's, else the look's. */
  readonly buttonStyle?: ButtonStyleId | undefined;
  readonly variant: Variant;
  /** `auto` when absent. */
  readonly composition?: CompositionWish | undefined;
  readonly motion: Motion;
  readonly outputFormat: OutputFormat;
  /** Of HTML5 banners: whose click tag they have, and where a click leads. */
  readonly network?: BannerNetwork | undefined;
  readonly clickUrl?: string | undefined;
  readonly contractId: string;
  /** Those of the contract, in its order, that are chosen. */
  readonly sizeIds: readonly string[];
  readonly placements: Placements;
  /** By size id; those of sizes that are not chosen wait. */
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

/** Sizes that most campaigns need, one of each shape: a grid to begin with. */
const FIRST_SIZE_IDS = [
  "iab-970x250",
  "iab-728x90",
  "iab-160x600",
  "iab-300x250",
  "iab-320x50",
  "meta-feed-1080x1080",
  "meta-feed-1080x1350",
  "meta-story-1080x1920",
  "linkedin-1200x628",
  "og-1200x630",
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

/** The files of a draft with their slots, in the slots' order. */
export const filesOf = (files: Files): readonly (readonly [SlotId, DraftFile])[] =>
  SLOT_IDS.flatMap((slot) => {
    const file = files[slot];
    return file === undefined ? [] : [[slot, file] as const];
  });

/** Whether there is anything to draw: a font alone shows nothing. */
export const hasPicture = ({ files }: Draft): boolean => filesOf(files).some(([slot]) => slot !== "font");

/** Whether there is anything that somebody might miss. */
export const hasContent = ({ files, texts }: Draft): boolean =>
  Object.keys(files).length > 0 || Object.values(texts).some((text) => text !== "");
