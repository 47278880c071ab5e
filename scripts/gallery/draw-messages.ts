import type { StaticFormat } from "#catalogue/types.ts";
import type { Adjustment, Compliance, Shape } from "#renderer/index.ts";
import type { GalleryPack } from "./packs.ts";

/** Messages between the gallery and its drawing threads: plain data. */

export interface DrawRequest {
  readonly pack: GalleryPack;
  /** One size of each group of equal sizes; see picture-sizes.ts. */
  readonly sizeIds: readonly string[];
  /** The format of banners. Larger sizes are JPEG, as people post them; a PNG of that size takes seconds to encode. */
  readonly bannerFormat: StaticFormat;
  /** Folder of the pictures. */
  readonly folder: string;
}

export interface Drawing {
  readonly ok: true;
  readonly sizeId: string;
  /** Relative to the folder. */
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
