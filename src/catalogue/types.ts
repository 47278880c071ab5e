/** Types of the catalogue: contracts, sizes and their rules, as plain data. */

export type Motion = "static" | "animated";
export type StaticFormat = "png" | "jpg" | "webp";
/** Formats whose encoder compares each frame with the previous one. */
export type FrameFormat = "gif" | "webp" | "apng";
export type AnimatedFormat = FrameFormat | "html5" | "mp4";
/**
 * Ad servers whose click handling an HTML5 banner supports. `google`: Google Ads, Display & Video 360 and Campaign
 * Manager 360.
 */
export type BannerNetwork = "google" | "adform" | "amazon" | "xandr";
export type OutputFormat = StaticFormat | AnimatedFormat;

/** Source of a figure. `confirmed: false`: a secondary source. */
export interface Source {
  readonly sourceId: string;
  readonly title: string;
  readonly url: string;
  /** ISO date on which the source was read. */
  readonly readOn: string;
  readonly confirmed: boolean;
}

/** Insets from each edge that text, button and logo must not touch, in the size's pixels. */
export interface SafeArea {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Limits of an animated output, each with its source. */
export interface AnimationRule {
  /** Total duration of all plays. */
  readonly durationMsMax: number;
  readonly durationSourceId: string;
  readonly framesPerSecondMax: number;
  readonly framesPerSecondSourceId: string;
  /** Total plays; then the animation must stop. */
  readonly loopsMax: number;
  readonly loopsSourceId: string;
  /** Null if no source sets one. */
  readonly framesMax: number | null;
  readonly framesSourceId: string | null;
  /** Maximum size of the static backup beside the animation; null if no source sets one. */
  readonly backupBytesMax: number | null;
  readonly backupSourceId: string | null;
}

/** A network's rules for HTML5 banners. */
export interface BannerRule {
  /** Maximum uncompressed bytes of all files in the first load. */
  readonly loadBytesMax: number;
  readonly loadSourceId: string;
  readonly filesMax: number;
  readonly filesSourceId: string;
}

/** A network's rules for videos. */
export interface VideoRule {
  readonly durationMsMin: number;
  readonly durationMsMax: number;
  readonly framesPerSecondMax: number;
  readonly bytesMax: number;
  /** Bits per second; null if the network sets no minimum. */
  readonly bitsPerSecondMin: number | null;
  readonly sourceId: string;
}

export interface Size {
  /** `{group}-{width}x{height}`. */
  readonly sizeId: string;
  readonly group: string;
  readonly width: number;
  readonly height: number;
  /** Maximum bytes of a file; null if the network publishes none. */
  readonly byteCap: number | null;
  readonly byteCapSourceId: string | null;
  readonly safeArea: SafeArea | null;
  readonly safeAreaSourceId: string | null;
  /** Whether ad policy requires a visible border around a light creative. */
  readonly needsBorder: boolean;
  readonly borderSourceId: string | null;
  readonly animation: AnimationRule;
  /** Absent if the network accepts no HTML5. */
  readonly banner?: BannerRule;
  /** Absent if the network accepts no video at this size. */
  readonly video?: VideoRule;
  /**
   * Formats that the network lists and displays as intended. Other formats are rendered on request, and reported as not
   * accepted.
   */
  readonly acceptedFormats: readonly OutputFormat[];
  /** Source that documents 2x files; absent if the network documents none. */
  readonly scale2SourceId?: string;
  /** Sources of the dimensions and formats. */
  readonly sourceIds: readonly string[];
}

export interface CopyField {
  readonly field: "headline" | "subheadline" | "cta" | "disclaimer";
  readonly charactersMax: number;
}

/** A versioned definition of a pack's sizes and rules. A released contract never changes. */
export interface Contract {
  readonly contractId: string;
  readonly title: string;
  readonly sizes: readonly Size[];
  readonly staticFormats: readonly StaticFormat[];
  readonly animatedFormats: readonly AnimatedFormat[];
  readonly copyFields: readonly CopyField[];
}
