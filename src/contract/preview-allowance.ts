/** The two counters of previews as plain data: what limits them and what they stand at. Times are Unix ms. */

/** How a delivered preview is protected (API §13.1). */
export const PREVIEW_PROTECTIONS = ["watermarked-lowres", "watermarked", "none"] as const;
export type PreviewProtection = (typeof PREVIEW_PROTECTIONS)[number];

/** How many previews may be drawn: by the workspace in a UTC day, by a key in a burst window. */
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
  /** Shared by the workspace; units that are reserved count as used. */
  readonly product: PreviewCounter;
  /** Of one key. */
  readonly burst: PreviewCounter;
}
