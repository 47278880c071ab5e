/** Shapes of the pack catalogue: what may be made, in which sizes, under which rules. Plain data. */

export type Motion = "static" | "animated";
export type StaticFormat = "png" | "jpg" | "webp";
/** Formats that are written frame by frame, in which pictures are compared with the one before. */
export type FrameFormat = "gif" | "webp" | "apng";
export type AnimatedFormat = FrameFormat | "html5" | "mp4";
/** Ad servers whose way of handing a click over an HTML5 banner can use. `google`: Google Ads, Display & Video 360 and Campaign Manager 360. */
export type BannerNetwork = "google" | "adform" | "amazon" | "xandr";
export type OutputFormat = StaticFormat | AnimatedFormat;

/** Where a figure was read, and when. `confirmed: false` marks a secondary source. */
export interface Source {
  readonly sourceId: string;
  readonly title: string;
  readonly url: string;
  /** ISO date on which the figure was read. */
  readonly readOn: string;
  readonly confirmed: boolean;
}

/** Insets from each edge that must stay free of text, button and logo, in pixels of the size. */
export interface SafeArea {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Limits for an animated output of a size, each with where it was read. */
export interface AnimationRule {
  /** All plays together. */
  readonly durationMsMax: number;
  readonly durationSourceId: string;
  readonly framesPerSecondMax: number;
  readonly framesPerSecondSourceId: string;
  /** Plays in all; then it must stand still. */
  readonly loopsMax: number;
  readonly loopsSourceId: string;
  /** Null where no source sets one. */
  readonly framesMax: number | null;
  readonly framesSourceId: string | null;
  /** Largest bytes of the static backup that ships beside the animation; null where no source sets one. */
  readonly backupBytesMax: number | null;
  readonly backupSourceId: string | null;
}

/** What a network takes as an HTML5 banner. */
export interface BannerRule {
  /** Bytes of all files that load at once, as they are unpacked. */
  readonly loadBytesMax: number;
  readonly loadSourceId: string;
  readonly filesMax: number;
  readonly filesSourceId: string;
}

/** What a network takes as a video. */
export interface VideoRule {
  readonly durationMsMin: number;
  readonly durationMsMax: number;
  readonly framesPerSecondMax: number;
  readonly bytesMax: number;
  /** Bits a second; null where the network asks for no least rate. */
  readonly bitsPerSecondMin: number | null;
  readonly sourceId: string;
}

export interface Size {
  /** `{group}-{width}x{height}`. */
  readonly sizeId: string;
  readonly group: string;
  readonly width: number;
  readonly height: number;
  /** Largest bytes of a file; null where the network publishes none. */
  readonly byteCap: number | null;
  readonly byteCapSourceId: string | null;
  readonly safeArea: SafeArea | null;
  readonly safeAreaSourceId: string | null;
  /** True where ad policy asks for a visible border around a light creative. */
  readonly needsBorder: boolean;
  readonly borderSourceId: string | null;
  readonly animation: AnimationRule;
  /** Absent where the network takes no HTML5. */
  readonly banner?: BannerRule;
  /** Absent where the network takes no video in these pixels. */
  readonly video?: VideoRule;
  /** Formats that the network lists and shows as meant; others are rendered on request but reported as not accepted. */
  readonly acceptedFormats: readonly OutputFormat[];
  /** Where the network documents files of twice the size in pixels; absent where it documents none. */
  readonly scale2SourceId?: string;
  /** Of the pixel size and the formats. */
  readonly sourceIds: readonly string[];
}

export interface CopyField {
  readonly field: "headline" | "subheadline" | "cta" | "disclaimer";
  readonly charactersMax: number;
}

/** A versioned definition of what a pack may contain. A released one never changes. */
export interface Contract {
  readonly contractId: string;
  readonly title: string;
  readonly sizes: readonly Size[];
  readonly staticFormats: readonly StaticFormat[];
  readonly animatedFormats: readonly AnimatedFormat[];
  readonly copyFields: readonly CopyField[];
}
