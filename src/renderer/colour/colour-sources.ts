import type { Look } from "../look/index.ts";
import type { Rgb } from "../raster/canvas.ts";
import type { Brand, Family } from "../types.ts";
import type { Swatch } from "./dominant-colours.ts";

/** What the colours of a pack are chosen from. */
export interface ColourSources {
  readonly family: Family;
  readonly look: Look;
  readonly brand: Brand;
  readonly hero: readonly Swatch[];
  readonly logo: readonly Swatch[];
  /** Of a `background` that lies under everything: surfaces and scrims take its hue. */
  readonly background?: readonly Swatch[];
  /** Share 0..1 of the logo's outline that stands out on a colour; 1 when there is no logo. */
  readonly logoVisibility: (surface: Rgb) => number;
}
