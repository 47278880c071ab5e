import type { TextBlock } from "../type/index.ts";
import type { Box, Copy, ElementRole, Family, Shape } from "../types.ts";
import type { Scale } from "./scale.ts";
import type { Typesetter } from "./typesetter.ts";

/** What a layout must know of a picture. */
export interface PictureTraits {
  /** Width / height of what is visible. */
  readonly aspect: number;
  readonly isCutOut: boolean;
  /** Where a product stands on a plain background, in shares; null when there is no telling. */
  readonly subjectBox: Box | null;
  /** Where across it the eye goes first, 0..1. */
  readonly focusX: number;
}

/** How much of what matters in the hero lies under `area` when it covers the whole canvas, 0..1. */
export type SaliencyUnder = (area: Box) => number;

/** All inputs of a layout. Boxes are in canvas pixels. */
export interface Brief {
  readonly width: number;
  readonly height: number;
  readonly shape: Shape;
  readonly family: Family;
  /** The canvas inside the safe area. */
  readonly safe: Box;
  readonly copy: Copy;
  readonly hero: PictureTraits | null;
  readonly secondaryHero: PictureTraits | null;
  readonly saliencyUnder: SaliencyUnder;
  /** A `background` picture lies under everything. */
  readonly hasBackground: boolean;
  readonly logo: PictureTraits | null;
  readonly isDark: boolean;
  /** The logo would need a plate where it stands: it joins the text on the scrim, or a denser scrim goes under it. */
  readonly needsLogoPlate: boolean;
  readonly scale: Scale;
  readonly typesetter: Typesetter;
}

export type TextRole = "headline" | "subheadline" | "cta" | "disclaimer";

export interface PlacedText {
  readonly role: TextRole;
  readonly set: TextBlock;
  /** Top left of the text block. */
  readonly x: number;
  readonly y: number;
  /** What is inked, on the canvas. */
  readonly ink: Box;
}

export interface PlacedButton {
  readonly box: Box;
  readonly text: PlacedText;
}

export interface PlacedPicture {
  readonly role: Extract<ElementRole, "hero" | "secondary_hero">;
  readonly box: Box;
  /** `cover` fills its box, `card` too with round corners and a shadow, `cut_out` stands whole in it. */
  readonly fill: "cover" | "card" | "cut_out";
  /** Part of the box, in shares 0..1, that words leave free: the subject should stand there. */
  readonly free: Box;
  /** Of a cut-out: the part of it that is shown, in shares; the canvas edge cuts the rest. */
  readonly part: Box;
  /** A tinted part of the canvas that the picture stands in; null for the plain surface. */
  readonly cell: Box | null;
  readonly cornerRadiusPx: number;
  /** What a cut-out does: stand on the canvas edge, on a floor, or float. */
  readonly footing: "edge" | "floor" | "none";
}

/** A scrim of the surface colour. `adaptive` marks the opacity that is raised until text reads. */
export interface Scrim {
  readonly box: Box;
  readonly axis: "across" | "down";
  readonly stops: readonly { readonly at: number; readonly opacity: number | "adaptive" }[];
  readonly adaptiveOpacityMin: number;
  /** Over this length it fades out at both ends of its other axis. */
  readonly fadePx?: number;
}

/** A card of the surface colour on a photo, for words to stand on. */
export interface TextCard {
  readonly box: Box;
  readonly cornerRadiusPx: number;
}

/** Logo, text and button, placed. */
export interface CopyBlock {
  readonly logo: Box | null;
  readonly texts: readonly PlacedText[];
  readonly button: PlacedButton | null;
  /** Size of the headline against the largest the shape allows, 0..1; 1 without one. */
  readonly headlineSizeShare: number;
  /** How well the headline's lines break, 0..1; 1 without one. */
  readonly lineBreakScore: number;
}

/** What a design without text is made of, besides its logo. */
export const NO_TEXT: Omit<CopyBlock, "logo"> = {
  texts: [],
  button: null,
  headlineSizeShare: 1,
  lineBreakScore: 1,
};

/** A finished arrangement: where everything stands. */
export interface Design extends CopyBlock {
  /** `lit`: with soft light behind what stands on it. */
  readonly surface: "flat" | "lit";
  readonly pictures: readonly PlacedPicture[];
  readonly scrims: readonly Scrim[];
  /** Scrims lie over photos that fill their box, but under what stands on a background. */
  readonly scrimsOver: "pictures" | "background";
  readonly textCard?: TextCard;
}
