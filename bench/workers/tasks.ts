import type { Copy, ImageType, LayoutReport, OutputRequest } from "#renderer/index.ts";

/** What the bench asks its workers, and what they answer: JSON both ways. */

/** Draws sizes of the catalogue from assets that the worker holds, the pack prepared once. */
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

/** Decodes an asset that the worker holds to this width, so many times. */
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

/** Draws outputs of a pack from files of a store at `origin`, which also takes what is made. */
export interface IsolateTask {
  readonly origin: string;
  readonly media: { readonly name: string; readonly mimeType: ImageType };
  readonly logo: { readonly name: string; readonly mimeType: ImageType };
  readonly copy: Copy;
  readonly sizeIds: readonly string[];
  readonly motion: OutputRequest["motion"];
  readonly format: OutputRequest["format"];
}

/** Looks at an uploaded picture of a store at `origin`, which also takes its renditions. */
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
