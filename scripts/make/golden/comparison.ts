import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type OverlayOptions } from "sharp";
import type { Distance } from "../../../test/golden/signature.ts";
import { pageStyle } from "../../gallery/page-style.ts";

/** A new or changed golden image. */
export interface Change {
  readonly name: string;
  readonly sizeId: string;
  /** Null for a new image. */
  readonly distance: Distance | null;
  /** WebP thumbnails; `before` is null for a new image. */
  readonly before: Buffer | null;
  readonly after: Buffer;
}

const GAP_PX = 24;
const LABEL_PX = 30;

/** Writes `index.html` (self-contained) and `changes.png`: before on the left, after on the right. */
export async function writeComparison(folder: string, changes: readonly Change[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.html"), renderPage(changes));
  await writePicture(join(folder, "changes.png"), changes);
}

function renderPage(changes: readonly Change[]): string {
  const embed = (picture: Buffer | null, word: string) =>
    picture === null
      ? `<figure><figcaption>none before</figcaption></figure>`
      : `<figure><img alt="${word}" src="data:image/webp;base64,${picture.toString("base64")}"><figcaption>${word}</figcaption></figure>`;
  const rows = changes.map(
    ({ name, sizeId, distance, before, after }) => `
    <h3>${name}</h3><p>${sizeId}: ${distance === null ? "new" : `${distance.bits} bits of structure, ${distance.colour.toFixed(1)} of colour`}</p>
    <div class="files">${embed(before, "before")}${embed(after, "now")}</div>`,
  );
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Creative Packs: what changed</title><style>${pageStyle}</style></head>
  <body><h1>${changes.length} changed</h1>${rows.join("")}
  </body>
</html>
`;
}

async function writePicture(path: string, changes: readonly Change[]): Promise<void> {
  const layers: OverlayOptions[] = [];
  let y = GAP_PX;
  let width = 0;
  for (const { name, before, after } of changes) {
    const pair = before === null ? [after] : [before, after];
    const sizes = await Promise.all(pair.map((picture) => sharp(picture).metadata()));
    const label = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="${LABEL_PX}"><text y="20" font-family="DejaVu Sans, Arial, sans-serif" font-size="18" fill="#c9cdd0">${name}${before === null ? " (new)" : ": before, now"}</text></svg>`;
    layers.push({ input: Buffer.from(label), left: GAP_PX, top: y });
    let x = GAP_PX;
    for (const [at, input] of pair.entries()) {
      layers.push({ input, left: x, top: y + LABEL_PX });
      x += (sizes[at]?.width ?? 0) + GAP_PX;
    }
    width = Math.max(width, x, 600 + GAP_PX * 2);
    y += LABEL_PX + Math.max(...sizes.map((size) => size.height)) + GAP_PX;
  }
  await sharp({ create: { width, height: y, channels: 3, background: "#2b2e31" } })
    .composite(layers)
    .png()
    .toFile(path);
}
