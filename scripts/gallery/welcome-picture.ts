import { join } from "node:path";
import sharp, { type OverlayOptions } from "sharp";
import type { Drawing } from "./draw-messages.ts";

/**
 * The image of the Studio's first page: one pack in columns of tiles. It is transparent between them, for light and
 * dark themes.
 */

interface Column {
  readonly widthPx: number;
  readonly sizeIds: readonly string[];
}

/** Chosen so that all columns end near the same edge. */
const COLUMNS: readonly Column[] = [
  { widthPx: 360, sizeIds: ["meta-feed-1080x1080", "linkedin-1200x628", "gads-320x100"] },
  { widthPx: 259, sizeIds: ["demand-gen-1080x1920", "iab-300x250"] },
  { widthPx: 325, sizeIds: ["iab-970x250", "meta-feed-1080x1350", "x-800x418"] },
];
const GAP_PX = 16;
const ROUND_PX = 6;

export const WELCOME_SIZES: readonly string[] = COLUMNS.flatMap(({ sizeIds }) => sizeIds);

const corners = (width: number, height: number): Buffer =>
  Buffer.from(
    `<svg width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${ROUND_PX}"/></svg>`,
  );

/** Combines images from `folder` into one WebP file. */
export async function writeWelcomePicture(
  folder: string,
  drawings: readonly Drawing[],
  path: string,
): Promise<void> {
  const layers: OverlayOptions[] = [];
  let left = 0;
  let height = 0;
  for (const { widthPx, sizeIds } of COLUMNS) {
    let top = 0;
    for (const sizeId of sizeIds) {
      const drawing = drawings.find((one) => one.sizeId === sizeId);
      if (drawing === undefined) throw new Error(`${sizeId} was not drawn`);
      const heightPx = Math.round((widthPx * drawing.height) / drawing.width);
      const input = await sharp(join(folder, drawing.file))
        .resize(widthPx, heightPx, { fit: "fill" })
        .composite([{ input: corners(widthPx, heightPx), blend: "dest-in" }])
        .png({ compressionLevel: 1 })
        .toBuffer();
      layers.push({ input, left, top });
      top += heightPx + GAP_PX;
    }
    left += widthPx + GAP_PX;
    height = Math.max(height, top - GAP_PX);
  }
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  await sharp({ create: { width: left - GAP_PX, height, channels: 4, background } })
    .composite(layers)
    .webp({ quality: 78, effort: 6 })
    .toFile(path);
}
