import { LIMITS } from "#api/limits.ts";
import type { Rejection } from "#api/schemas/asset.ts";
import { type MimeType, SLOTS, type SlotId } from "#api/slots.ts";
import { findSizeExcess, type SizeExcess } from "#renderer/decode/size-limit.ts";

export type PictureKind = "raster" | "vector" | "font";

export const kindOf = (mimeType: MimeType): PictureKind =>
  mimeType === "image/svg+xml" ? "vector" : mimeType.startsWith("image/") ? "raster" : "font";

/** The size rule that a picture breaks, with its numbers. */
interface SizeProblem extends Rejection {
  readonly code: "TOO_LARGE" | "TOO_SMALL";
  readonly bound: { readonly minimum?: number; readonly maximum?: number } & Partial<SizeExcess>;
}

/**
 * The first rule of API §8.2 that a picture's size breaks, or null. Applies to declared sizes, and to measured sizes of
 * rasters. The minimum short edge does not apply to SVG.
 */
export function findSizeProblem(
  slotId: SlotId,
  kind: PictureKind,
  width: number,
  height: number,
): SizeProblem | null {
  const found = findSizeExcess(width, height);
  if (found !== null) {
    const { message, excess, isEdge } = found;
    const bound = isEdge ? { maximum: LIMITS.imageEdgePxMax, ...excess } : excess;
    return { code: "TOO_LARGE", message, bound };
  }
  const { shortEdgeMinPx } = SLOTS[slotId];
  const shortEdgePx = Math.min(width, height);
  if (kind === "raster" && shortEdgeMinPx !== null && shortEdgePx < shortEdgeMinPx) {
    return {
      code: "TOO_SMALL",
      message: `The short edge is ${shortEdgePx} pixels; \`${slotId}\` needs at least ${shortEdgeMinPx}.`,
      bound: { minimum: shortEdgeMinPx },
    };
  }
  return null;
}
