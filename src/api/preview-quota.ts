/** The two preview allowances as plain data. Times are Unix ms. */

/** How a preview is protected from being used as the paid file (API §13.1). */
export const PREVIEW_PROTECTIONS = ["watermarked-lowres", "watermarked", "none"] as const;
export type PreviewProtection = (typeof PREVIEW_PROTECTIONS)[number];

/** Previews that may be rendered: per workspace and UTC day, and per key and burst window. */
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
  /** Previews of a single key. */
  readonly burst: PreviewCounter;
}
