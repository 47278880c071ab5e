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

/** The messages between a page and one of its drawing workers, which does one task at a time. */

/** What a pack is prepared from. Every task carries it: a worker that was just started needs nothing else. */
export type PackSpec = Pick<DrawInputs, "assets" | "brand" | "look">;

/** One output of a pack, its overrides applied. */
export interface OutputSpec
  extends Pick<DrawInputs, "copy" | "placements" | "variant" | "composition" | "contractId" | "motion">,
    Pick<DrawInputs, "protection" | "markSeed">,
    Omit<DrawSize, "isVisible" | "isParked"> {
  /** Of the files that are measured; a screen shows scale 1. */
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
  /** Decodes a raster picture alone, to find what it shows. */
  | { readonly kind: "examine"; readonly asset: SlotFile }
  /** Makes a picture small enough to be accepted. */
  | { readonly kind: "reduce"; readonly asset: SlotFile }
  /** Prepares a pack, so that the next task of the same finds it. */
  | { readonly kind: "open"; readonly pack: PackSpec }
  /** Draws a photo once and keeps nothing of it: what runs for the first time is slow. */
  | { readonly kind: "warmUp"; readonly photo: SlotFile };

/** Opaque RGBA, row by row. */
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
  /** The inputs cannot be drawn, or something could not be fetched; the worker is as good as before. */
  | { readonly kind: "fault"; readonly fault: EngineFault };

/** The large codecs, which come when they are first needed. */
export type LateModule = "svgRasteriser" | "jpegEncoder" | "webpEncoder" | "videoEncoder";
export type CoreModules = Omit<CodecModules, LateModule>;
export type LateModules = Partial<Pick<CodecModules, LateModule>>;

export type ToWorker =
  | {
      readonly type: "start";
      readonly core: CoreModules;
      readonly fonts: BundledFonts;
      /** Where the font library lies. */
      readonly fontsUrl: string;
    }
  | { readonly type: "modules"; readonly late: LateModules }
  | { readonly type: "do"; readonly taskId: number; readonly task: Task }
  /** Nobody waits for this task any more. */
  | { readonly type: "drop"; readonly taskId: number };

export type FromWorker =
  /** Its script runs. */
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly taskId: number; readonly answer: Answer }
  /** What pictures show, once they are decoded, and which files cannot be; with the ids of the assets they are of. */
  | ({
      readonly type: "pictures";
      readonly assetIds: Readonly<Partial<Record<SlotId, string>>>;
    } & Pick<EngineState, "pictures" | "faultyFiles">)
  /** The engine broke; the worker is not to be used again. */
  | { readonly type: "crashed"; readonly taskId: number; readonly message: string };
