import type { Theme } from "../colour/theme.ts";
import type { SharePoint } from "../focus/focal-point.ts";
import type { SaliencyMap } from "../focus/saliency.ts";
import type { Look } from "../look/index.ts";
import type { Rgb } from "../raster/canvas.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import type { CalmMap } from "../subjects/calm.ts";
import type { SubjectMap } from "../subjects/subject-map.ts";
import type { FontSet } from "../type/index.ts";
import type { Adjustment, Box, Copy, Face, Family, Placement, Placements, VisualSlot } from "../types.ts";

/** Width and height in pixels. */
export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** A decoded photograph, cut-out or screen, with the facts read from it. */
export interface Picture {
  readonly slot: VisualSlot;
  readonly pyramid: Pyramid;
  readonly sourceWidth: number;
  readonly sourceHeight: number;
  readonly isCutOut: boolean;
  /** Box around the visible part, in pixels of the pyramid's base. */
  readonly bounds: Box;
  readonly saliency: SaliencyMap;
  /** Box of a product on a plain background, in fractions of the picture; null if unknown. */
  readonly subjectBox: Box | null;
  /** Background and subject of a photo; null for a cut-out. */
  readonly subjects: SubjectMap | null;
  /** The calm parts of a photo, for text; null for a cut-out. */
  readonly calm: CalmMap | null;
  readonly focalPoint: SharePoint;
  readonly faces: readonly Face[];
  /** The caller's placement for one output (`picture-crops.ts`). */
  readonly placement?: Placement;
  /** Whether the photo shows the cut-out's own shadow, so none is drawn. */
  readonly hasOwnShadow?: boolean;
}

/** A decoded logo, with the bounds of its visible part. */
export interface Logo {
  readonly pyramid: Pyramid;
  readonly bounds: Box;
  readonly isCutOut: boolean;
  /** Whether the logo was drawn from an SVG. */
  readonly isVector: boolean;
  /** Colours along its rim, which decide whether it is visible. */
  readonly outline: readonly Rgb[];
  /** Whether few of its edges lie between its own colours: then any colour can be replaced without loss of shape. */
  readonly isFlat: boolean;
  /** Whether the logo has one colour, which can be replaced without loss of shape. */
  readonly isOneColour: boolean;
  /**
   * Box of the logo's symbol without the name, in pixels of the base; null for a wordmark or a logo that keeps its
   * colours.
   */
  readonly symbol: Box | null;
}

/** Sources decoded once, for all sizes of a job. Call `close` when done; a closed pack cannot be rendered. */
export interface PreparedPack {
  readonly family: Family;
  readonly copy: Copy;
  readonly look: Look;
  readonly placements: Placements;
  /** One theme for all sizes, so that they look like one campaign. */
  readonly theme: Theme;
  readonly hero: Picture | null;
  readonly secondaryHero: Picture | null;
  /** The `background` slot beside another hero; in a `scenery` pack, the background is the hero. */
  readonly background: Picture | null;
  readonly logo: Logo | null;
  /** Replaces the logo on dark backgrounds; null if `logo` is used on all backgrounds. */
  readonly logoOnDark: Logo | null;
  readonly fonts: FontSet;
  readonly adjustments: readonly Adjustment[];
  close(): void;
}
