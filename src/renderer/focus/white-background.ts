import type { Box, Raster } from "../types.ts";
import { trimToProduct } from "./product-extent.ts";
import { unmixEdges } from "./unmix-edges.ts";
import { whiteOfRim } from "./white-rim.ts";

/** The photo has its own shadow if at least this fraction of the picture has alphas in this range. */
const OWN_SHADOW_ALPHA = { from: 10, to: 70 } as const;
const OWN_SHADOW_SHARE_MIN = 0.012;
/** A picture with less foreground than this fraction is empty. */
const PRODUCT_SHARE_MIN = 0.001;
/**
 * A grey in the background that is `HARD_EDGE_MIN` darker than a pixel `HARD_EDGE_PX` away has a hard edge, which no
 * shadow has.
 */
const GREY_MAX = 236;
const HARD_EDGE_MIN = 20;
const HARD_EDGE_PX = 2;
const PRODUCT_EDGE_PX = 4;
/** Beside hard edges, fainter edges complete the outline of a white part. */
const FAINT_MAX = 248;
const FAINT_EDGE_MIN = 8;
/**
 * Height of the bands of rows handled together, and maximum width of a gap to close, as a fraction of the picture's
 * edge.
 */
const BAND_SHARE = 0.05;
/**
 * At least `LIGHT_SHARE_MIN` of a white part has a green of `LIGHT_MIN` or more; a shadow with a hard edge is darker.
 */
const LIGHT_MIN = 222;
const LIGHT_SHARE_MIN = 0.3;
/** Hard edges of up to this total length, as a multiple of the square root of the product's area, are noise. */
const HARD_EDGE_LENGTH_MAX = 2;

export interface WithoutBackground {
  readonly raster: Raster;
  /** The product with the shadow around it, in pixels. */
  readonly bounds: Box;
  /** Whether the photo shows the product's shadow, so that none is drawn. */
  readonly hasOwnShadow: boolean;
}

/**
 * Removes a product's white background, in place: white connected to the rim becomes transparent, and soft shadows
 * become black, with an alpha equal to their darkness. White inside the product and white parts of it stay, specks are
 * removed, and its edge loses the white mixed into it. Null, with nothing changed, if the background is not white
 * or the picture is empty. Takes an opaque raster.
 */
export function removeWhiteBackground(raster: Raster): WithoutBackground | null {
  if (raster.alpha !== "opaque") return null;
  const white = whiteOfRim(raster);
  if (white === null) return null;
  const background = backgroundMask(raster);
  const { pixels } = raster;
  const product = background.reduce((sum, value) => sum + 1 - value, 0);
  if (product < background.length * PRODUCT_SHARE_MIN) return null;
  const outline = outlineOfWhiteParts(raster, background, product);
  if (outline !== null) keepWhiteParts(raster, background, outline);
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
  unmixEdges(free, background);
  const bounds = trimToProduct(free);
  return {
    raster: free,
    bounds: bounds ?? { x: 0, y: 0, width: raster.width, height: raster.height },
    hasOwnShadow: shaded > background.length * OWN_SHADOW_SHARE_MIN,
  };
}

/**
 * 1 for the pixels of a product, and for greys in the background with an edge away from the product: these outline its
 * white parts. Null if there are so few hard edges that they are noise.
 */
function outlineOfWhiteParts(
  { width, pixels }: Raster,
  background: Uint8Array,
  product: number,
): Uint8Array | null {
  const least = (i: number): number =>
    Math.min(pixels[i * 4] ?? 255, pixels[i * 4 + 1] ?? 255, pixels[i * 4 + 2] ?? 255);
  const steps = [-1, 1, -width, width];
  const outline = background.map((value) => 1 - value);
  let hard = 0;
  for (let i = 0; i < background.length; i += 1) {
    const grey = least(i);
    if (background[i] === 0 || grey > FAINT_MAX) continue;
    // Skip the product's own edge, which is mixed with white as well.
    let [edge, isAtProduct] = [0, false];
    for (const step of steps) {
      if (background[i + step * PRODUCT_EDGE_PX] === 0) isAtProduct = true;
      edge = Math.max(edge, least(i + step * HARD_EDGE_PX) - grey);
    }
    if (isAtProduct) continue;
    if (edge >= FAINT_EDGE_MIN) outline[i] = 1;
    if (edge >= HARD_EDGE_MIN && grey <= GREY_MAX) hard += 1;
  }
  return hard > Math.sqrt(product) * HARD_EDGE_LENGTH_MAX ? outline : null;
}

/**
 * Keeps the white parts of a product out of the background, in place: pixels that their outline encloses both across
 * and down. The outermost pixels are mixed with the background and stay in it.
 */
