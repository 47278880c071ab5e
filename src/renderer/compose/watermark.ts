import { paintMask } from "../raster/blend.ts";
import { type FontSet, paintText, setText } from "../type/index.ts";
import type { Raster } from "../types.ts";

/** Rising by a quarter turn's third: cosine and sine of 30 degrees. */
const COSINE = 0.8660254037844386;
const SINE = 0.5;
/** Opacity 0..255 of the letters, light and dark, and of the bands behind them. */
const LIGHT = 96;
const DARK = 70;
const BAND = 26;
const WORD = "PREVIEW";

/**
 * Covers a canvas with rows of the word PREVIEW, rising at 30 degrees, light over a dark shadow so that they show
 * on any picture, on soft bands too wide for a blur to remove. Every part as large as a tile holds whole words.
 */
export function watermark(canvas: Raster, fonts: FontSet): void {
  const sizePx = Math.max(11, Math.round(Math.min(canvas.width, canvas.height) * 0.075));
  const tile = drawTile(fonts, sizePx);
  const light = new Uint8Array(canvas.width * canvas.height);
  const dark = new Uint8Array(light.length);
  const lightBands = new Uint8Array(light.length);
  const darkBands = new Uint8Array(light.length);
  const shift = Math.max(1, Math.round(sizePx * 0.05));
  for (let y = 0; y < canvas.height; y += 1) {
    for (let x = 0; x < canvas.width; x += 1) {
      const at = y * canvas.width + x;
      const along = x * COSINE - y * SINE;
      const across = x * SINE + y * COSINE;
      light[at] = sampleTile(tile, along, across);
      dark[at] = sampleTile(tile, along - shift, across - shift);
      const isLightBand = Math.floor(across / tile.height) % 2 === 0;
      lightBands[at] = isLightBand ? 255 : 0;
      darkBands[at] = isLightBand ? 0 : 255;
    }
  }
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  const white = { r: 255, g: 255, b: 255 };
  const black = { r: 0, g: 0, b: 0 };
  paintMask(canvas, { ...whole, coverage: lightBands }, white, BAND);
  paintMask(canvas, { ...whole, coverage: darkBands }, black, BAND / 2);
  paintMask(canvas, { ...whole, coverage: dark }, black, DARK);
  paintMask(canvas, { ...whole, coverage: light }, white, LIGHT);
}

interface Tile {
  readonly width: number;
  readonly height: number;
  readonly coverage: Uint8Array;
}

/** One word with its space around it, unrotated; rows two tiles apart are staggered when sampled. */
function drawTile(fonts: FontSet, sizePx: number): Tile {
  const set = setText(fonts, {
    text: WORD,
    weight: "bold",
    widthPx: sizePx * 20,
    heightPx: sizePx * 2,
    fontSizePxMax: sizePx,
    fontSizePxMin: sizePx,
    linesMax: 1,
    lineHeight: 1.2,
    letterSpacing: 0.08,
    align: "start",
  });
  if (set === null) throw new Error("the bundled fonts set the watermark");
  const width = Math.ceil(set.widthPx + sizePx * 1.4);
  const height = Math.round(sizePx * 2.1);
  const mask = paintText(set, 0, Math.round((height - set.heightPx) / 2), width, height);
  const coverage = new Uint8Array(width * height);
  for (let row = 0; row < mask.height; row += 1) {
    coverage.set(
      mask.coverage.subarray(row * mask.width, (row + 1) * mask.width),
      (mask.y + row) * width + mask.x,
    );
  }
  return { width, height, coverage };
}

/** Bilinear sample of the endless tiling; every other row starts half a tile later. */
function sampleTile(tile: Tile, along: number, across: number): number {
  const row = Math.floor(across / tile.height);
  const y = across - row * tile.height;
  const moved = along + (row % 2 === 0 ? 0 : tile.width / 2);
  const x = moved - Math.floor(moved / tile.width) * tile.width;
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const fx = x - x0;
  const fy = y - y0;
  const at = (column: number, line: number) =>
    tile.coverage[(line % tile.height) * tile.width + (column % tile.width)] ?? 0;
  const top = at(x0, y0) * (1 - fx) + at(x0 + 1, y0) * fx;
  const below = at(x0, y0 + 1) * (1 - fx) + at(x0 + 1, y0 + 1) * fx;
  return Math.round(top * (1 - fy) + below * fy);
}
