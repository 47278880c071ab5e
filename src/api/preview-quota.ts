/** The two counters of previews as plain data: their limits and counts. Times are Unix ms. */

/** How a delivered preview is protected (API §13.1). */
export const PREVIEW_PROTECTIONS = ["watermarked-lowres", "watermarked", "none"] as const;
export type PreviewProtection = (typeof PREVIEW_PROTECTIONS)[number];

/** How many previews may be rendered: for the workspace in a UTC day, for a key in a burst window. */
export interface PreviewLimits {
  readonly product: number;
  readonly burst: number;
}

export interface PreviewCounter {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetsAtMs: number;
}

export interface PreviewCounts {
  /** Shared by the workspace; reservations count as used. */
  readonly product: PreviewCounter;
  /** Of one key. */
  readonly burst: PreviewCounter;
}
