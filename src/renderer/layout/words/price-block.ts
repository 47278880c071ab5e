import type { Copy } from "#renderer/types.ts";
import type { PlacedText } from "../design/design.ts";
import { type Alignment, placeText } from "../design/place-elements.ts";
import { type Measured, reachOf, type Typesetter } from "../design/typesetter.ts";

/** A price with the old price beside it or above it, not placed yet. Heights run from capitals to baseline. */
export interface PriceBlock {
  readonly price: Measured;
  readonly oldPrice: Measured | null;
  /** `beside`: after the price, on its baseline. */
  readonly oldPriceAt: "beside" | "above";
  readonly widthPx: number;
  readonly heightPx: number;
}

const LONG_PRICE_CHARACTERS = 12;

/** Whether a price, such as "ab 1.299,00 € im Monat", may be smaller than the headline. */
export const isLongPrice = (price: string | undefined): boolean =>
  [...(price ?? "")].length > LONG_PRICE_CHARACTERS;

/** An old price's size relative to the price's. */
const OLD_PRICE_SHARE = 0.42;
const OLD_PRICE_PX_MIN = 10;
/** Gap between price and old price, side by side and one above the other, relative to the price's size. */
const GAP_BESIDE = 0.24;
const GAP_ABOVE = 0.24;

/**
 * Sets a copy's price at a size, on one line, with its smaller old price. `oldPriceAt` is the place of the old price;
 * null tries beside it, then above it. Null if wider than `widthMax`.
 */
export function measurePrice(
  typesetter: Typesetter,
  { price, oldPrice }: Pick<Copy, "price" | "oldPrice">,
  sizePx: number,
  widthMax: number,
  oldPriceAt: PriceBlock["oldPriceAt"] | null = null,
): PriceBlock | null {
  if (price === undefined) return null;
  const line = { lineHeight: 1.2, linesMax: 1, widthPx: widthMax, align: "start" } as const;
  const measured = typesetter.measure(price, { ...line, voice: "price", sizePx });
  if (measured === null) return null;
  const { width } = measured.set.inkBox;
  const { heightPx } = measured;
  if (width > widthMax) return null;
  if (oldPrice === undefined) {
    return { price: measured, oldPrice: null, oldPriceAt: "beside", widthPx: width, heightPx };
  }
  const oldPx = Math.max(OLD_PRICE_PX_MIN, halfPixels(sizePx * OLD_PRICE_SHARE));
  if (oldPx >= sizePx) return null;
  const old = typesetter.measure(oldPrice, { ...line, voice: "body", sizePx: oldPx });
  if (old === null) return null;
  const oldWidth = old.set.inkBox.width + overhangPx(old) * 2;
  const beside = width + sizePx * GAP_BESIDE + oldWidth;
  if (oldPriceAt !== "above" && beside <= widthMax) {
    return { price: measured, oldPrice: old, oldPriceAt: "beside", widthPx: beside, heightPx };
  }
  if (oldPriceAt === "beside" || oldWidth > widthMax) return null;
  return {
    price: measured,
    oldPrice: old,
    oldPriceAt: "above",
    widthPx: Math.max(width, oldWidth),
    heightPx: heightPx + Math.max(3, sizePx * GAP_ABOVE, reachOf(old, measured) + 2) + old.heightPx,
  };
}

/** Places a price block with its top left at `left`, `top`. */
export function placePrice(
  block: PriceBlock,
  left: number,
  top: number,
  width: number,
  align: Alignment,
): readonly PlacedText[] {
  const { price, oldPrice, oldPriceAt, heightPx } = block;
  const start = align === "start" ? left : left + (width - block.widthPx) / 2;
  const priceTop = top + heightPx - price.heightPx;
  if (oldPrice === null) return [placedPrice(price, start, block.widthPx, priceTop, align)];
  const over = overhangPx(oldPrice);
  if (oldPriceAt === "above") {
    const oldLeft = align === "start" ? start + over : start;
    return [
      placedPrice(price, start, block.widthPx, priceTop, align),
      struck(placeText("old_price", oldPrice, oldLeft, block.widthPx, top, align), over),
    ];
  }
  const oldLeft = start + block.widthPx - oldPrice.set.inkBox.width - over;
  return [
    placedPrice(price, start, block.widthPx, priceTop, "start"),
    struck(placeText("old_price", oldPrice, oldLeft, 0, top + heightPx - oldPrice.heightPx, "start"), over),
  ];
}

const placedPrice = (price: Measured, left: number, width: number, top: number, align: Alignment) =>
  placeText("price", price, left, width, top, align);

/** Overhang of an old price's strike-through at each end of the text. */
const overhangPx = ({ set }: Measured): number => Math.max(1, Math.round(set.fontSizePx * 0.09));

/** The ink of a text with its strike-through. */
const struck = (text: PlacedText, overhang: number): PlacedText => ({
  ...text,
  ink: { ...text.ink, x: text.ink.x - overhang, width: text.ink.width + overhang * 2 },
});

const halfPixels = (px: number): number => Math.round(px * 2) / 2;
