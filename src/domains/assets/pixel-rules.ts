import { LIMITS } from "#api/limits.ts";
import type { Rejection } from "#api/schemas/asset.ts";
import { type MimeType, SLOTS, type SlotId } from "#api/slots.ts";
import { findSizeExcess, type SizeExcess } from "#renderer/decode/size-limit.ts";

export type PictureKind = "raster" | "vector" | "font";

export const kindOf = (mimeType: MimeType): PictureKind =>
  mimeType === "image/svg+xml" ? "vector" : mimeType.startsWith("image/") ? "raster" : "font";

/** A rule of a slot that a picture breaks, and its figures. */
interface SizeProblem extends Rejection {
  readonly code: "TOO_LARGE" | "TOO_SMALL";
  readonly bound: { readonly minimum?: number; readonly maximum?: number } & Partial<SizeExcess>;
}

/**
 * The first rule of API §8.2 that a picture of this size breaks, or null. The same rules hold for the size
 * that is declared and, of a raster, for the size that is found. A vector has no pixels: the least short edge is for
 * raster images and does not hold for it, and only a declared size is held to the greatest.
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
