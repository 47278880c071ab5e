import type { ButtonStyleId, CompositionWish, LookId, Variant } from "../catalogue/looks.ts";
import type { PixelScale, ScaledSize } from "../catalogue/scales.ts";
import type { BannerNetwork, OutputFormat } from "../catalogue/types.ts";

/** Inputs and results of the renderer: bytes and plain data; no clock, no network, no platform types. */

/** 8-bit sRGB pixels, row by row from the top left, four bytes a pixel. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** `width * height * 4` bytes, RGBA. */
  readonly pixels: Uint8ClampedArray;
  /**
   * The fourth byte is 255 everywhere (`opaque`), or alpha. Colours are multiplied by alpha only in `premultiplied`.
   */
  readonly alpha: "opaque" | "straight" | "premultiplied";
}

/** An opaque picture in three bytes a pixel. Only sources have this form; canvases have four bytes a pixel. */
export interface RgbRaster {
  readonly width: number;
  readonly height: number;
  /** `width * height * 3` bytes. */
  readonly rgb: Uint8ClampedArray;
  readonly alpha: "opaque";
}

/** A raster to draw from. */
export type SourceRaster = Raster | RgbRaster;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** `#rrggbb`, lower case. */
export type HexColour = string;

export const VISUAL_SLOTS = [
  "logo",
  "background",
  "media",
  "secondaryMedia",
  "product",
  "person",
  "device",
] as const;
export type VisualSlot = (typeof VISUAL_SLOTS)[number];
/** The slots whose pictures are cropped or placed by their content. */
export type PictureSlot = Exclude<VisualSlot, "logo">;
export type ImageType = "image/png" | "image/jpeg" | "image/webp" | "image/svg+xml";
const IMAGE_TYPES: readonly ImageType[] = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"];
export const isImageType = (mimeType: string): mimeType is ImageType =>
  IMAGE_TYPES.some((imageType) => imageType === mimeType);
export type FontType = "font/otf" | "font/ttf";

export interface AssetBytes {
  readonly bytes: Uint8Array;
  readonly mimeType: ImageType;
}

/** An asset whose bytes are fetched on demand and freed once decoded. */
export interface AssetSource {
  readonly mimeType: ImageType;
  /** The caller owns the bytes and frees their buffer as soon as they are decoded. */
  load(): Promise<Result<Uint8Array>>;
  /** A cache of renditions; the pixels are the same with and without it. */
  readonly renditions: RenditionStore | null;
}

/** Bytes produced in chunks. Each call of `chunks` produces the same bytes. A chunk is valid until the next chunk. */
export interface ChunkedBytes {
  readonly byteLength: number;
  chunks(): Iterable<Uint8Array>;
}

/**
 * Stores the renditions of one asset. `find` returns the bytes stored under a name, or null; the caller owns them. The
 * chunks passed to `keep` stay readable until its promise settles.
 */
export interface RenditionStore {
  find(name: string): Promise<Uint8Array | null>;
  keep(name: string, bytes: ChunkedBytes): Promise<void>;
}

export type PackAsset = AssetBytes | AssetSource;

export interface Copy {
  readonly headline?: string | undefined;
  readonly subheadline?: string | undefined;
  readonly cta?: string | undefined;
  readonly disclaimer?: string | undefined;
  /** The price with its currency; the most prominent text. */
  readonly price?: string | undefined;
  /** The previous price, struck through beside the price. */
  readonly oldPrice?: string | undefined;
  /** A word or discount on its own shape, for example "New" or "−40 %". */
  readonly badge?: string | undefined;
  /** BCP 47 tag of all texts: decides hyphenation, phrase breaks and letter forms. */
  readonly language?: string | undefined;
}

/** A point as fractions 0..1 of the upright picture. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

/** The caller's instruction for a picture: the point to keep in sight, or the part to show whole. */
export type Placement = { readonly focalPoint: FocalPoint } | { readonly keep: Box };
export type Placements = Partial<Record<PictureSlot, Placement>>;

/** A face found in a picture; boxes are fractions 0..1 of the upright picture. */
export interface Face {
  /** The face from hairline to chin and from ear to ear. */
  readonly box: Box;
  /** The head with hair and chin. No word may cover it and no edge may cut it. */
  readonly head: Box;
  /** The detector's confidence, 0..1. */
  readonly score: number;
}

export interface Brand {
  readonly primaryColor?: HexColour | undefined;
  readonly backgroundColor?: HexColour | undefined;
  readonly textColor?: HexColour | undefined;
  /** Colour of prices, badges and ornaments. */
  readonly accentColor?: HexColour | undefined;
  readonly buttonColor?: HexColour | undefined;
  readonly buttonTextColor?: HexColour | undefined;
}

