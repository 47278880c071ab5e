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

/** What the editor hands to a grid and what a grid hands back: plain data, no React, no engine. */

/** A file for a slot. Equal ids are equal bytes: a picture is decoded once for each id. */
export interface SlotFile {
  /** The asset's id, or any text of the page's own for a file that is not uploaded yet. */
  readonly id: string;
  readonly mimeType: MimeType;
  /** Read by the worker whenever it has to decode the file; never changed. */
  readonly file: Blob;
}

/** What one size has of its own, in place of what the pack says (`PackRequest.overrides`). */
export interface SizeOverride {
  /** Replaced text by text; an empty one takes the pack's away. */
  readonly copy?: Copy | undefined;
  readonly placements?: Placements | undefined;
  readonly variant?: Variant | undefined;
  readonly composition?: CompositionWish | undefined;
  readonly scale?: PixelScale | undefined;
}

/** A size of the catalogue on the grid. */
export interface DrawSize {
  readonly sizeId: string;
  /** Width of its place in device pixels: CSS px × devicePixelRatio. It is drawn no wider than this, nor than it is. */
  readonly widthPx: number;
  /** Whether its place is in sight: those are drawn first. */
  readonly isVisible: boolean;
  /** Keeps its last drawing and is not drawn, as its place is not on the page. */
  readonly isParked?: boolean;
}

/** What a file is drawn as: a slot, or the second logo or font of a brand, which no slot is for. */
export type DrawnAs = SlotId | "logoOnDark" | "textFont";

/** Everything that a grid is drawn from: the fields of a `PackRequest`, with files instead of asset ids. */
export interface DrawInputs {
  readonly assets: Readonly<Partial<Record<DrawnAs, SlotFile>>>;
  readonly copy: Copy;
  readonly brand: Brand;
  readonly look: LookId;
  /** The look's own when absent. */
  readonly buttonStyle?: ButtonStyleId | undefined;
  readonly variant: Variant;
  /** `auto` when absent. */
  readonly composition?: CompositionWish | undefined;
  /** Whose rules sizes have; the newest when absent. */
  readonly contractId?: string | undefined;
  readonly placements: Placements;
  readonly overrides: Readonly<Record<string, SizeOverride>>;
  readonly motion: Motion;
  readonly outputFormat: OutputFormat;
  /** In the order in which they are shown. */
  readonly sizes: readonly DrawSize[];
  /** That of the account's previews. */
  readonly protection: PreviewProtection;
  /** The workspace's part in the watermark: `markSeedOf` in `src/domains/previews/watermark-seed.ts`. */
  readonly markSeed: number;
}

export type EngineFaultCode =
  | RenderFailureCode
  /** The engine's files could not be loaded: offline, or deployed anew meanwhile. `retry` tries again. */
  | "ENGINE_UNREACHABLE"
  /** A font of the library could not be loaded; the same. */
  | "FONTS_UNREACHABLE"
  /** A file that was picked can no longer be read by the browser: moved, changed or too large for its memory. */
  | "FILE_UNREADABLE"
  /** A file's bytes are not those of its type, or are cut off, empty, of a kind that is not taken, or hold what may not be. */
  | "NOT_WHAT_IT_CLAIMS"
  | "TRUNCATED"
  | "UNSUPPORTED"
  | "TOO_LARGE"
  | "TOO_SMALL"
  | "FORBIDDEN_CONTENT"
  | "EMPTY"
  /** The engine broke (a trap in WebAssembly) in a new worker, too. */
  | "ENGINE_CRASHED"
  /** The engine gave no answer in time, in a new worker neither. */
  | "ENGINE_STALLED"
  /** The caller's signal was aborted, or the grid closed. */
  | "CANCELLED";

/** Why something is not drawn. */
export interface EngineFault {
  readonly code: EngineFaultCode;
  /** English, for logs and for codes that have no words of their own in the page's language. */
  readonly message: string;
  /** The slot whose file is at fault, where it is one. */
  readonly slot: SlotId | null;
}

/** A size as it is seen. */
export interface Drawing {
  /** Marked as `protection` asks; to be put on a canvas by `putImageData`. */
  readonly picture: ImageData;
  /** Of the paid output, in pixels of the size. */
  readonly layout: LayoutReport;
  readonly compliance: LayoutCompliance;
  /** How it plays, with the picture as its last frame; where the pack is static, how it would. */
  readonly play: PlayTimes;
}

