/** Sets the demo's files side by side as docs/packs.png. Run after `npm run demo`: npx node scripts/make/readme-picture.ts */
import { mkdir } from "node:fs/promises";
import sharp from "sharp";
import { runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";

const WIDTH_PX = 1600;
const MARGIN_PX = 40;
const GAP_PX = 24;
const BACKGROUND = "#f1eee6";

/** Rows of equal height across the whole width; a row's files keep their proportions. */
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

interface Placed {
  readonly input: Buffer;
  readonly left: number;
  readonly top: number;
}

async function placeRow(
  files: readonly string[],
  top: number,
): Promise<{ placed: Placed[]; height: number }> {
  const pictures = await Promise.all(
    files.map(async (file) => {
      const path = inRoot(`demo-output/${file}`);
      const { width, height } = await sharp(path).metadata();
      return { path, ratio: width / height };
    }),
  );
  const ratios = pictures.reduce((sum, { ratio }) => sum + ratio, 0);
  const height = Math.floor((WIDTH_PX - 2 * MARGIN_PX - GAP_PX * (files.length - 1)) / ratios);
  const placed: Placed[] = [];
  let left = MARGIN_PX;
  for (const { path, ratio } of pictures) {
    const width = Math.round(height * ratio);
    placed.push({ input: await sharp(path).resize(width, height).png().toBuffer(), left, top });
    left += width + GAP_PX;
  }
  return { placed, height };
}

await runScript(async () => {
  const placed: Placed[] = [];
  let top = MARGIN_PX;
  for (const row of ROWS) {
    const set = await placeRow(row, top);
    placed.push(...set.placed);
    top += set.height + GAP_PX;
  }
  await mkdir(inRoot("docs"), { recursive: true });
  const height = top - GAP_PX + MARGIN_PX;
  await sharp({ create: { width: WIDTH_PX, height, channels: 3, background: BACKGROUND } })
    .composite(placed)
    .png({ compressionLevel: 9, palette: true, quality: 90, effort: 10 })
    .toFile(inRoot("docs/packs.png"));
});
