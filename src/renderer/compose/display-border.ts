import { luminanceOf } from "../colour/srgb.ts";
import { paintMask } from "../raster/blend.ts";
import type { Rgb } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";

/** An edge this light, on this fraction of the rim, would merge with a white page. */
const NEAR_WHITE_LUMINANCE = 0.75;
const NEAR_WHITE_SHARE = 0.12;
/** The border is dark: visible on white pages, invisible on dark photos. */
export const BORDER: Rgb = { r: 38, g: 42, b: 48 };
export const BORDER_OPACITY = 78;

/** Whether the canvas edge is so light that ad policies require a border. */
export function needsBorderLine(canvas: Raster): boolean {
  const { width, height } = canvas;
  let light = 0;
  let all = 0;
  const look = (x: number, y: number) => {
    const at = (y * width + x) * 4;
    const [r, g, b] = [canvas.pixels[at] ?? 0, canvas.pixels[at + 1] ?? 0, canvas.pixels[at + 2] ?? 0];
    all += 1;
    if (luminanceOf(r, g, b) > NEAR_WHITE_LUMINANCE) light += 1;
  };
  for (let x = 0; x < width; x += 1) {
    look(x, 0);
    look(x, height - 1);
  }
  for (let y = 0; y < height; y += 1) {
    look(0, y);
    look(width - 1, y);
  }
  return light >= all * NEAR_WHITE_SHARE;
}

/** Draws a border `px` pixels wide over the canvas edge. */
export function drawBorder(canvas: Raster, px: number): void {
  const { width, height } = canvas;
  const line = (box: Box): void => {
    const coverage = new Uint8Array(box.width * box.height).fill(255);
    paintMask(canvas, { ...box, coverage }, BORDER, BORDER_OPACITY);
  };
  line({ x: 0, y: 0, width, height: px });
  line({ x: 0, y: height - px, width, height: px });
  line({ x: 0, y: px, width: px, height: height - px * 2 });
  line({ x: width - px, y: px, width: px, height: height - px * 2 });
}