/** The inputs that all outputs of a job share. */
export interface PackInputs {
  readonly assets: Partial<Record<VisualSlot, PackAsset>> & {
    /** Replaces the logo on dark backgrounds. */
    readonly logoOnDark?: PackAsset;
  };
  /** OTF or TTF bytes; if null, all text is set in the look's fonts. */
  readonly font: Uint8Array | null;
  /** Font for all text except headline and price, which are set in `font`. */
  readonly textFont?: Uint8Array | null | undefined;
  /** The look's button style when absent. */
  readonly buttonStyle?: ButtonStyleId | undefined;
  readonly copy: Copy;
  readonly brand: Brand;
  /** `classic` when absent. */
  readonly look?: LookId | undefined;
  readonly placements?: Placements | undefined;
}

/** One output to compose: a size, and its overrides of the pack's inputs. */
export interface CompositionRequest {
  /** Width and height in pixels of the file. At scale 2, the same design has twice the pixels along each edge. */
  readonly size: ScaledSize;
  /** 1 when absent. */
  readonly variant?: Variant | undefined;
  /** `auto` when absent. */
  readonly composition?: CompositionWish | undefined;
  /** All texts of this output; replaces the pack's copy. */
  readonly copy?: Copy | undefined;
  /** Placements of this output; each overrides the pack's placement for its slot. */
  readonly placements?: Placements | undefined;
}

/** The click target of a banner, and the ad server that serves the banner. */
export interface Landing {
  readonly network: BannerNetwork;
  /** Target of a click unless the ad server inserts its own address: an `https:` URL or a macro. */
  readonly clickUrl: string;
}

export interface OutputRequest extends CompositionRequest {
  readonly motion: "static" | "animated";
  readonly format: OutputFormat;
  /** Set for HTML5 banners. */
  readonly landing?: Landing;
  /** Ordered with a test key: drawn at reduced size, enlarged and watermarked. */
  readonly isTest?: boolean;
  /** Awaited every few frames of a video, so that other requests of the isolate can run. */
  readonly pause?: () => Promise<unknown>;
}

export interface RenderedFile {
  /** `backup` is the still that is included free with an animation. */
  readonly role: "primary" | "backup";
  readonly bytes: Uint8Array;
  readonly contentType:
    | "image/png"
    | "image/jpeg"
    | "image/webp"
    | "image/gif"
    | "image/apng"
    | "application/zip"
    | "video/mp4";
  readonly format: OutputFormat;
  readonly extension: "png" | "jpg" | "webp" | "gif" | "apng" | "zip" | "mp4";
  readonly width: number;
  readonly height: number;
  /** Set for animations and videos. `loops` is the total number of plays. */
  readonly animation: { readonly frames: number; readonly durationMs: number; readonly loops: number } | null;
  /** Bytes and number of files of the initial load; set for HTML5 banners. */
  readonly load?: { readonly bytes: number; readonly files: number };
  readonly compliance: Compliance;
}

export interface ComplianceCheck {
  readonly rule:
    | "byte_cap"
    | "format"
    | "duration"
    | "frame_rate"
    | "loops"
    | "frames"
    | "safe_area"
    | "backup_bytes"
    | "dimensions"
    | "load_bytes"
    | "files"
    | "bit_rate";
  readonly passed: boolean;
  readonly actual: string;
  readonly required: string;
  readonly sourceId: string | null;
}

export interface Compliance {
  readonly verdict: "pass" | "fail";
  /** Null where no source publishes a cap. */
  readonly byteCap: number | null;
  readonly checks: readonly ComplianceCheck[];
  /** Groups of the catalogue whose published rules this file meets. */
  readonly acceptedBy: readonly string[];
}

export const FAMILIES = ["campaign", "duo", "product", "person", "device", "scenery", "brand"] as const;
export type Family = (typeof FAMILIES)[number];
/** Families whose hero is a photo that fills its region. */
export const PHOTO_FAMILIES: readonly Family[] = ["campaign", "duo", "scenery"];
/** Shapes of a canvas, roughly from the widest to the tallest. */
export const SHAPES = [
  "tiny_strip",
  "banner",
  "leaderboard",
  "landscape",
  "square",
  "portrait",
  "skyscraper",
  "story",
] as const;
export type Shape = (typeof SHAPES)[number];
export const TEXT_ROLES = [
  "headline",
  "subheadline",
  "cta",
  "disclaimer",
  "price",
  "old_price",
  "badge",
] as const;
export type TextRole = (typeof TEXT_ROLES)[number];
/** `card`: a card or panel for words on a photo, or a logo's plate. */
export type ElementRole = "hero" | "secondary_hero" | "background" | "card" | "logo" | TextRole;

