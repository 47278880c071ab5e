import { join } from "node:path";
import sharp, { type OverlayOptions } from "sharp";
import type { Drawing } from "./draw-messages.ts";

/** Combines outputs on a small sheet. Each row fills the sheet's width with tiles of equal height. */

/** Sizes of each row, from the top, chosen so that no tile is enlarged. */
export const OVERVIEW_ROWS: readonly (readonly string[])[] = [
  ["iab-970x250", "iab-300x250"],
  ["linkedin-1200x628", "meta-feed-1080x1080", "meta-feed-1080x1350", "demand-gen-1080x1920"],
  ["gads-980x120", "amazon-414x125"],
  ["x-800x418", "gads-240x400", "gads-300x600", "gads-160x600", "gads-120x600"],
];

/** A tile of a sheet: an output, or any file of a known size. */
export type Tile = Pick<Drawing, "file" | "width" | "height">;

const SHEET = {
  widthPx: 1_160,
  gapPx: 12,
  background: "#eceeef",
  /** Colours of the palette: few enough to keep a sheet with photos under 600 KB, with dithering against banding. */
  colours: 144,
};

/** The outputs of one pack, arranged in `OVERVIEW_ROWS`. */
export const overviewRows = (drawings: readonly Drawing[]): readonly (readonly Drawing[])[] =>
  OVERVIEW_ROWS.map((row) => row.map((sizeId) => drawingOf(drawings, sizeId)));

/** Some sizes of several packs, with `columns` packs side by side. */
export const comparedRows = (
  packs: readonly (readonly Drawing[])[],
  sizeIds: readonly string[],
  columns: number,
): readonly (readonly Drawing[])[] =>
  Array.from({ length: Math.ceil(packs.length / columns) }, (_, at) =>
    packs.slice(at * columns, (at + 1) * columns),
  ).flatMap((group) => sizeIds.map((sizeId) => group.map((drawings) => drawingOf(drawings, sizeId))));

function drawingOf(drawings: readonly Drawing[], sizeId: string): Drawing {
  const drawing = drawings.find((one) => one.sizeId === sizeId);
  if (drawing === undefined) throw new Error(`${sizeId} was not drawn`);
  return drawing;
}

/** Writes rows of tiles from `folder` as a PNG. */
export async function writeOverviewSheet(
  folder: string,
  rows: readonly (readonly Tile[])[],
  path: string,
  sheet: Readonly<typeof SHEET> = SHEET,
): Promise<void> {
  const { widthPx: sheetWidthPx, gapPx, background, colours } = sheet;
  const layers: OverlayOptions[] = [];
  let y = gapPx;
  for (const row of rows) {
    const aspects = row.reduce((sum, { width, height }) => sum + width / height, 0);
    const heightPx = Math.floor((sheetWidthPx - gapPx * (row.length + 1)) / aspects);
    let x = gapPx;
    for (const [at, { file, width, height }] of row.entries()) {
      // The rounding error is added to the last tile, so that all rows end at the same edge.
      const isLast = at === row.length - 1;
      const widthPx = isLast ? sheetWidthPx - gapPx - x : Math.round((width / height) * heightPx);
      const input = await sharp(join(folder, file))
        .resize(widthPx, heightPx, { fit: "fill" })
        .png({ compressionLevel: 1 })
        .toBuffer();
      layers.push({ input, left: x, top: y });
      x += widthPx + gapPx;
    }
    y += heightPx + gapPx;
  }
  await sharp({ create: { width: sheetWidthPx, height: y, channels: 3, background } })
    .composite(layers)
    .png({ palette: true, colours, dither: 0.8, effort: 10, compressionLevel: 9 })
    .toFile(path);
}
