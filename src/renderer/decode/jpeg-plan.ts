import type { JpegComponent, JpegStructure } from "./jpeg-markers.ts";
import { JPEG_COEFFICIENT_BYTES_MAX, RASTER_PX_MAX } from "./limits.ts";
import type { Wanted } from "./shrink.ts";
import { shrinkFactor } from "./shrink.ts";

/** Samples that an edge of a block's eight is reduced to. */
export type BlockEdge = 1 | 2 | 4 | 8;

/** How a picture is decoded at about a wanted size. */
export interface JpegPlan {
  readonly edge: BlockEdge;
  /** Of each component: halved ones keep twice as many samples instead of being enlarged. */
  readonly componentEdges: readonly BlockEdge[];
  /** By which the reduced picture is shrunk further. */
  readonly factor: number;
  readonly width: number;
  readonly height: number;
  /** Whether there is more than one scan: then coefficients are held until the last. */
  readonly isHeld: boolean;
  readonly coefficientBytes: number;
}

const DOUBLE = { 1: 2, 2: 4, 4: 8, 8: 8 } as const;

/** Room for whether each of a block's 64 coefficients is not zero, which scans that refine them ask. */
const MASK_BYTES = 8;

/**
 * The smallest of 1/8, 1/4, 1/2 and 1/1 that is at least as large as wanted, or less where the raster or the
 * coefficients that are held would pass their limits.
 */
export function planJpeg(jpeg: JpegStructure, wanted: Wanted): JpegPlan {
  let smaller: JpegPlan | null = null;
  for (const edge of [1, 2, 4, 8] as const) {
    const width = Math.ceil((jpeg.width * edge) / 8);
    const height = Math.ceil((jpeg.height * edge) / 8);
    if (smaller !== null && width * height > RASTER_PX_MAX) return smaller;
    const plan = planAt(jpeg, wanted, edge, width, height);
    if (smaller !== null && plan.coefficientBytes > JPEG_COEFFICIENT_BYTES_MAX) return smaller;
    if (edge === 8 || (width >= wanted.width && height >= wanted.height)) return plan;
    smaller = plan;
  }
  throw new Error("an edge of 8 ends the search");
}

function planAt(
  jpeg: JpegStructure,
  wanted: Wanted,
  edge: BlockEdge,
  reducedWidth: number,
  reducedHeight: number,
): JpegPlan {
  const factor = shrinkFactor(reducedWidth, reducedHeight, wanted);
  const isHeld = needsAllScans(jpeg);
  const acrossMax = Math.max(...jpeg.components.map(({ across }) => across));
  const downMax = Math.max(...jpeg.components.map(({ down }) => down));
  const doubled = jpeg.components.map(({ across, down }) =>
    across * 2 <= acrossMax && down * 2 <= downMax ? DOUBLE[edge] : edge,
  );
  const plain = jpeg.components.map(() => edge);
  const isAffordable = coefficientBytes(jpeg, doubled) <= JPEG_COEFFICIENT_BYTES_MAX;
  const componentEdges = !isHeld || isAffordable ? doubled : plain;
  return {
    edge,
    componentEdges,
    factor,
    width: Math.ceil(reducedWidth / factor),
    height: Math.ceil(reducedHeight / factor),
    isHeld,
    coefficientBytes: isHeld ? coefficientBytes(jpeg, componentEdges) : 0,
  };
}

/** Sequential pictures come in one scan, or in one for each component. */
function needsAllScans(jpeg: JpegStructure): boolean {
  if (jpeg.coding === "progressive") return true;
  const first = jpeg.segments.find(({ kind }) => kind === "scan");
  return first?.body[0] !== jpeg.components.length;
}

function coefficientBytes(jpeg: JpegStructure, edges: readonly BlockEdge[]): number {
  const acrossMax = Math.max(...jpeg.components.map(({ across }) => across));
  const downMax = Math.max(...jpeg.components.map(({ down }) => down));
  const units = Math.ceil(jpeg.width / (8 * acrossMax)) * Math.ceil(jpeg.height / (8 * downMax));
  const maskBytes = jpeg.coding === "progressive" ? MASK_BYTES : 0;
  const bytesOf = ({ across, down }: JpegComponent, index: number): number => {
    const edge = edges[index] ?? 8;
    return units * across * down * (edge * edge * 2 + maskBytes);
  };
  return jpeg.components.reduce((sum, component, index) => sum + bytesOf(component, index), 0);
}