function keepWhiteParts(
  { width, height, pixels }: Raster,
  background: Uint8Array,
  outline: Uint8Array,
): void {
  // A part has no edge beside its shadow, so use the edges of nearby rows.
  const bandPx = Math.ceil(height * BAND_SHARE);
  const across = extents(Math.ceil(height / bandPx));
  const down = extents(width);
  outline.forEach((value, i) => {
    if (value === 0) return;
    widen(across, Math.floor(i / width / bandPx), i % width);
    widen(down, i % width, Math.floor(i / width));
  });
  const isInside = (i: number): boolean =>
    isWithin(across, Math.floor(i / width / bandPx), i % width) &&
    isWithin(down, i % width, Math.floor(i / width));
  const isEnclosed = (i: number): boolean =>
    isInside(i) && isInside(i - 1) && isInside(i + 1) && isInside(i - width) && isInside(i + width);
  let [enclosed, light] = [0, 0];
  for (let i = width; i < background.length - width; i += 1) {
    if (background[i] === 0 || !isEnclosed(i)) continue;
    enclosed += 1;
    if ((pixels[i * 4 + 1] ?? 0) >= LIGHT_MIN) light += 1;
  }
  if (light < enclosed * LIGHT_SHARE_MIN) return;
  for (let i = width; i < background.length - width; i += 1) if (isEnclosed(i)) background[i] = 0;
  closeGaps(background, width);
}

/** Closes short gaps between two parts of a product in a row, in place. */
function closeGaps(background: Uint8Array, width: number): void {
  let last = -width;
  for (let i = 0; i < background.length; i += 1) {
    if (background[i] === 1) continue;
    const isGap = i - last <= width * BAND_SHARE && i % width > last % width;
    if (isGap) background.fill(0, last, i);
    last = i;
  }
}

/** The first and the last position of the outline in each line. */
interface Extents {
  readonly first: Int32Array;
  readonly last: Int32Array;
}

const extents = (lines: number): Extents => ({
  first: new Int32Array(lines).fill(0x7fffffff),
  last: new Int32Array(lines).fill(-1),
});

function widen({ first, last }: Extents, line: number, at: number): void {
  first[line] = Math.min(first[line] ?? at, at);
  last[line] = Math.max(last[line] ?? at, at);
}

const isWithin = ({ first, last }: Extents, line: number, at: number): boolean =>
  at > (first[line] ?? at) && at < (last[line] ?? at);

/** A channel scaled so that the background's white is pure white. */
const levelled = (value: number, white: number): number => Math.min(255, Math.round((value * 255) / white));

/** Grey pixels of at least this level are shadows, and belong to the background. */
const SHADOW_MIN = 196;
const SHADOW_CHROMA_MAX = 20;
/** A shadow continues down to this level, while neighbouring pixels differ by at most `SHADOW_STEP_MAX`. */
const DEEP_SHADOW_MIN = 84;
const DEEP_SHADOW_CHROMA_MAX = 14;
const SHADOW_STEP_MAX = 6;
/** Maximum number of sweeps over the picture, which follow the background around corners. */
const SWEEPS_MAX = 8;

/**
 * 1 for every pixel connected to the rim by whitish pixels and soft shadows, found by sweeping back and forth until
 * nothing changes. Takes an opaque raster.
 */
function backgroundMask({ width, height, pixels }: Raster): Uint8Array {
  const background = new Uint8Array(width * height);
  const least = (i: number): number =>
    Math.min(pixels[i * 4] ?? 0, pixels[i * 4 + 1] ?? 0, pixels[i * 4 + 2] ?? 0);
  const chromaOf = (i: number): number =>
    Math.max(pixels[i * 4] ?? 0, pixels[i * 4 + 1] ?? 0, pixels[i * 4 + 2] ?? 0) - least(i);
  const isFollowed = (darkest: number, from: number): boolean =>
    background[from] === 1 && Math.abs(least(from) - darkest) <= SHADOW_STEP_MAX;
  const isDeepShadow = (i: number, darkest: number): boolean =>
    darkest >= DEEP_SHADOW_MIN &&
    chromaOf(i) <= DEEP_SHADOW_CHROMA_MAX &&
    (isFollowed(darkest, i - 1) ||
      isFollowed(darkest, i + 1) ||
      isFollowed(darkest, i - width) ||
      isFollowed(darkest, i + width));
  const visit = (x: number, y: number): boolean => {
    const i = y * width + x;
    if (background[i] === 1) return false;
    const isTouching =
      x === 0 ||
      y === 0 ||
      x === width - 1 ||
      y === height - 1 ||
      background[i - 1] === 1 ||
      background[i + 1] === 1 ||
      background[i - width] === 1 ||
      background[i + width] === 1;
    if (!isTouching) return false;
    const darkest = least(i);
    const isWhitish = darkest >= SHADOW_MIN && chromaOf(i) <= SHADOW_CHROMA_MAX;
    if (!isWhitish && !isDeepShadow(i, darkest)) return false;
    background[i] = 1;
    return true;
  };
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    let isNew = false;
    const isDown = sweep % 2 === 0;
    for (let row = 0; row < height; row += 1) {
      const y = isDown ? row : height - 1 - row;
      for (let x = 0; x < width; x += 1) isNew = visit(x, y) || isNew;
      for (let x = width - 1; x >= 0; x -= 1) isNew = visit(x, y) || isNew;
    }
    if (!isNew) break;
  }
  return background;
}
