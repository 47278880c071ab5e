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

/** Decodes an uploaded asset to `width` and `height`, `times` times. */
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

/** Renders outputs of a pack. Files are read from and written to a store at `origin`. */
export interface IsolateTask {
  readonly origin: string;
  readonly media: { readonly name: string; readonly mimeType: ImageType };
  readonly logo: { readonly name: string; readonly mimeType: ImageType };
  readonly copy: Copy;
  readonly sizeIds: readonly string[];
  readonly motion: OutputRequest["motion"];
  readonly format: OutputRequest["format"];
}

/** Checks an uploaded image. It is read from a store at `origin`, and renditions are written to it. */
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
