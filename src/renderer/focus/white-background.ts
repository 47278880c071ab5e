import type { Raster } from "../types.ts";

/** Rim pixels whose darkest channel is at least this belong to a white background. */
const WHITE_MIN = 230;
/** Share of the rim that must be white. */
const WHITE_RIM_SHARE_MIN = 0.97;
/** Grey pixels down to this belong to the background too: they are its shadows. */
const SHADOW_MIN = 196;
const SHADOW_CHROMA_MAX = 20;
/** The photo has its own shadow when pixels of these alphas take this share of the picture. */
const OWN_SHADOW_ALPHA = { from: 10, to: 70 } as const;
const OWN_SHADOW_SHARE_MIN = 0.012;
/** Sweeps over the picture in which the background is followed around corners. */
const SWEEPS_MAX = 8;

export interface WithoutBackground {
  readonly raster: Raster;
  /** The photo shows the product's shadow, so none is drawn. */
  readonly hasOwnShadow: boolean;
}

/**
 * Takes a product off its white background, in place: the white that is connected to the rim becomes transparent and grey
 * shadows on it as dense as they are dark, so that over a light surface everything looks as if photographed on it.
 * White inside the product stays. Null, and nothing changed, when the background is not white. Takes an opaque raster.
 */
export function removeWhiteBackground(raster: Raster): WithoutBackground | null {
  if (raster.alpha !== "opaque") return null;
  const white = whiteOfEdges(raster);
  if (white === null) return null;
  const background = backgroundMask(raster);
  const { pixels } = raster;
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
  return {
    raster: { ...raster, alpha: "premultiplied" },
    hasOwnShadow: shaded > background.length * OWN_SHADOW_SHARE_MIN,
  };
}

/** A channel with the background's white as pure white. */
const levelled = (value: number, white: number): number => Math.min(255, Math.round((value * 255) / white));

/** The mean of the rim's darkest channels; null when too little of the rim is white. */
function whiteOfEdges({ width, height, pixels }: Raster): number | null {
  let white = 0;
  let sum = 0;
  let all = 0;
  const look = (x: number, y: number) => {
    const at = (y * width + x) * 4;
    const least = Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    all += 1;
    if (least < WHITE_MIN) return;
    white += 1;
    sum += least;
  };
  for (let x = 0; x < width; x += 1) {
    look(x, 0);
    look(x, height - 1);
  }
  for (let y = 1; y < height - 1; y += 1) {
    look(0, y);
    look(width - 1, y);
  }
  return white < all * WHITE_RIM_SHARE_MIN ? null : sum / white;
}

/** 1 for every pixel that whitish pixels connect with the rim, found by sweeping to and fro until nothing is new. */
function backgroundMask({ width, height, pixels }: Raster): Uint8Array {
  const background = new Uint8Array(width * height);
  const isWhitish = (i: number): boolean => {
    const at = i * 4;
    const [r, g, b] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    const least = Math.min(r, g, b);
    return least >= SHADOW_MIN && Math.max(r, g, b) - least <= SHADOW_CHROMA_MAX;
  };
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
    if (!isTouching || !isWhitish(i)) return false;
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
