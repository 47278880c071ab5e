import type { FontType, ImageType } from "#renderer/types.ts";

/** Kinds of file that a workspace may upload. */
export const KINDS = ["png", "jpeg", "webp", "svg", "otf", "ttf"] as const;
export type Kind = (typeof KINDS)[number];

export const MIME_TYPES: Readonly<Record<Kind, ImageType | FontType>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
  svg: "image/svg+xml",
  otf: "font/otf",
  ttf: "font/ttf",
};

/** A file, named by its content or origin. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}