/**
 * The checks of a size's rules that need no file. Bytes are not among them: an order keeps to the cap, or fails with
 * BYTE_CAP_UNREACHABLE and costs nothing. `Engine.measure` makes the file to tell.
 */
export interface LayoutCompliance {
  readonly verdict: "pass" | "fail";
  readonly byteCap: number | null;
  readonly checks: readonly ComplianceCheck[];
}

/** One size of the grid. `drawing` stays while a newer one is under way and when that fails. */
export interface Tile {
  readonly sizeId: string;
  readonly drawing: Drawing | null;
  readonly fault: EngineFault | null;
}

/** What a grid is doing, for one look at all of it. A new object whenever something changes. */
export interface EngineState {
  /**
   * `empty`: no picture or no size to draw. `loading`: engine or pictures are on their way. `failed`: nothing can be drawn,
   * for `fault`; a tile that fails alone has its own.
   */
  readonly status: "empty" | "loading" | "drawing" | "drawn" | "failed";
  readonly fault: EngineFault | null;
  /** In the order of the inputs' sizes. */
  readonly tiles: readonly Tile[];
  /** Of the pictures that are decoded. */
  readonly pictures: Readonly<Partial<Record<SlotId, PictureFacts>>>;
  /** Files that cannot be drawn; every size is drawn without them. */
  readonly faultyFiles: Readonly<Partial<Record<SlotId, EngineFault>>>;
}

export type EngineResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: EngineFault };

/** What the paid file of a size would be, made in full in the worker and thrown away there. */
export interface MeasuredFile {
  readonly role: "primary" | "backup";
  readonly extension: string;
  readonly byteLength: number;
  readonly compliance: LayoutCompliance;
}

/** What a thumbnail shows in place of the pack's own design. */
export type ThumbnailDesign = Partial<Pick<DrawInputs, "look" | "variant" | "composition" | "brand">>;

/** The engine in the browser. No method throws, but for a bug. */
export interface Engine {
  /** Draws these inputs from now on; what is drawn of earlier ones is dropped, and what did not change is kept. */
  readonly show: (inputs: DrawInputs) => void;
  readonly state: () => EngineState;
  /** Calls back after every change of the state; returns what ends it. As `useSyncExternalStore` takes it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Tries again what failed for no fault of the inputs: engine, fonts, a crash. */
  readonly retry: () => void;
  /** One size of the inputs shown last, drawn at this width of device pixels before all others. */
  readonly zoom: (sizeId: string, widthPx: number, signal?: AbortSignal) => Promise<EngineResult<Drawing>>;
  /**
   * One frame of a size as it plays (`Drawing.play`), drawn before all tiles. The frames drawn last are kept. A photo that
   * drifts here may stand still in the paid file, where its bytes would pass the cap.
   */
  readonly frame: (
    sizeId: string,
    widthPx: number,
    frame: number,
    signal?: AbortSignal,
  ) => Promise<EngineResult<ImageData>>;
  /**
   * The inputs shown last in another design, as a medium rectangle. Drawn before all tiles: ask for one at a time, and only
   * while every tile is drawn.
   */
  readonly thumbnail: (
    design: ThumbnailDesign,
    widthPx: number,
    signal: AbortSignal,
  ) => Promise<EngineResult<Drawing>>;
  /** Makes the paid files of one size, to tell their bytes and verdicts. A second of work for an animation. */
  readonly measure: (sizeId: string, signal?: AbortSignal) => Promise<EngineResult<readonly MeasuredFile[]>>;
  /** Runs the engine once in each worker that has nothing to do yet, so that the first file does not wait for that. */
  readonly warmUp: () => void;
  /**
   * A file that will probably be shown next, in this slot beside the files shown last: a worker opens it while the page still
   * looks at it. Where something else is shown, nothing comes of it.
   */
  readonly expect: (slot: SlotId, asset: SlotFile) => void;
  /** What a raster picture shows, decoded alone. */
  readonly examine: (asset: SlotFile) => Promise<EngineResult<PictureFacts>>;
  /**
   * A picture of up to 200 megapixels as a file that the service accepts, in whole fractions of its size: JPEG, or PNG where it
   * has transparency.
   */
  readonly reduce: (asset: SlotFile) => Promise<EngineResult<Blob>>;
  /** Ends the workers. What is under way ends as CANCELLED. */
  readonly close: () => void;
}
