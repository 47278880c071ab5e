/** How a preview is protected. */
export type PreviewProtection = "watermarked-lowres" | "watermarked" | "none";

/** Longest edge of a preview in pixels: enough to judge a layout, too few to publish it. */
const EDGE_PX_MAX: Readonly<Record<PreviewProtection, number>> = {
  "watermarked-lowres": 640,
  watermarked: 1080,
  none: 1080,
};

/** The size in pixels at which an output is previewed; never larger than the output. */
export function previewSizeOf(
  width: number,
  height: number,
  protection: PreviewProtection,
): { readonly width: number; readonly height: number } {
  const edge = EDGE_PX_MAX[protection];
  const longest = Math.max(width, height);
  if (longest <= edge) return { width, height };
  return {
    width: Math.max(1, Math.round((width * edge) / longest)),
    height: Math.max(1, Math.round((height * edge) / longest)),
  };
}
