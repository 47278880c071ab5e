import type { StaticFormat } from "#catalogue/types.ts";
import type { Adjustment, Compliance, Shape } from "#renderer/index.ts";
import type { GalleryPack } from "./packs.ts";

/** Messages between the gallery and its rendering threads: plain data. */

export interface DrawRequest {
  readonly pack: GalleryPack;
  /** The first size of each `PictureSize`. */
  readonly sizeIds: readonly string[];
  /**
   * Format of banners. Larger sizes are JPEG: encoding them as PNG takes seconds, and people post them as JPEG.
   */
  readonly bannerFormat: StaticFormat;
  /** Folder that the images are written to. */
  readonly folder: string;
}

export interface Drawing {
  readonly ok: true;
  readonly sizeId: string;
  /** Path relative to that folder. */
  readonly file: string;
  readonly shape: Shape;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly compliance: Compliance;
  readonly adjustments: readonly Adjustment[];
  readonly drawMs: number;
}

export interface Undrawn {
  readonly ok: false;
  readonly sizeId: string;
  readonly code: string;
  readonly message: string;
}

export type Outcome = Drawing | Undrawn;
