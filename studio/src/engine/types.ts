import type { ButtonStyleId, CompositionWish, LookId, Variant } from "creative-packs-service/looks";
import type { PreviewProtection } from "creative-packs-service/preview-quota";
import type {
  Brand,
  ComplianceCheck,
  Copy,
  LayoutReport,
  PictureFacts,
  Placements,
  PlayTimes,
  RenderFailureCode,
} from "creative-packs-service/renderer";
import type { PixelScale } from "creative-packs-service/scales";
import type { Motion, OutputFormat } from "creative-packs-service/size-types";
import type { MimeType, SlotId } from "creative-packs-service/slots";

export type { PictureFacts, PlayTimes } from "creative-packs-service/renderer";

/** Inputs and outputs of the engine: plain data, no React. */

/** A file for a slot. Equal ids mean equal bytes: a picture is decoded once per id. */
export interface SlotFile {
  /** The asset's id, or the page's own id for a file that is not uploaded yet. */
  readonly id: string;
  readonly mimeType: MimeType;
  /** Read by the worker whenever it has to decode the file; never changed. */
  readonly file: Blob;
}

/** Overrides of one size (`PackRequest.overrides`). */
export interface SizeOverride {
  /** Replaces single texts; an empty text removes the pack's text. */
  readonly copy?: Copy | undefined;
  readonly placements?: Placements | undefined;
  readonly variant?: Variant | undefined;
  readonly composition?: CompositionWish | undefined;
  readonly scale?: PixelScale | undefined;
}

/** A size of the catalogue on the grid. */
export interface DrawSize {
  readonly sizeId: string;
  /**
   * Width of its place in device pixels: CSS px × devicePixelRatio. The drawing is at most this wide, and at most as
   * wide as the size.
   */
  readonly widthPx: number;
  /** Whether its place is visible; visible sizes are drawn first. */
  readonly isVisible: boolean;
  /** Whether the tile is parked: it keeps its last drawing and is not redrawn, because it is not on the page. */
  readonly isParked?: boolean;
}

/** Role of a file: a slot, or a brand's second logo or font, which have no slot. */
export type DrawnAs = SlotId | "logoOnDark" | "textFont";

/** All inputs of a grid: the fields of a `PackRequest`, with files in place of asset ids. */
export interface DrawInputs {
  readonly assets: Readonly<Partial<Record<DrawnAs, SlotFile>>>;
  readonly copy: Copy;
  readonly brand: Brand;
  readonly look: LookId;
  /** Default: the look's button style. */
  readonly buttonStyle?: ButtonStyleId | undefined;
  readonly variant: Variant;
  /** Default: `auto`. */
  readonly composition?: CompositionWish | undefined;
  /** Contract whose rules apply. Default: the newest. */
  readonly contractId?: string | undefined;
  readonly placements: Placements;
  readonly overrides: Readonly<Record<string, SizeOverride>>;
  readonly motion: Motion;
  readonly outputFormat: OutputFormat;
  /** In display order. */
  readonly sizes: readonly DrawSize[];
  /** Protection of the account's previews. */
  readonly protection: PreviewProtection;
  /** The workspace's part of the watermark: `markSeedOf` in `src/domains/previews/watermark-seed.ts`. */
  readonly markSeed: number;
}

export type EngineFaultCode =
  | RenderFailureCode
  /** The engine's files could not be loaded: offline, or a deployment replaced them. `retry` tries again. */
  | "ENGINE_UNREACHABLE"
  /** A font of the library could not be loaded: offline, or a deployment replaced it. `retry` tries again. */
  | "FONTS_UNREACHABLE"
  /** The browser can no longer read a chosen file: moved, changed or too large for its memory. */
  | "FILE_UNREADABLE"
  /** A file's bytes do not match its type, are truncated, empty or unsupported, or have forbidden content. */
  | "NOT_WHAT_IT_CLAIMS"
  | "TRUNCATED"
  | "UNSUPPORTED"
  | "TOO_LARGE"
  | "TOO_SMALL"
  | "FORBIDDEN_CONTENT"
  | "EMPTY"
  /** The engine broke (a trap in WebAssembly), and broke again in a new worker. */
  | "ENGINE_CRASHED"
  /** The engine did not respond in time, not even in a new worker. */
  | "ENGINE_STALLED"
  /** The caller's signal was aborted, or the engine closed. */
  | "CANCELED";

/** Reason why a file or size is not drawn. */
export interface EngineFault {
  readonly code: EngineFaultCode;
  /** English, for logs and for codes that the page has no text for. */
  readonly message: string;
  /** The slot of the faulty file, if known. */
  readonly slot: SlotId | null;
}

