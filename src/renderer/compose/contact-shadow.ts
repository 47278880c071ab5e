import { blurred } from "../raster/blur.ts";
import type { Box, Raster } from "../types.ts";
import type { Mask } from "../vector/index.ts";

/** A shadow's coverage, and its opacity 0..255. */
export interface Shadow {
  readonly mask: Mask;
  readonly opacity: number;
}

/** From this alpha on a pixel of a cut-out touches the floor. */
const SOLID_ALPHA_MIN = 128;
/** Half the thickness of the line where a product touches, as shares of its width and of its shorter side. */
const THICKNESS = { ofWidth: 0.02, ofShort: 0.03 };

/**
 * The three layers of a contact shadow. `thickness` and `blur` are factors of the contact's thickness. A part of the
 * product that is `reach` of its height over the floor casts no shadow. `across`: light comes from the upper left, so a
 * soft layer falls this share of the product's width to the right.
 */
const LAYERS = [
  { thickness: 6, blur: 4.2, reach: 0.3, across: 0.05, opacity: 78 },
  { thickness: 2.4, blur: 1.7, reach: 0.12, across: 0.018, opacity: 110 },
  { thickness: 0.9, blur: 0.5, reach: 0.02, across: 0, opacity: 165 },
] as const;

/**
 * The shadow of a cut-out on the floor under it, in the shape of its footprint: dense and thin where it touches, as under
 * each wheel of a car, and softer the higher the part over it is.
 */
export function contactShadow(drawn: Raster, box: Box, canvas: Box): readonly Shadow[] {
  const lifts = liftsOf(drawn);
  const short = Math.min(drawn.width, drawn.height);
  const touch = Math.max(1, Math.min(drawn.width * THICKNESS.ofWidth, short * THICKNESS.ofShort));
  const floor = box.y + box.height - touch * 0.5;
  return LAYERS.map(({ thickness, blur, reach, across, opacity }) => {
    const half = Math.max(1, touch * thickness);
    const rows = Math.ceil(half) * 2 + 1;
    const coverage = new Uint8Array(drawn.width * rows);
    const reachPx = Math.max(2, drawn.height * reach);
    for (let row = 0; row < rows; row += 1) {
      const down = (row - (rows - 1) / 2) / (half + 1);
      const dense = 255 * (1 - down * down);
      for (let x = 0; x < drawn.width; x += 1) {
        const near = 1 - (lifts[x] ?? drawn.height) / reachPx;
        if (near > 0) coverage[row * drawn.width + x] = dense * near;
      }
    }
    const x = box.x + Math.round(drawn.width * across);
    const mask: Mask = { x, y: Math.round(floor - rows / 2), width: drawn.width, height: rows, coverage };
    return { mask: blurred(mask, Math.max(0.8, touch * blur), canvas), opacity };
  });
}

/** How far over the floor a cut-out's lowest pixel is in each column, in pixels. */
function liftsOf({ width, height, pixels }: Raster): Uint16Array {
  const lifts = new Uint16Array(width).fill(height);
  for (let x = 0; x < width; x += 1) {
    let lift = 0;
    while (lift < height && (pixels[((height - 1 - lift) * width + x) * 4 + 3] ?? 0) < SOLID_ALPHA_MIN)
      lift += 1;
    lifts[x] = lift;
  }
  return lifts;
}
