import type { Copy, ImageType, LayoutReport, OutputRequest } from "#renderer/index.ts";

/** Tasks of bench workers and their results, as JSON. */

/** Renders sizes of the catalogue from uploaded assets; the pack is prepared once. */
export interface PackTask {
  readonly media: { readonly asset: string; readonly mimeType: ImageType };
  readonly logo: string;
  readonly copy: Copy;
  readonly sizeIds: readonly string[];
  readonly motion: OutputRequest["motion"];
  readonly format: OutputRequest["format"];
}

export interface PackAnswer {
  readonly outputs: readonly DrawnOutput[];
}

export interface DrawnOutput {
  readonly sizeId: string;
  readonly width: number;
  readonly height: number;
  readonly byteLength: number;
  readonly layout: LayoutReport;
}

/** Decodes an uploaded asset to this width, a number of times. */
export interface DecodeTask {
  readonly asset: string;
  readonly mimeType: Exclude<ImageType, "image/svg+xml">;
  readonly width: number;
  readonly height: number;
  readonly times: number;
}

export interface DecodeAnswer {
  readonly width: number;
  readonly height: number;
}

/** Renders outputs of a pack from files of a store at `origin`, which also receives the results. */
export interface IsolateTask {
  readonly origin: string;
  readonly media: { readonly name: string; readonly mimeType: ImageType };
  readonly logo: { readonly name: string; readonly mimeType: ImageType };
  readonly copy: Copy;
  readonly sizeIds: readonly string[];
  readonly motion: OutputRequest["motion"];
  readonly format: OutputRequest["format"];
}

/** Checks an uploaded image of a store at `origin`, which also receives its renditions. */
export interface CompletionTask {
  readonly origin: string;
  readonly picture: {
    readonly name: string;
    readonly mimeType: ImageType;
    readonly width: number;
    readonly height: number;
  };
}

export interface IsolateAnswer {
  readonly files: number;
}
