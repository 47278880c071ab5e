/** How a preview is protected. */
export type PreviewProtection = "watermarked-lowres" | "watermarked" | "none";

/** Longest edge of a preview in pixels: enough to judge a layout, too few to publish it. */
const EDGE_PX_MAX: Readonly<Record<PreviewProtection, number>> = {
  "watermarked-lowres": 640,
  watermarked: 1080,
  none: 1080,
};

/** What nobody has paid for is shown at no more than this share of its width and height. */
const UNPAID_SHARE_MAX = 0.7;

/** The size in pixels at which an output is previewed. */
export function previewSizeOf(
  width: number,
  height: number,
  protection: PreviewProtection,
): { readonly width: number; readonly height: number } {
  const shareMax = protection === "none" ? 1 : UNPAID_SHARE_MAX;
  const share = Math.min(shareMax, EDGE_PX_MAX[protection] / Math.max(width, height));
  return { width: scaled(width, share), height: scaled(height, share) };
}

const scaled = (edge: number, share: number): number => Math.max(1, Math.round(edge * share));
