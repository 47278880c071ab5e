import type { Box, Raster } from "../types.ts";

/**
 * Maximum number of cells along an edge of the grid for joining shapes. Pixels in neighbouring cells belong together.
 */
const GRID_EDGE = 192;
/** A shape with fewer cells than this fraction of the largest shape's is a speck: dust, or a stray mark. */
const SPECK_SHARE = 0.012;
/** Minimum alpha of a product's pixel; its soft shadow has less alpha. */
const SOLID_ALPHA_MIN = 96;
/**
 * A light part of the product has as little alpha as a shadow, but a hard edge: over `EDGE_PX` its alpha changes by at
 * least `HARD_EDGE_MIN`.
 */
const LIGHT_ALPHA_MIN = 22;
const HARD_EDGE_MIN = 18;
const EDGE_PX = 2;
/** Distance from the product at which its shadow has faded out, relative to the product's longer edge. */
const SHADOW_REACH = 0.09;

/**
 * The box of a product without its background, with the shadow around it, in pixels; null if empty. Works in place:
 * specks are erased, and a shadow that reaches further than the box fades out to its edge. Takes a premultiplied
 * raster.
 */
export function trimToProduct(raster: Raster): Box | null {
  const { width, height, pixels } = raster;
  const cellPx = Math.max(1, Math.ceil(Math.max(width, height) / GRID_EDGE));
  const columns = Math.ceil(width / cellPx);
  const rows = Math.ceil(height / cellPx);
  const solid = new Uint8Array(columns * rows);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / cellPx) * columns;
    for (let x = 0; x < width; x += 1) {
      if (isSolid(raster, x, y)) solid[row + Math.floor(x / cellPx)] = 1;
    }
  }
  const kept = withoutSpecks(solid, columns, rows);
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / cellPx) * columns;
    for (let x = 0; x < width; x += 1) {
      const cell = row + Math.floor(x / cellPx);
      const at = (y * width + x) * 4;
      if (solid[cell] === 0) continue;
      if (kept[cell] === 0) {
        pixels.fill(0, at, at + 4);
        continue;
      }
      if ((pixels[at + 3] ?? 0) < LIGHT_ALPHA_MIN) continue;
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x);
      bottom = y;
    }
  }
  if (right < 0) return null;
  const reach = Math.max(1, Math.round(Math.max(right - left, bottom - top) * SHADOW_REACH));
  fadeOut(raster, { x: left, y: top, width: right + 1 - left, height: bottom + 1 - top }, reach);
  return shadowedBox(raster, { x: left, y: top, width: right + 1 - left, height: bottom + 1 - top });
}

function isSolid({ width, pixels }: Raster, x: number, y: number): boolean {
  const at = (y * width + x) * 4 + 3;
  const alpha = pixels[at] ?? 0;
  if (alpha >= SOLID_ALPHA_MIN) return true;
  if (alpha < LIGHT_ALPHA_MIN) return false;
  const before = x < EDGE_PX ? alpha : (pixels[at - EDGE_PX * 4] ?? alpha);
  const after = x + EDGE_PX >= width ? alpha : (pixels[at + EDGE_PX * 4] ?? alpha);
  const above = pixels[at - EDGE_PX * width * 4] ?? alpha;
  const below = pixels[at + EDGE_PX * width * 4] ?? alpha;
  return alpha - Math.min(before, after, above, below) >= HARD_EDGE_MIN;
}

/** The cells of all shapes except specks. Union-find in two passes: each cell leads to the first cell of its shape. */
function withoutSpecks(solid: Uint8Array, columns: number, rows: number): Uint8Array {
  const parents = new Int32Array(solid.length).map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while ((parents[root] ?? root) !== root) {
      // Path halving.
      parents[root] = parents[parents[root] ?? root] ?? root;
      root = parents[root] ?? root;
    }
    return root;
  };
  const join = (one: number, other: number): void => {
    const [first, second] = [rootOf(one), rootOf(other)];
    if (first < second) parents[second] = first;
    else parents[first] = second;
  };
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      if (solid[at] === 0) continue;
      if (column > 0 && solid[at - 1] === 1) join(at, at - 1);
      if (row === 0) continue;
      for (let across = -1; across <= 1; across += 1) {
        const isInside = column + across >= 0 && column + across < columns;
        if (isInside && solid[at - columns + across] === 1) join(at, at - columns + across);
      }
    }
  }
  const sizes = new Int32Array(solid.length);
  let largest = 0;
  for (let at = 0; at < solid.length; at += 1) {
    if (solid[at] === 0) continue;
    const root = rootOf(at);
    sizes[root] = (sizes[root] ?? 0) + 1;
    largest = Math.max(largest, sizes[root] ?? 0);
  }
  return solid.map((value, at) => (value === 1 && (sizes[rootOf(at)] ?? 0) >= largest * SPECK_SHARE ? 1 : 0));
}

/** Fades pixels around the product with their distance from its box, to nothing at `reach` pixels. */
function fadeOut({ width, height, pixels }: Raster, product: Box, reach: number): void {
  for (let y = 0; y < height; y += 1) {
    const down = Math.max(product.y - y, y - product.y - product.height + 1, 0);
    for (let x = 0; x < width; x += 1) {
      const away = Math.max(product.x - x, x - product.x - product.width + 1, down);
      if (away <= 0) continue;
      const left = Math.max(0, reach - away);
      const at = (y * width + x) * 4;
      for (let channel = 0; channel < 4; channel += 1) {
        pixels[at + channel] = Math.round(((pixels[at + channel] ?? 0) * left) / reach);
      }
    }
  }
}

/** Minimum alpha of a visible shadow. */
const SEEN_ALPHA_MIN = 10;

/** The product's box, enlarged to the remaining shadow around it. */
function shadowedBox({ width, height, pixels }: Raster, product: Box): Box {
  let [left, top] = [product.x, product.y];
  let [right, bottom] = [product.x + product.width - 1, product.y + product.height - 1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((pixels[(y * width + x) * 4 + 3] ?? 0) < SEEN_ALPHA_MIN) continue;
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x);
      bottom = Math.max(bottom, y);
    }
  }
  return { x: left, y: top, width: right + 1 - left, height: bottom + 1 - top };
}
