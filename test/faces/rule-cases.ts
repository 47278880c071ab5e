import type { Copy } from "#renderer/index.ts";

/** One catalogue size of every shape. */
export const RULE_SIZES = [
  "meta-feed-1080x1080",
  "iab-300x250",
  "meta-feed-1200x628",
  "iab-728x90",
  "iab-160x600",
  "meta-story-1080x1920",
  "meta-feed-1080x1350",
  "iab-970x250",
  "iab-320x50",
] as const;

/** Little text, as much text as a brand may want, and an offer with its price and badge. */
export const COPIES = {
  short: { headline: "Stay a while", cta: "Book now" },
  long: {
    headline: "Fourteen quiet houses by the sea, open all year",
    subheadline: "Wake up to the tide. Breakfast comes with the boat, and there is no reception to pass.",
    cta: "See all houses",
    disclaimer: "From two nights. Prices per house and night, cleaning included.",
  },
  offer: {
    headline: "The last warm week",
    price: "€ 89",
    oldPrice: "€ 129",
    badge: "−30 %",
    cta: "Book now",
  },
} satisfies Record<string, Copy>;
export const COPY_NAMES = ["short", "long", "offer"] as const;

/** Pictures of quick runs: a dark face, small faces and a group. */
export const QUICK_PICTURES = ["img/charles.jpg", "img/toa-heftiba.jpg", "demo/sample3.jpg"] as const;
export const QUICK_SIZES = ["iab-300x250", "iab-728x90", "iab-160x600"] as const;
