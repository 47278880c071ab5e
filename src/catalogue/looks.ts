/** Styles of a pack; `classic` is the default. */
export const LOOK_IDS = ["classic", "bold", "editorial", "minimal", "retail", "premium", "playful"] as const;
export type LookId = (typeof LOOK_IDS)[number];

/** Button shapes: filled, or outlined with a hairline; `rule` underlines the text. */
export const BUTTON_STYLES = [
  "pill",
  "soft",
  "square",
  "pill_outline",
  "soft_outline",
  "square_outline",
  "rule",
] as const;
export type ButtonStyleId = (typeof BUTTON_STYLES)[number];

/** Ranked compositions of one size: 1 is the best and the default. */
export const VARIANTS = [1, 2, 3] as const;
export type Variant = (typeof VARIANTS)[number];

/**
 * Compositions of photo and text. `auto`, the default: chosen to suit the images. `full_bleed`: text on a photo that
 * fills the canvas. `split`: side by side, edge to edge. `framed`: the image inside margins. `overlap`: text or a card
 * across the image's edge.
 */
export const COMPOSITIONS = ["auto", "full_bleed", "split", "framed", "overlap"] as const;
export type CompositionWish = (typeof COMPOSITIONS)[number];
