import { LIMITS } from "../api/limits.ts";
import type { Rejection } from "../api/schemas/asset.ts";
import { type MimeType, SLOTS, type SlotId } from "../api/slots.ts";

export type PictureKind = "raster" | "vector" | "font";

export const kindOf = (mimeType: MimeType): PictureKind =>
  mimeType === "image/svg+xml" ? "vector" : mimeType.startsWith("image/") ? "raster" : "font";

/** A rule of a slot that a picture breaks, and the bound of an edge where it is one. */
interface SizeProblem extends Rejection {
  readonly code: "TOO_LARGE" | "TOO_SMALL";
  readonly bound: { readonly minimum?: number; readonly maximum?: number };
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
  const { imageEdgePxMax, imageAreaPxMax } = LIMITS;
  if (Math.max(width, height) > imageEdgePxMax) {
    return {
      code: "TOO_LARGE",
      message: `The picture is ${width}x${height} pixels; an edge may have at most ${imageEdgePxMax}.`,
      bound: { maximum: imageEdgePxMax },
    };
  }
  if (width * height > imageAreaPxMax) {
    return {
      code: "TOO_LARGE",
      message: `The picture is ${width}x${height}, ${width * height} pixels; the limit is ${imageAreaPxMax}.`,
      bound: {},
    };
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