export interface LayoutElement {
  readonly role: ElementRole;
  readonly box: Box;
  /** Type size in file pixels; set on text. */
  readonly fontSizePx?: number;
  /** Set on text: the lines in reading order. */
  readonly lines?: readonly string[];
  /**
   * Set on text and button: the worst contrast ratio against the pixels behind. On a logo: the contrast ratio that four
   * fifths of its rim reach.
   */
  readonly contrastRatio?: number;
}

export interface Crop {
  readonly slot: VisualSlot;
  /** The visible part of the upright source, in source pixels. */
  readonly shown: Box;
  readonly sourceWidth: number;
  readonly sourceHeight: number;
  /** The point to keep in sight, in source pixels. */
  readonly focalPoint: { readonly x: number; readonly y: number };
}

export interface Adjustment {
  readonly code:
    | "text_shrunk"
    | "text_dropped"
    | "element_dropped"
    | "scrim_added"
    | "plate_added"
    | "border_added"
    | "colour_changed"
    | "profile_approximated"
    | "quality_reduced"
    | "frames_reduced"
    | "upscaled"
    | "arrangement_changed"
    | "face_cut"
    | "subject_cut"
    | "logo_recoloured"
    | "logo_low_contrast";
  readonly element: ElementRole | null;
  readonly message: string;
}

/** Report of a layout: the place of each element, the crops, and changes such as shrunk or dropped text. */
export interface LayoutReport {
  readonly family: Family;
  readonly shape: Shape;
  /** File pixels per pixel of the size; boxes and type sizes are in file pixels. 1 when absent. */
  readonly scale?: Exclude<PixelScale, 1> | undefined;
  readonly elements: readonly LayoutElement[];
  readonly crops: readonly Crop[];
  readonly adjustments: readonly Adjustment[];
}

export interface RenderedOutput {
  readonly sizeId: string;
  readonly files: readonly RenderedFile[];
  readonly layout: LayoutReport;
}

/** Why an input or an output cannot be drawn. All are permanent: the same inputs fail again. */
export type RenderFailureCode =
  | "ASSET_UNREADABLE"
  | "FONT_UNREADABLE"
  | "ASSET_EMPTY"
  | "ASSET_UNAVAILABLE"
  | "HEADLINE_DOES_NOT_FIT"
  | "BYTE_CAP_UNREACHABLE"
  | "NO_VISUAL_ASSET"
  | "FORMAT_UNSUPPORTED";

export interface RenderFailure {
  readonly ok: false;
  readonly code: RenderFailureCode;
  /** What is wrong and what to do, in a sentence for the caller. */
  readonly message: string;
  /** The slot of the asset at fault, if a single picture is at fault. */
  readonly slot?: VisualSlot | "logoOnDark";
}

export const failure = (code: RenderFailureCode, message: string): RenderFailure => ({
  ok: false,
  code,
  message,
});

export type Result<T, F = RenderFailure> = { readonly ok: true; readonly value: T } | F;

/**
 * Compiled WASM, passed in because each runtime loads modules differently: workerd imports them at build time, Node
 * compiles them from disk.
 */
export interface CodecModules {
  readonly jpegDecoder: WebAssembly.Module;
  readonly jpegEncoder: WebAssembly.Module;
  readonly pngDecoder: WebAssembly.Module;
  readonly vp8Decoder: WebAssembly.Module;
  readonly vp8lDecoder: WebAssembly.Module;
  readonly colourConverter: WebAssembly.Module;
  readonly resampler: WebAssembly.Module;
  readonly webpEncoder: WebAssembly.Module;
  readonly videoEncoder: WebAssembly.Module;
  readonly svgRasteriser: WebAssembly.Module;
  readonly textShaper: WebAssembly.Module;
  /** `src/renderer/type/outline-pen.wasm`: exports glyph outlines from the shaper. */
  readonly outlinePen: WebAssembly.Module;
  readonly faceDetector: WebAssembly.Module;
  /** `src/renderer/faces/face-detector.weights`: the trained weights of the face detector. */
  readonly faceWeights: Uint8Array;
}

export interface BundledFonts {
  readonly regular: Uint8Array;
  readonly bold: Uint8Array;
}

/** Font files outside the script bundle, fetched when a text or a look needs one. */
export interface FontLibrary {
  /**
   * The bytes of a file; read-only. Throws if the library is unreachable or lacks the file, which is a fault of the
   * service, not of an input.
   */
  load(name: string): Promise<Uint8Array<ArrayBuffer>>;
}
