/** The styles that a pack can be drawn in. `classic` is how packs are drawn that name none. */
export const LOOK_IDS = ["classic", "bold", "editorial", "minimal", "retail", "premium", "playful"] as const;
export type LookId = (typeof LOOK_IDS)[number];

/** The ranked compositions of one size: 1 is the best, and what is drawn when none is named. */
export const VARIANTS = [1, 2, 3] as const;
export type Variant = (typeof VARIANTS)[number];
