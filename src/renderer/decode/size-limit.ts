import { AREA_PX_MAX, EDGE_PX_MAX } from "./limits.ts";

export { REDUCIBLE_PX_MAX } from "./limits.ts";

/** A picture larger than the service accepts, and the largest accepted size of its shape. */
export interface SizeExcess {
  readonly pixels: number;
  readonly limit: number;
  readonly largest: { readonly width: number; readonly height: number };
}

/** The reason why a picture is too large, as a message and as numbers for programs; null if it is not too large. */
export function findSizeExcess(
  width: number,
  height: number,
): { readonly message: string; readonly excess: SizeExcess; readonly isEdge: boolean } | null {
  const pixels = width * height;
  const isEdge = Math.max(width, height) > EDGE_PX_MAX;
  if (!isEdge && pixels <= AREA_PX_MAX) return null;
  const largest = largestOfShape(width, height);
  const rule = isEdge ? `an edge may have at most ${EDGE_PX_MAX}` : `at most ${AREA_PX_MAX} are accepted`;
  return {
    message:
      `The picture is ${width}x${height}, ${pixels} pixels; ${rule}. ` +
      `The largest size of this shape is ${largest.width}x${largest.height}.`,
    excess: { pixels, limit: AREA_PX_MAX, largest },
    isEdge,
  };
}

/** The short edge is rounded down, so the area never exceeds the limit. */
function largestOfShape(width: number, height: number): SizeExcess["largest"] {
  const [long, short] = width > height ? [width, height] : [height, width];
  const longest = Math.min(EDGE_PX_MAX, Math.floor(Math.sqrt((AREA_PX_MAX * long) / short)));
  const shortest = Math.max(1, Math.floor((longest * short) / long));
  return width > height ? { width: longest, height: shortest } : { width: shortest, height: longest };
}
