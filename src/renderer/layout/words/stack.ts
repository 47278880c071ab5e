import type { Copy, TextRole } from "#renderer/types.ts";
import type { Scale } from "../design/margins-and-type-sizes.ts";
import type { Alignment } from "../design/place-elements.ts";
import type { Measured, Typesetter } from "../design/typesetter.ts";
import type { BadgeSize } from "./badge-size.ts";
import type { ButtonSize } from "./button.ts";
import type { PriceBlock } from "./price-block.ts";

/**
 * Badge, headline, subheadline, price and button in one column, not placed yet. Heights run from capitals to baseline.
 */
export interface Stack {
  readonly rows: readonly StackRow[];
  readonly heightPx: number;
  /** Size of the leading text relative to the largest allowed, 0..1. */
  readonly headlineSizeShare: number;
  /** Quality of the headline's line breaks, 0..1. */
  readonly lineBreakScore: number;
  /** Size of the price below a headline relative to the largest allowed, 0..1; 1 without a price. */
  readonly priceSizeShare: number;
}

/** Weight of the price's size in a stack's score. */
const PRICE_WEIGHT = 0.4;

/** Rises with the sizes of headline and price, and with the quality of the headline's line breaks, 0..1. */
export const stackScore = ({ headlineSizeShare, lineBreakScore, priceSizeShare }: Stack): number =>
  headlineSizeShare * lineBreakScore * (1 - PRICE_WEIGHT + PRICE_WEIGHT * priceSizeShare);

export interface StackRow {
  readonly topPx: number;
  readonly content:
    | { readonly kind: "text"; readonly role: TextRole; readonly measured: Measured }
    | { readonly kind: "badge"; readonly size: BadgeSize }
    | { readonly kind: "price"; readonly block: PriceBlock }
    | { readonly kind: "button"; readonly size: ButtonSize }
    | OfferRow;
}

/** A price with the button beside it. */
interface OfferRow {
  readonly kind: "offer";
  readonly block: PriceBlock;
  readonly size: ButtonSize;
  readonly gapPx: number;
  readonly heightPx: number;
}

export interface StackRequest {
  readonly copy: Pick<Copy, "headline" | "subheadline" | "cta" | "price" | "oldPrice" | "badge">;
  readonly widthPx: number;
  readonly heightPxMax: number;
  readonly align: Alignment;
  readonly scale: Scale;
  readonly typesetter: Typesetter;
  /** Whether buttons are compact, as in rows and narrow columns. */
  readonly isCompact: boolean;
  /** Whether the button is as wide as its column. */
  readonly isButtonWide?: boolean;
}

/** Sizes and options to try for a stack. */
export interface StackTrial {
  readonly headlinePx: number;
  /** Factor applied to all gaps. */
  readonly tightness: number;
  readonly headlineLinesMax: number;
  /** Fraction of the width that the headline may fill. */
  readonly narrowing: number;
  /** Whether each of the headline's sentences starts a line. */
  readonly isBySentence: boolean;
  readonly isButtonBesidePrice: boolean;
}
