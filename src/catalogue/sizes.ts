import { HOUSE_ANIMATION } from "./animation-rules.ts";
import { NETWORK_ROWS, type NetworkRow } from "./network-rows.ts";
import type { SafeArea, Size } from "./types.ts";

/** Insets are rounded up: a pixel that is partly reserved is reserved. */
const inPixels = (shares: SafeArea, width: number, height: number): SafeArea => ({
  top: Math.ceil(shares.top * height),
  right: Math.ceil(shares.right * width),
  bottom: Math.ceil(shares.bottom * height),
  left: Math.ceil(shares.left * width),
});

function sizeOf(row: NetworkRow, dimensions: string): Size {
  const [width, height] = dimensions.split("x").map(Number);
  if (width === undefined || height === undefined) throw new Error(`not a size: ${dimensions}`);
  const isDisplay = row.display === true;
  return {
    sizeId: `${row.group}-${dimensions}`,
    group: row.group,
    width,
    height,
    byteCap: row.byteCap,
    byteCapSourceId: row.byteCap === null ? null : (row.byteCapSourceId ?? row.sourceId),
    safeArea: row.safe === undefined ? null : inPixels(row.safe.area, width, height),
    safeAreaSourceId: row.safe?.sourceId ?? null,
    needsBorder: isDisplay,
    borderSourceId: isDisplay ? "google-studio" : null,
    animation: row.animation ?? HOUSE_ANIMATION,
    acceptedFormats: row.formats,
    sourceIds: [row.sourceId],
  };
}

/** Every size the catalogue knows, network by network. */
export const SIZES: readonly Size[] = NETWORK_ROWS.flatMap((row) =>
  row.sizes.map((dimensions) => sizeOf(row, dimensions)),
);
