import type { Box, Raster } from "../types.ts";
import { backgroundMask } from "./background-mask.ts";
import { trimToProduct } from "./product-extent.ts";
import { unmixEdges } from "./unmix-edges.ts";
import { whiteOfRim } from "./white-rim.ts";

/** The photo has its own shadow when pixels of these alphas take this share of the picture. */
const OWN_SHADOW_ALPHA = { from: 10, to: 70 } as const;
const OWN_SHADOW_SHARE_MIN = 0.012;
/** A picture with less of anything on it than this share is taken for empty. */
const PRODUCT_SHARE_MIN = 0.001;
/** A grey in the background this much darker than two pixels further has a hard edge, which no shadow has. */
const GREY_MAX = 236;
const HARD_EDGE_MIN = 20;
const HARD_EDGE_PX = 2;
const PRODUCT_EDGE_PX = 4;
/** Where such edges are, fainter ones close the outline of their part. */
const FAINT_MAX = 248;
const FAINT_EDGE_MIN = 8;
/** A gap in such a part, in shares of the height, that is closed. */
const GAP_SHARE_MAX = 0.05;
/** White parts are this light at this share of them; a shadow with a hard edge is darker throughout. */
const LIGHT_MIN = 236;
const LIGHT_SHARE_MIN = 0.3;
/** Edges of white parts up to this length, in square roots of the product's area, are noise. */
const HARD_EDGE_LENGTH_MAX = 2;

export interface WithoutBackground {
  readonly raster: Raster;
  /** The product with the shadow around it, in pixels. */
  readonly bounds: Box;
  /** The photo shows the product's shadow, so none is drawn. */
  readonly hasOwnShadow: boolean;
}

/**
 * Takes a product off its white background, in place: the white that is connected to the rim becomes transparent and grey
 * shadows on it as dense as they are dark, so that over a light surface everything looks as if photographed on it.
 * White inside the product and white parts of it stay, specks go. For a surface that is not light the white is taken out of the product's
 * edge too, and darker shadows go. Null, and nothing changed, when the background is not white, or for such a surface when
 * the product has white parts at its edge. Takes an opaque raster.
 */
export function removeWhiteBackground(raster: Raster, isForLight = true): WithoutBackground | null {
  if (raster.alpha !== "opaque") return null;
  const white = whiteOfRim(raster);
  if (white === null) return null;
  const background = backgroundMask(raster, !isForLight);
  const { pixels } = raster;
  const product = background.reduce((sum, value) => sum + 1 - value, 0);
  if (product < background.length * PRODUCT_SHARE_MIN) return null;
  const edges = edgesOfWhiteParts(raster, background, product);
  if (!isForLight && edges.length > 0) return null;
  if (edges.length > 0) keepWhiteParts(raster, background, edges);
  let shaded = 0;
  for (let i = 0, at = 0; i < background.length; i += 1, at += 4) {
    if (background[i] === 0) continue;
    const r = levelled(pixels[at] ?? 0, white);
    const g = levelled(pixels[at + 1] ?? 0, white);
    const b = levelled(pixels[at + 2] ?? 0, white);
    const least = Math.min(r, g, b);
    const alpha = 255 - least;
    pixels[at] = r - least;
    pixels[at + 1] = g - least;
    pixels[at + 2] = b - least;
    pixels[at + 3] = alpha;
    if (alpha >= OWN_SHADOW_ALPHA.from && alpha <= OWN_SHADOW_ALPHA.to) shaded += 1;
  }
  const free: Raster = { ...raster, alpha: "premultiplied" };
  if (!isForLight) unmixEdges(free, background);
  const bounds = trimToProduct(free);
  return {
    raster: free,
    bounds: bounds ?? { x: 0, y: 0, width: raster.width, height: raster.height },
    hasOwnShadow: shaded > background.length * OWN_SHADOW_SHARE_MIN,
  };
}

/**
 * The greys in the background with a hard edge, away from the product, as indices: edges of parts that are white
 * themselves. Empty where they are so few that they are noise.
 */
