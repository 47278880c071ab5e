import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import sharp from "sharp";
import { SIZES } from "#catalogue/sizes.ts";
import { createRenderer } from "#renderer/index.ts";
import { fontLibrary, loadBundledFonts, loadCodecModules } from "../../test/support/node-modules.ts";
import { Failure } from "../local/failure.ts";
import type { Tile } from "./overview-sheet.ts";
import { inputsOf } from "./pack-inputs.ts";
import type { GalleryPack } from "./packs.ts";
import { pageStyle } from "./page-style.ts";

/** Animations: a page with every size and format, which is not committed, and frames for the film strips of docs/. */

const MOVING_SIZES = [
  "meta-story-1080x1920",
  "meta-feed-1080x1350",
  "meta-feed-1080x1080",
  "meta-feed-1200x628",
  "iab-300x250",
  "iab-970x250",
  "iab-728x90",
  "iab-160x600",
  "gads-300x600",
  "iab-320x50",
];
const FORMATS = ["gif", "webp", "apng", "html5", "mp4"] as const;
const LANDING = { network: "google", clickUrl: "https://example.com/" } as const;
/** Times of a strip's frames: from the first frame to the end card. */
const STRIP_MS = [0, 500, 1_000, 1_500, 2_000, 3_000];
const VARIANT = 1;

const renderer = createRenderer(await loadCodecModules(), await loadBundledFonts(), fontLibrary);
const orThrow = <T>(result: { ok: true; value: T } | { ok: false; message: string }): T => {
  if (!result.ok) throw new Failure(result.message);
  return result.value;
};
const sizesOf = (ids: readonly string[]) => SIZES.filter(({ sizeId }) => ids.includes(sizeId));

/** Writes motion.html and its files: one pack per size in every format, and a banner as its page. */
export async function writeMotionPage(folder: string, packs: readonly GalleryPack[]): Promise<void> {
  const shown: string[] = [];
  for (const [at, size] of sizesOf(MOVING_SIZES).entries()) {
    const { sizeId, width, height } = size;
    const pack = packs[at % packs.length];
    if (pack === undefined) return;
    const prepared = orThrow(await renderer.prepare(await inputsOf(pack)));
    shown.push(`<h3>${sizeId}, ${pack.look}</h3><div class="files">`);
    for (const format of FORMATS) {
      const request = { size, motion: "animated", format, landing: LANDING } as const;
      const [primary] = orThrow(await renderer.render(prepared, request)).files;
      if (primary === undefined) continue;
      const { bytes, extension, compliance } = primary;
      const name = `motion/${sizeId}.${format === "html5" ? "html5" : extension}`;
      const files = format === "html5" ? unzipSync(bytes) : { "": bytes };
      for (const [inner, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name, inner)), { recursive: true });
        await writeFile(join(folder, name, inner), content);
      }
      const box = `width="${width}" height="${height}" style="zoom:${Math.min(1, 400 / height, 700 / width)}"`;
      const element =
        format === "html5"
          ? `<iframe src="${name}/index.html" ${box}></iframe>`
          : format === "mp4"
            ? `<video src="${name}" controls muted loop ${box}></video>`
            : `<img src="${name}" alt="" ${box}>`;
      shown.push(`<figure>${element}<p>${format}, ${bytes.length} bytes, ${compliance.verdict}</p></figure>`);
    }
    shown.push("</div>");
    prepared.close();
    process.stderr.write(`motion ${sizeId}\n`);
  }
  await writeFile(
    join(folder, "motion.html"),
    `<!doctype html><meta charset="utf-8"><title>Motion</title><style>${pageStyle} iframe { border: 0 }</style>${shown.join("\n")}`,
  );
}

/** Renders an animation in one size as the tiles of a film strip, which are files in `folder`. */
export async function drawStrip(folder: string, pack: GalleryPack, sizeId: string): Promise<readonly Tile[]> {
  const [size] = sizesOf([sizeId]);
  if (size === undefined) throw new Failure(`not in the catalogue: ${sizeId}`);
  const prepared = orThrow(await renderer.prepare(await inputsOf(pack)));
  const shape = { size, widthPx: size.width, protection: "none", markSeed: 0, variant: VARIANT } as const;
  const frames = orThrow(await renderer.frames(prepared, { ...shape, motion: "animated", format: "html5" }));
  const [stepMs = 1] = frames.delaysMs;
  const tiles: Tile[] = [];
  for (const ms of STRIP_MS) {
    const { pixels, width, height } = frames.draw(
      Math.min(frames.delaysMs.length - 1, Math.round(ms / stepMs)),
    );
    const file = `${pack.look}-${sizeId}-${ms}.png`;
    await sharp(pixels, { raw: { width, height, channels: 4 } })
      .png()
      .toFile(join(folder, file));
    tiles.push({ file, width, height });
  }
  frames.close();
  prepared.close();
  return tiles;
}
