/** The styles that a pack can be drawn in. `classic` is how packs are drawn that name none. */
export const LOOK_IDS = ["classic", "bold", "editorial", "minimal", "retail", "premium", "playful"] as const;
export type LookId = (typeof LOOK_IDS)[number];

/** Shapes of buttons: filled, or as a hairline around the words; `rule` is a line under the words. */
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

/** The ranked compositions of one size: 1 is the best, and what is drawn when none is named. */
export const VARIANTS = [1, 2, 3] as const;
export type Variant = (typeof VARIANTS)[number];

/**
 * How photo and words may be asked to share a size. `auto`, also when none is named: what suits the pictures best.
 * `full_bleed`: words on a photo that fills the canvas. `split`: side by side, edge to edge. `framed`: the picture inside
 * margins. `overlap`: words or a card across the picture's edge.
 */
export const COMPOSITIONS = ["auto", "full_bleed", "split", "framed", "overlap"] as const;
export type CompositionWish = (typeof COMPOSITIONS)[number];
