import type { Box, Raster, SourceRaster } from "../types.ts";
import type { Mask } from "../vector/index.ts";
import { clipBox, type Rgb } from "./canvas.ts";

/**
 * Draws `layer` (opaque or premultiplied) with its top left at whole pixel `x`, `y`, clipped to the canvas. `opacity`
 * is 0..255. The canvas may be opaque or a premultiplied layer itself.
 */
export function drawOver(canvas: Raster, layer: Raster, x: number, y: number, opacity = 255): void {
  const area = clipBox({ x, y, width: layer.width, height: layer.height }, canvas.width, canvas.height);
  if (area.width === 0) return;
  const isCopied = layer.alpha === "opaque" && opacity === 255;
  for (let row = area.y; row < area.y + area.height; row += 1) {
    const at = (row * canvas.width + area.x) * 4;
    const from = ((row - y) * layer.width + (area.x - x)) * 4;
    const over = layer.pixels.subarray(from, from + area.width * 4);
    if (isCopied) canvas.pixels.set(over, at);
    else blendRow(canvas.pixels, at, over, opacity);
  }
}

/**
 * Blends a row of pixels over those from `start` on. Most pixels are opaque or transparent, so these cases come first.
 */
function blendRow(to: Uint8ClampedArray, start: number, over: Uint8ClampedArray, opacity: number): void {
  for (let from = 0, at = start; from < over.length; from += 4, at += 4) {
    const covered = over[from + 3] ?? 0;
    if (covered === 0) continue;
    if (covered === 255 && opacity === 255) {
      let end = from + 4;
      while (over[end + 3] === 255) end += 4;
      to.set(over.subarray(from, end), at);
      at += end - from - 4;
      from = end - 4;
      continue;
    }
    const alpha = dividedBy255(covered * opacity);
    if (alpha === 0) continue;
    const rest = 255 - alpha;
    for (let channel = 0; channel < 4; channel += 1) {
      const value = dividedBy255((over[from + channel] ?? 0) * opacity);
      to[at + channel] = value + dividedBy255((to[at + channel] ?? 0) * rest);
    }
  }
}

/** Paints `colour` through a coverage mask. `opacity` is 0..255. */
export function paintMask(canvas: Raster, mask: Mask, colour: Rgb, opacity = 255): void {
  const area = clipBox(mask, canvas.width, canvas.height);
  const to = canvas.pixels;
  const { r, g, b } = colour;
  const [solidRed, solidGreen, solidBlue] = [r, g, b].map((value) => dividedBy255(value * 255));
  for (let row = area.y; row < area.y + area.height; row += 1) {
    let at = (row * canvas.width + area.x) * 4;
    const start = (row - mask.y) * mask.width + (area.x - mask.x);
    for (let source = start; source < start + area.width; source += 1, at += 4) {
      const covered = mask.coverage[source] ?? 0;
      if (covered === 0) continue;
      const alpha = opacity === 255 ? covered : dividedBy255(covered * opacity);
      if (alpha === 255) {
        to[at] = solidRed ?? 0;
        to[at + 1] = solidGreen ?? 0;
        to[at + 2] = solidBlue ?? 0;
        to[at + 3] = 255;
        continue;
      }
      const rest = 255 - alpha;
      to[at] = dividedBy255((to[at] ?? 0) * rest + r * alpha);
      to[at + 1] = dividedBy255((to[at + 1] ?? 0) * rest + g * alpha);
      to[at + 2] = dividedBy255((to[at + 2] ?? 0) * rest + b * alpha);
      to[at + 3] = dividedBy255((to[at + 3] ?? 0) * rest + 255 * alpha);
    }
  }
}

/** Fills a box with whole-pixel edges. */
export function fillBox(canvas: Raster, box: Box, colour: Rgb): void {
  const area = clipBox(box, canvas.width, canvas.height);
  for (let row = area.y; row < area.y + area.height; row += 1) {
    let at = (row * canvas.width + area.x) * 4;
    for (let column = 0; column < area.width; column += 1, at += 4) {
      canvas.pixels[at] = colour.r;
      canvas.pixels[at + 1] = colour.g;
      canvas.pixels[at + 2] = colour.b;
      canvas.pixels[at + 3] = 255;
    }
  }
}

/**
 * Clears the parts of a layer that a mask does not cover, in place: the result shares the layer's pixels. The mask's
 * position is relative to the layer's top left.
 */
export function clipToMask(layer: Raster, mask: Mask): Raster {
  const { width, height, pixels } = layer;
  for (let row = 0; row < height; row += 1) {
    const y = row - mask.y;
    for (let column = 0; column < width; column += 1) {
      const x = column - mask.x;
      const isInside = x >= 0 && y >= 0 && x < mask.width && y < mask.height;
      const covered = isInside ? (mask.coverage[y * mask.width + x] ?? 0) : 0;
      if (covered === 255) continue;
      const at = (row * width + column) * 4;
      for (let channel = at; channel < at + 4; channel += 1) {
        pixels[channel] = dividedBy255((pixels[channel] ?? 0) * covered);
      }
    }
  }
  return { ...layer, alpha: "premultiplied" };
}

/**
 * Multiplies colours by alpha, in place: the result shares the input's pixels. Resampling and blending need this form,
 * or the hidden colour of transparent pixels would bleed into visible ones.
 */
export function premultiplied<R extends SourceRaster>(raster: R): R | Raster {
  if (raster.alpha !== "straight") return raster;
  const pixels = raster.pixels;
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha === 255) continue;
    pixels[at] = dividedBy255((pixels[at] ?? 0) * alpha);
    pixels[at + 1] = dividedBy255((pixels[at + 1] ?? 0) * alpha);
    pixels[at + 2] = dividedBy255((pixels[at + 2] ?? 0) * alpha);
  }
  return { ...raster, alpha: "premultiplied" };
}

/**
 * Rounded division by 255 of a product of two bytes, exact for 0..65025 (J. Blinn, "Three wrongs make a right", 1995).
 */
export function dividedBy255(product: number): number {
  const biased = product + 128;
  return (biased + (biased >> 8)) >> 8;
}
