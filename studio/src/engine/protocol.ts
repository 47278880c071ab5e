import type { BundledFonts, CodecModules, LayoutReport, PictureFacts } from "creative-packs-service/renderer";
import type { PixelScale } from "creative-packs-service/scales";
import type { OutputFormat } from "creative-packs-service/size-types";
import type { SlotId } from "creative-packs-service/slots";
import type {
  DrawInputs,
  DrawSize,
  EngineFault,
  EngineState,
  LayoutCompliance,
  MeasuredFile,
  PlayTimes,
  SlotFile,
} from "./types.ts";

/** Messages between the page and one drawing worker, which does one task at a time. */

/** Inputs of a pack. Every task includes them, so that any worker can perform it. */
export type PackSpec = Pick<DrawInputs, "assets" | "brand" | "look" | "buttonStyle">;

/** An output of a pack, with overrides applied. */
export interface OutputSpec
  extends Pick<DrawInputs, "copy" | "placements" | "variant" | "composition" | "contractId" | "motion">,
    Pick<DrawInputs, "protection" | "markSeed">,
    Omit<DrawSize, "isVisible" | "isParked"> {
  /** Scale of measured files; previews use 1. */
  readonly scale?: PixelScale | undefined;
  readonly format: OutputFormat;
}

/** Draws a still, or makes the paid files of one output. */
export interface DrawTask {
  readonly kind: "draw" | "measure";
  readonly pack: PackSpec;
  readonly output: OutputSpec;
}

/** Draws one frame of an animation. */
export interface FrameTask extends Omit<DrawTask, "kind"> {
  readonly kind: "frame";
  readonly frame: number;
}

export type Task =
  | DrawTask
  | FrameTask
  /** Decodes a raster picture alone, to detect its content. */
  | { readonly kind: "examine"; readonly asset: SlotFile }
  /** Reduces a picture to an accepted size. */
  | { readonly kind: "reduce"; readonly asset: SlotFile }
  /** Prepares a pack for the next task of the same spec. */
  | { readonly kind: "open"; readonly pack: PackSpec }
  /** Draws a photo and discards the result, because code is slow on its first run. */
  | { readonly kind: "warmUp"; readonly photo: SlotFile };

/** Opaque RGBA pixels, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly buffer: ArrayBuffer;
}

export type Answer =
  | {
      readonly kind: "draw";
      readonly pixels: Pixels;
      readonly layout: LayoutReport;
      readonly compliance: LayoutCompliance;
      readonly play: PlayTimes;
    }
  | { readonly kind: "frame"; readonly pixels: Pixels }
  | { readonly kind: "measure"; readonly files: readonly MeasuredFile[] }
  | { readonly kind: "examine"; readonly facts: PictureFacts }
  | { readonly kind: "reduce"; readonly file: Blob }
  | { readonly kind: "open" | "warmUp" }
  /** The inputs cannot be drawn, or a fetch failed; the worker is still usable. */
  | { readonly kind: "fault"; readonly fault: EngineFault };

/** The large codecs, sent when first needed. */
export type LateModule = "svgRasteriser" | "jpegEncoder" | "webpEncoder" | "videoEncoder";
export type CoreModules = Omit<CodecModules, LateModule>;
export type LateModules = Partial<Pick<CodecModules, LateModule>>;

export type ToWorker =
  | {
      readonly type: "start";
      readonly core: CoreModules;
      readonly fonts: BundledFonts;
      /** Base URL of the font library. */
      readonly fontsUrl: string;
    }
  | { readonly type: "modules"; readonly late: LateModules }
  | { readonly type: "do"; readonly taskId: number; readonly task: Task }
  /** Cancels this task. */
  | { readonly type: "drop"; readonly taskId: number };

export type FromWorker =
  /** The worker's script is running. */
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly taskId: number; readonly answer: Answer }
  /** Content of the decoded pictures, and the files that cannot be drawn, with their asset ids. */
  | ({
      readonly type: "pictures";
      readonly assetIds: Readonly<Partial<Record<SlotId, string>>>;
    } & Pick<EngineState, "pictures" | "faultyFiles">)
  /** The engine broke; the worker must be replaced. */
  | { readonly type: "crashed"; readonly taskId: number; readonly message: string };