function edgesOfWhiteParts(
  { width, pixels }: Raster,
  background: Uint8Array,
  product: number,
): readonly number[] {
  const least = (i: number): number =>
    Math.min(pixels[i * 4] ?? 255, pixels[i * 4 + 1] ?? 255, pixels[i * 4 + 2] ?? 255);
  const steps = [-1, 1, -width, width];
  const edges: number[] = [];
  let hard = 0;
  for (let i = 0; i < background.length; i += 1) {
    const grey = least(i);
    if (background[i] === 0 || grey > FAINT_MAX) continue;
    // The product's own edge is mixed with white as well.
    let [edge, isAtProduct] = [0, false];
    for (const step of steps) {
      if (background[i + step * PRODUCT_EDGE_PX] === 0) isAtProduct = true;
      edge = Math.max(edge, least(i + step * HARD_EDGE_PX) - grey);
    }
    if (isAtProduct) continue;
    if (edge >= FAINT_EDGE_MIN) edges.push(i);
    if (edge >= HARD_EDGE_MIN && grey <= GREY_MAX) hard += 1;
  }
  return hard > Math.sqrt(product) * HARD_EDGE_LENGTH_MAX ? edges : [];
}

/**
 * Takes the white parts of a product out of the background, in place: what the product and the edges of its white parts
 * enclose both in its row and in its column. The outermost pixels are mixed with the background and stay in it.
 */
function keepWhiteParts({ width, height, pixels }: Raster, background: Uint8Array, edges: readonly number[]): void {
  const inside = background.map((value) => 1 - value);
  for (const i of edges) inside[i] = 1;
  const ends = { across: new Int32Array(height).fill(-1), down: new Int32Array(width).fill(-1) };
  inside.forEach((value, i) => {
    if (value === 0) return;
    ends.across[Math.floor(i / width)] = i % width;
    ends.down[i % width] = Math.floor(i / width);
  });
  const isUnder = new Uint8Array(width);
  for (let y = 0, i = 0; y < height; y += 1) {
    let isAfter = false;
    for (let x = 0; x < width; x += 1, i += 1) {
      if (inside[i] === 1) [isAfter, isUnder[x]] = [true, 1];
      else if (isAfter && isUnder[x] === 1 && x < (ends.across[y] ?? 0) && y < (ends.down[x] ?? 0)) inside[i] = 2;
    }
  }
  closeGaps(inside, width, height);
  let [enclosed, light] = [0, 0];
  for (let i = 0; i < background.length; i += 1) {
    if (inside[i] === 0 || background[i] === 0) continue;
    enclosed += 1;
    if ((pixels[i * 4 + 1] ?? 0) >= LIGHT_MIN) light += 1;
  }
  if (light < enclosed * LIGHT_SHARE_MIN) return;
  for (let i = 0; i < background.length; i += 1) {
    const isEnclosed = [i, i - 1, i + 1, i - width, i + width].every((at) => inside[at] !== 0);
    if (isEnclosed) background[i] = 0;
  }
}

/** Closes what is open between two parts of a shape in a column: beside its shadow a white part has no edge. */
function closeGaps(inside: Uint8Array, width: number, height: number): void {
  const gapMax = height * GAP_SHARE_MAX;
  for (let x = 0; x < width; x += 1) {
    let last = height;
    for (let y = 0; y < height; y += 1) {
      if (inside[y * width + x] === 0) continue;
      for (let gap = last + 1; y - last <= gapMax && gap < y; gap += 1) inside[gap * width + x] = 2;
      last = y;
    }
  }
}

/** A channel with the background's white as pure white. */
const levelled = (value: number, white: number): number => Math.min(255, Math.round((value * 255) / white));

/** What differs from white by more than the noise of a JPEG does. */
const DRAWN_MAX = 236;

/** The box of what is drawn on white, in pixels; the whole raster when nothing is. */
export function drawnOnWhite({ width, height, pixels }: Raster): Box {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      if (Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) > DRAWN_MAX) continue;
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x);
      bottom = y;
    }
  }
  if (right < 0) return { x: 0, y: 0, width, height };
  return { x: left, y: top, width: right + 1 - left, height: bottom + 1 - top };
}
