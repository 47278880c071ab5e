import type { JpegComponent, JpegStructure } from "./jpeg-markers.ts";
import { JPEG_COEFFICIENT_BYTES_MAX } from "./limits.ts";
import { exceedsRasterLimit, shrinkFactor, type Wanted } from "./shrink-factor.ts";

/** Size of the inverse DCT: a block of 8 × 8 coefficients becomes this many samples wide and high. */
export type DctSize = 1 | 2 | 4 | 8;

/** The scale at which a picture is decoded, and the memory it needs. */
export interface JpegPlan {
  readonly dctSize: DctSize;
  /** DCT size of each component. Subsampled components get twice the size if that saves upsampling. */
  readonly componentDctSizes: readonly DctSize[];
  /** Boxes of `factor` × `factor` pixels at that scale are averaged. */
  readonly factor: number;
  readonly width: number;
  readonly height: number;
  /** Whether coefficients are buffered until the last of several scans. */
  readonly isBuffered: boolean;
  readonly coefficientBytes: number;
}

const DOUBLE = { 1: 2, 2: 4, 4: 8, 8: 8 } as const;

/** A bit for each of a block's 64 coefficients: whether it is nonzero, which refinement scans depend on. */
const MASK_BYTES = 8;

/**
 * Picks the smallest of the scales 1/8, 1/4, 1/2 and 1/1 at which the picture is at least as large as wanted, or a
 * smaller one if the raster or the buffered coefficients would exceed their limits.
 */
export function planJpeg(jpeg: JpegStructure, wanted: Wanted): JpegPlan {
  let smaller: JpegPlan | null = null;
  for (const dctSize of [1, 2, 4, 8] as const) {
    const width = Math.ceil((jpeg.width * dctSize) / 8);
    const height = Math.ceil((jpeg.height * dctSize) / 8);
    if (smaller !== null && exceedsRasterLimit(width, height, wanted)) return smaller;
    const plan = planAt(jpeg, wanted, dctSize, width, height);
    if (smaller !== null && plan.coefficientBytes > JPEG_COEFFICIENT_BYTES_MAX) return smaller;
    if (dctSize === 8 || (width >= wanted.width && height >= wanted.height)) return plan;
    smaller = plan;
  }
  throw new Error("a DCT size of 8 ends the search");
}

function planAt(
  jpeg: JpegStructure,
  wanted: Wanted,
  dctSize: DctSize,
  reducedWidth: number,
  reducedHeight: number,
): JpegPlan {
  const factor = shrinkFactor(reducedWidth, reducedHeight, wanted);
  const isBuffered = needsAllScans(jpeg);
  const hMax = Math.max(...jpeg.components.map(({ h }) => h));
  const vMax = Math.max(...jpeg.components.map(({ v }) => v));
  const doubled = jpeg.components.map(({ h, v }) =>
    h * 2 <= hMax && v * 2 <= vMax ? DOUBLE[dctSize] : dctSize,
  );
  const plain = jpeg.components.map(() => dctSize);
  const isAffordable = coefficientBytes(jpeg, doubled) <= JPEG_COEFFICIENT_BYTES_MAX;
  const componentDctSizes = !isBuffered || isAffordable ? doubled : plain;
  return {
    dctSize,
    componentDctSizes,
    factor,
    width: Math.ceil(reducedWidth / factor),
    height: Math.ceil(reducedHeight / factor),
    isBuffered,
    coefficientBytes: isBuffered ? coefficientBytes(jpeg, componentDctSizes) : 0,
  };
}

/** A sequential picture has one scan of all components, or several. */
function needsAllScans(jpeg: JpegStructure): boolean {
  if (jpeg.coding === "progressive") return true;
  const firstScan = jpeg.segments.find(({ marker }) => marker === "SOS");
  return firstScan?.body[0] !== jpeg.components.length;
}

function coefficientBytes(jpeg: JpegStructure, dctSizes: readonly DctSize[]): number {
  const hMax = Math.max(...jpeg.components.map(({ h }) => h));
  const vMax = Math.max(...jpeg.components.map(({ v }) => v));
  const mcus = Math.ceil(jpeg.width / (8 * hMax)) * Math.ceil(jpeg.height / (8 * vMax));
  const maskBytes = jpeg.coding === "progressive" ? MASK_BYTES : 0;
  const bytesOf = ({ h, v }: JpegComponent, index: number): number => {
    const dctSize = dctSizes[index] ?? 8;
    return mcus * h * v * (dctSize * dctSize * 2 + maskBytes);
  };
  return jpeg.components.reduce((sum, component, index) => sum + bytesOf(component, index), 0);
}
