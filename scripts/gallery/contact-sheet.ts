import { join } from "node:path";
import sharp, { type OverlayOptions } from "sharp";
import { SIZES } from "#catalogue/sizes.ts";
import { SHAPES } from "#renderer/index.ts";
import type { Drawing, Outcome } from "./draw-messages.ts";
import { type GalleryPack, partOf, partsOf } from "./packs.ts";

/** A contact sheet is one picture of all outputs of a chapter, part by part, sorted by shape. */

export interface Shown {
  readonly pack: GalleryPack;
  readonly outcomes: readonly Outcome[];
}

const SHEET_WIDTH_PX = 2_400;
const MARGIN_PX = 36;
const GAP_PX = 18;
const LABEL_PX = 20;
const LABEL_WIDTH_PX = 72;
const HEADING_PX = 64;
/** Larger outputs are reduced to about this area, so that a story does not dwarf a banner. */
const TILE_AREA_PX = 58_000;
const TILE_WIDTH_PX_MAX = 566;
const BACKGROUND = "#2b2e31";

interface Tile {
  readonly drawing: Drawing;
  readonly width: number;
  readonly height: number;
}

interface Placed extends Tile {
  readonly x: number;
  readonly y: number;
}

/** Writes `{chapter}.png` into the folder and returns its name. */
export async function writeSheet(folder: string, chapter: string, shown: readonly Shown[]): Promise<string> {
  const layers: OverlayOptions[] = [];
  let y = MARGIN_PX;
  for (const part of partsOf(shown.map(({ pack }) => pack))) {
    const tiles = tilesOf(shown.filter(({ pack }) => partOf(pack) === part));
    if (tiles.length === 0) continue;
    layers.push({ input: caption(`${chapter}: ${part}`, 32, SHEET_WIDTH_PX), left: MARGIN_PX, top: y });
    const { placed, bottom } = placeRows(tiles, y + HEADING_PX);
    for (const tile of placed) {
      const { drawing, x, width, height } = tile;
      const input = await sharp(join(folder, drawing.file))
        .resize(width, height, { fit: "fill" })
        .png({ compressionLevel: 1 })
        .toBuffer();
      layers.push({ input, left: x, top: tile.y });
      const name = caption(`${drawing.width}×${drawing.height}`, 13, Math.max(width, LABEL_WIDTH_PX));
      layers.push({ input: name, left: x, top: tile.y + height + 3 });
    }
    y = bottom + MARGIN_PX;
  }
  const name = `${chapter}.png`;
  await sharp({ create: { width: SHEET_WIDTH_PX, height: y, channels: 3, background: BACKGROUND } })
    .composite(layers)
    .png({ compressionLevel: 7 })
    .toFile(join(folder, name));
  return name;
}

/** Every pixel size and safe area once: sizes that differ in their byte caps look alike here. */
function tilesOf(shown: readonly Shown[]): readonly Tile[] {
  const seen = new Set<string>();
  const drawings = shown
    .flatMap(({ outcomes }) => outcomes)
    .filter((outcome) => outcome.ok)
    .filter(({ width, height, sizeId }) => {
      const safe = SIZES.find((size) => size.sizeId === sizeId)?.safeArea;
      const key = JSON.stringify([width, height, safe]);
      return !seen.has(key) && seen.add(key);
    })
    .sort(
      (left, right) =>
        SHAPES.indexOf(left.shape) - SHAPES.indexOf(right.shape) ||
        left.height * right.width - right.height * left.width,
    );
  return drawings.map((drawing): Tile => {
    const { width, height } = drawing;
    const scale = Math.min(1, Math.sqrt(TILE_AREA_PX / (width * height)), TILE_WIDTH_PX_MAX / width);
    return { drawing, width: Math.round(width * scale), height: Math.round(height * scale) };
  });
}

/** Fills rows from the left; a row is as high as its highest tile. */
function placeRows(tiles: readonly Tile[], top: number): { placed: readonly Placed[]; bottom: number } {
  const placed: Placed[] = [];
  let x = MARGIN_PX;
  let y = top;
  let rowHeight = 0;
  for (const tile of tiles) {
    if (x > MARGIN_PX && x + tile.width > SHEET_WIDTH_PX - MARGIN_PX) {
      x = MARGIN_PX;
      y += rowHeight + LABEL_PX + GAP_PX;
      rowHeight = 0;
    }
    placed.push({ ...tile, x, y });
    x += Math.max(tile.width, LABEL_WIDTH_PX) + GAP_PX;
    rowHeight = Math.max(rowHeight, tile.height);
  }
  return { placed, bottom: y + rowHeight + LABEL_PX };
}

function caption(text: string, sizePx: number, width: number): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${Math.ceil(sizePx * 1.3)}">
      <text y="${sizePx}" font-family="Inter, DejaVu Sans, Arial, sans-serif" font-size="${sizePx}" fill="#c9cdd0">${text}</text></svg>`,
  );
}
