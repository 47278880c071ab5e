import type { StaticFormat } from "../../src/catalogue/types.ts";
import type { Adjustment, Compliance, Shape } from "../../src/renderer/index.ts";
import type { GalleryPack } from "./looks.ts";

/** What passes between the gallery and the threads that draw for it: plain data. */

export interface DrawRequest {
  readonly pack: GalleryPack;
  /** First of the sizes that each picture stands for. */
  readonly sizeIds: readonly string[];
  /** Of banners. Anything larger is a JPEG, as people post it; a PNG of that size takes seconds to write. */
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
