/** Combines the demo's files into docs/packs.png. Run after `npm run demo`: npx node scripts/make/readme-picture.ts */
import { join } from "node:path";
import sharp from "sharp";
import { type Tile, writeOverviewSheet } from "../gallery/overview-sheet.ts";
import { runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";

const FOLDER = inRoot("demo-output");
const SHEET = { widthPx: 1_600, gapPx: 24, background: "#f1eee6", colours: 256 };

const ROWS: readonly (readonly string[])[] = [
  [
    "campaign/meta-story-1080x1920.jpg",
    "campaign/meta-feed-1080x1350.jpg",
    "product/meta-feed-1080x1350.png",
    "product/gads-300x600.png",
    "campaign/meta-feed-1080x1080.jpg",
    "campaign/iab-160x600.jpg",
  ],
  [
    "campaign/og-1200x630.jpg",
    "product/gads-336x280.png",
    "product/og-1200x630.png",
    "campaign/iab-300x250.jpg",
  ],
  ["campaign/iab-970x250.jpg", "campaign/gads-320x100.jpg", "campaign/iab-728x90.jpg"],
];

async function readTile(file: string): Promise<Tile> {
  const { width, height } = await sharp(join(FOLDER, file)).metadata();
  return { file, width, height };
}

await runScript(async () => {
  const rows = await Promise.all(ROWS.map((row) => Promise.all(row.map(readTile))));
  await writeOverviewSheet(FOLDER, rows, inRoot("docs/packs.png"), SHEET);
});
