import { refuse, type SvgRefusal } from "../svg/limits.ts";
import { type FontType, failure, type ImageType, type RenderFailure } from "../types.ts";
import type { Orientation } from "./exif-orientation.ts";
import type { SizeExcess } from "./size-limit.ts";

/** Properties of a file, from its headers. */
export type Inspected =
  | {
      readonly kind: "raster";
      readonly mimeType: Exclude<ImageType, "image/svg+xml">;
      /** As stored; the upright picture has them swapped when `orientation` is 5 to 8. */
      readonly width: number;
      readonly height: number;
      readonly orientation: Orientation;
      /** Whether the file can have transparent pixels. */
      readonly hasAlpha: boolean;
      readonly frames: number;
    }
  | { readonly kind: "svg"; readonly width: number; readonly height: number }
  | { readonly kind: "font"; readonly mimeType: FontType; readonly glyphs: number };

export interface Rejection extends SvgRefusal {
  /** Size limits that a `TOO_LARGE` picture exceeds. */
  readonly excess?: SizeExcess;
}

export type Inspection = { readonly ok: true; readonly value: Inspected } | Rejection;

export const rejected: (code: Rejection["code"], message: string) => Rejection = refuse;

/** The failure for an image that cannot be decoded. `message` tells the caller what to do. */
export const unreadable = (message: string): RenderFailure => failure("ASSET_UNREADABLE", message);