/** A drawn size. */
export interface Drawing {
  /** Pixels for `putImageData`, watermarked according to `protection`. */
  readonly picture: ImageData;
  /** Layout of the paid output, in pixels of the size. */
  readonly layout: LayoutReport;
  readonly compliance: LayoutCompliance;
  /**
   * Frame times of the animation, whose last frame is `picture`. For a static pack: the frame times that
   * it would have if it were animated.
   */
  readonly play: PlayTimes;
}

/**
 * The rule checks that need no file. They do not include the byte cap: an order meets it, or fails with
 * BYTE_CAP_UNREACHABLE and costs nothing. `Engine.measure` renders the files and checks it.
 */
export interface LayoutCompliance {
  readonly verdict: "pass" | "fail";
  readonly byteCap: number | null;
  readonly checks: readonly ComplianceCheck[];
}

/** One size of the grid. `drawing` stays while a newer one is in progress or has failed. */
export interface Tile {
  readonly sizeId: string;
  readonly drawing: Drawing | null;
  readonly fault: EngineFault | null;
}

/** State of the engine. A new object after every change. */
export interface EngineState {
  /**
   * `empty`: no picture or no size to draw. `loading`: engine or pictures are loading. `failed`: nothing can be drawn,
   * because of `fault`. If a single tile fails, only the tile has a fault.
   */
  readonly status: "empty" | "loading" | "drawing" | "drawn" | "failed";
  readonly fault: EngineFault | null;
  /** In input order. */
  readonly tiles: readonly Tile[];
  /** Facts of the decoded pictures. */
  readonly pictures: Readonly<Partial<Record<SlotId, PictureFacts>>>;
  /** Files that cannot be drawn; every size is drawn without them. */
  readonly faultyFiles: Readonly<Partial<Record<SlotId, EngineFault>>>;
}

export type EngineResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: EngineFault };

/** Facts of a size's paid file. The worker renders the file and discards it. */
export interface MeasuredFile {
  readonly role: "primary" | "backup";
  readonly extension: string;
  readonly byteLength: number;
  readonly compliance: LayoutCompliance;
}

/** A thumbnail's differences from the pack's own design. */
export type ThumbnailDesign = Partial<Pick<DrawInputs, "look" | "variant" | "composition" | "brand">>;

/** The rendering engine in the browser. No method throws. */
export interface Engine {
  /** Draws these inputs from now on. Drops tasks of earlier inputs; keeps what did not change. */
  readonly show: (inputs: DrawInputs) => void;
  readonly state: () => EngineState;
  /** Calls `listener` after every change of the state. Returns an unsubscribe function (`useSyncExternalStore`). */
  readonly subscribe: (listener: () => void) => () => void;
  /** Retries after faults that do not depend on the inputs: loading the engine or fonts, and crashes. */
  readonly retry: () => void;
  /** Draws one size of the latest inputs at this width in device pixels, ahead of all tiles. */
  readonly zoom: (sizeId: string, widthPx: number, signal?: AbortSignal) => Promise<EngineResult<Drawing>>;
  /**
   * Draws one frame of a size's animation (`Drawing.play`), ahead of all tiles. Frames are cached. In the paid file,
   * the photo stands still if its motion would exceed the byte cap.
   */
  readonly frame: (
    sizeId: string,
    widthPx: number,
    frame: number,
    signal?: AbortSignal,
  ) => Promise<EngineResult<ImageData>>;
  /**
   * Draws the latest inputs in another design, as a square, ahead of all tiles. Request one at a time, and only if all
   * tiles are drawn.
   */
  readonly thumbnail: (
    design: ThumbnailDesign,
    widthPx: number,
    signal: AbortSignal,
  ) => Promise<EngineResult<Drawing>>;
  /**
   * Renders the paid files of one size, and returns their lengths and verdicts. Takes about a second for an animation.
   */
  readonly measure: (sizeId: string, signal?: AbortSignal) => Promise<EngineResult<readonly MeasuredFile[]>>;
  /** Runs the engine once in each idle worker, so that the first file need not wait. */
  readonly warmUp: () => void;
  /**
   * Announces a file that will probably be added to the latest files in this slot. A worker opens it while the page
   * still analyses it. If other files are shown, this has no effect.
   */
  readonly expect: (slot: SlotId, asset: SlotFile) => void;
  /** Detects the content of a single raster picture. */
  readonly examine: (asset: SlotFile) => Promise<EngineResult<PictureFacts>>;
  /**
   * Converts a picture of up to 200 megapixels to a file that the service accepts: JPEG, or PNG if it has transparency.
   * The picture is reduced to a half, a third and so on of its edges.
   */
  readonly reduce: (asset: SlotFile) => Promise<EngineResult<Blob>>;
  /** Terminates the workers. Pending tasks end as CANCELED. */
  readonly close: () => void;
}
