import { join } from "node:path";
import sharp from "sharp";

/**
 * Makes the sample pictures that derive from others: `node scripts/make-samples.ts`.
 * Sources are samples/dandelion.jpg and the drawings in samples/sources; results are committed.
 */

const samples = join(import.meta.dirname, "../samples");

/** A drawing as a cut-out with real transparency, at the height a shop's product shot has. */
async function drawCutOut(name: string, height: number): Promise<void> {
  await sharp(join(samples, "sources", `${name}.svg`), { density: 144 })
    .resize({ height })
    .png({ compressionLevel: 9, palette: false })
    .toFile(join(samples, `${name}.png`));
}

/** A crop stored lying on its side, with the EXIF orientation (6) that stands it up again. */
async function turnOnItsSide(): Promise<void> {
  const upright = await sharp(join(samples, "dandelion.jpg"))
    .extract({ left: 560, top: 180, width: 2000, height: 2700 })
    .resize({ height: 1600 })
    .toBuffer();
  await sharp(upright)
    .rotate(270)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 84, mozjpeg: true })
    .toFile(join(samples, "dandelion-turned.jpg"));
}

await drawCutOut("bottle", 1500);
await drawCutOut("figure", 1500);
await turnOnItsSide();
