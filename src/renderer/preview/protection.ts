/** How a preview is protected. */
export type PreviewProtection = "watermarked-lowres" | "watermarked" | "none";

/** Longest edge of a preview in pixels: enough to judge a layout, too few to publish it. */
const EDGE_PX_MAX: Readonly<Record<PreviewProtection, number>> = {
  "watermarked-lowres": 640,
  watermarked: 1080,
  none: 1080,
};

/** Unpaid outputs are shown at no more than this share of their width and height. */
const UNPAID_SHARE_MAX = 0.7;

/** The size in pixels at which an output is previewed. */
export function previewSizeOf(
  width: number,
  height: number,
  protection: PreviewProtection,
): { readonly width: number; readonly height: number } {
  const shareMax = protection === "none" ? 1 : UNPAID_SHARE_MAX;
  return scaledTo(width, height, Math.min(shareMax, EDGE_PX_MAX[protection] / Math.max(width, height)));
}

/** The size in pixels at which a finished file, which is paid for, is shown with a mark. */
export const protectedSizeOf = (width: number, height: number) =>
  scaledTo(width, height, Math.min(1, EDGE_PX_MAX.watermarked / Math.max(width, height)));

const scaledTo = (width: number, height: number, share: number) => ({
  width: scaled(width, share),
  height: scaled(height, share),
});

const scaled = (edge: number, share: number): number => Math.max(1, Math.round(edge * share));
