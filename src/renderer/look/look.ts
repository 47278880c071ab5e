import type { LookId } from "#catalogue/looks.ts";
import type { LOOK_FONTS } from "../fonts/library-files.ts";

/** A designer's decisions as data, which every size of a pack follows. */
export interface Look {
  readonly id: LookId;
  readonly type: TypeStyle;
  readonly button: ButtonStyle;
  readonly surface: SurfaceStyle;
  readonly layout: LayoutStyle;
  readonly field: FieldStyle;
  readonly badge: BadgeShape;
  readonly ornament: Ornament;
  readonly motion: MotionPreset;
}

/** The kinds of text, each with its own voice. */
export type VoiceName = "headline" | "body" | "button" | "fine_print" | "price";

/** How one kind of text is set. */
export interface Voice {
  /** `display` sets headlines and prices, `regular` and `bold` other text. */
  readonly face: "regular" | "bold" | "display";
  readonly case: "as_written" | "capitals";
  /** Letter spacing in em, added to the default for the size. */
  readonly trackingEm: number;
  /** Factor of the layout's line height. */
  readonly leading: number;
}

export type LookFontName = keyof typeof LOOK_FONTS;

/**
 * Fonts of the library; null is the bundled font of that weight. Without a display face, the bold face takes its place.
 */
export interface LookFonts {
  readonly display: LookFontName | null;
  readonly regular: LookFontName | null;
  readonly bold: LookFontName | null;
  /**
   * Whether the faces are light. Letters that a light face lacks are set in the bundled regular face, never in the
   * bold.
   */
  readonly isLight?: boolean;
  /**
   * Values on the `wght` axis at which the typefaces for other scripts look as heavy as the look's text (`regular`) and
   * its bold or display text (`bold`).
   */
  readonly scriptWeights: { readonly regular: number; readonly bold: number };
}

export interface TypeStyle {
  readonly fonts: LookFonts;
  readonly voices: Readonly<Record<VoiceName, Voice>>;
  /** Factor of the headline's largest size: a condensed face may be larger, wide capitals must be smaller. */
  readonly headlineTimes: number;
  /** Size of the subheadline relative to its usual fraction of the headline. */
  readonly subheadlineTimes: number;
  /** Size of a price below a headline, relative to the usual size. */
  readonly priceTimes: number;
}

export interface ButtonStyle {
  /** `rule` only underlines the text. */
  readonly shape: "pill" | "soft" | "square" | "rule";
  /** `outline`: a hairline around the text, unless the brand gives the button a colour. */
  readonly fill: "solid" | "outline";
  readonly hasArrow: boolean;
  /** Factor of the padding at both ends of the text. */
  readonly paddingTimes: number;
}

/** The colour and texture of the surface. */
export interface SurfaceStyle {
  /**
   * `picture`: dark or light, in the picture's hue. `paper`: a tinted near white. `white`. `night`: a tinted near
   * black. `vivid`: the brand's own colour. `accent`: the brand's accent, else white. `pastel`: a light tone of the
   * brand's own colour. A background that the brand names is always kept.
   */
  readonly tone: "picture" | "paper" | "white" | "night" | "vivid" | "accent" | "pastel";
  /**
   * Accent of prices, badges and lines if the brand names none. `brand`: the button's colour. `gold`: the brand's own
   * colour, or gold if it names none.
   */
  readonly accent: "brand" | "gold";
  /** `lit`: soft light; `flat`; `rays`: a sunburst of two tones; `blobs`: round shapes and dots. */
  readonly texture: "lit" | "flat" | "rays" | "blobs";
  /** Treatment of a `background` picture: out of focus, or in two tones of the surface. */
  readonly background: "blurred" | "duotone";
}

export interface LayoutStyle {
  /** Whether text may lie on a photo, over a scrim, or always on a panel or card of the surface. */
  readonly wordsOnPhoto: "scrim" | "panel";
  readonly align: "start" | "center";
  /** Factor of the margins, except on strips. */
  readonly marginTimes: number;
  /** Factor of corner radii; 0 gives square corners. */
  readonly cornerTimes: number;
  /** Whether photos beside or above a panel are cards inside the margins, rather than edge to edge. */
  readonly framesPhotos: boolean;
}

/** The coloured field that replaces a missing picture. */
export interface FieldStyle {
  /** The field's edge towards the text; `card` and `arch` are frames inside the canvas edges. */
  readonly edge: "straight" | "slant" | "round" | "card" | "arch";
  /** The brand's colour itself, or a tint of it. */
  readonly tone: "solid" | "tint";
  /** The mark of a brand whose logo is a wordmark. */
  readonly shape: "discs" | "bars" | "quarters" | "rings" | "burst";
}

export type BadgeShape = "pill" | "soft" | "square" | "circle" | "burst" | "rule";
/**
 * The ornament, drawn once per canvas where it touches no text: a rule above the headline or at top and bottom, a bar
 * above or beside the headline, or a frame.
 */
export type Ornament = "none" | "rule" | "bar" | "frame";
export type MotionPreset = "rise" | "wipe" | "pop" | "stamp" | "fade" | "slide" | "drift";

const PLAIN: Voice = { face: "regular", case: "as_written", trackingEm: 0, leading: 1 };

/** The voices of a look, given as differences from plain voices, whose headline, price and button are bold. */
export function voicesWith(changes: Partial<Record<VoiceName, Partial<Voice>>>): TypeStyle["voices"] {
  const voice = (name: VoiceName, base: Voice): Voice => ({ ...base, ...changes[name] });
  return {
    headline: voice("headline", { ...PLAIN, face: "display" }),
    body: voice("body", PLAIN),
    button: voice("button", { ...PLAIN, face: "bold" }),
    fine_print: voice("fine_print", PLAIN),
    price: voice("price", { ...PLAIN, face: "display" }),
  };
}
