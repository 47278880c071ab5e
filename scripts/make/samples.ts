import { join } from "node:path";
import sharp from "sharp";

/**
 * Makes the sample pictures that derive from others: `npx node scripts/make/samples.ts`.
 * Sources are samples/dandelion.jpg and the drawings in samples/sources; results are committed.
 */

const samples = join(import.meta.dirname, "../../samples");

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

/** The phone, a cut-out too, with a part of the meadow on the upper half of its screen. */
async function drawPhone(): Promise<void> {
  const photo = await sharp(join(samples, "dandelion.jpg"))
    .extract({ left: 1700, top: 200, width: 2288, height: 2700 })
    .resize(660, 779)
    .toBuffer();
  const corners = `<svg width="660" height="779"><path d="M0 779 L0 80 Q0 0 80 0 L580 0 Q660 0 660 80 L660 779 Z"/></svg>`;
  const screen = await sharp(photo)
    .composite([{ input: Buffer.from(corners), blend: "dest-in" }])
    .png()
    .toBuffer();
  const drawing = await sharp(join(samples, "sources", "phone.svg"), { density: 72 })
    .png()
    .toBuffer();
  const overlay = `<svg width="760" height="1500">
    <linearGradient id="f" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#f7f3e9" stop-opacity="0"/><stop offset="1" stop-color="#f7f3e9"/></linearGradient>
    <rect x="50" y="640" width="660" height="180" fill="url(#f)"/>
    <rect x="285" y="52" width="190" height="54" rx="27" fill="#0c100e"/></svg>`;
  await sharp(drawing)
    .composite([
      { input: screen, left: 50, top: 40 },
      { input: Buffer.from(overlay), left: 0, top: 0 },
    ])
    .png({ compressionLevel: 9, palette: true, colours: 256, quality: 95 })
    .toFile(join(samples, "phone.png"));
}

/** The bottle as a shop photographs it: opaque, on a lit backdrop. */
async function photographBottle(): Promise<void> {
  const backdrop = `<svg width="1600" height="1600">
    <radialGradient id="wall" cx="0.42" cy="0.34" r="0.8"><stop offset="0" stop-color="#f3e6d0"/><stop offset="0.6" stop-color="#e0c9a6"/><stop offset="1" stop-color="#bf9f74"/></radialGradient>
    <linearGradient id="table" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#c9a678"/><stop offset="1" stop-color="#a98152"/></linearGradient>
    <filter id="soft" x="-50%" y="-200%" width="200%" height="500%"><feGaussianBlur stdDeviation="26"/></filter>
    <rect width="1600" height="1600" fill="url(#wall)"/><rect y="1240" width="1600" height="360" fill="url(#table)"/>
    <ellipse cx="840" cy="1406" rx="330" ry="46" fill="#4a2c0d" fill-opacity="0.55" filter="url(#soft)"/></svg>`;
  const bottle = await sharp(join(samples, "bottle.png")).resize({ height: 1280 }).toBuffer();
  await sharp(Buffer.from(backdrop))
    .composite([{ input: bottle, left: 501, top: 150 }])
    .flatten()
    .jpeg({ quality: 88, mozjpeg: true })
    .toFile(join(samples, "bottle-photo.jpg"));
}

/** The photo and the logo of the Studio's sample pack: few bytes, and large enough for each size of a new draft. */
async function shrinkForStudio(): Promise<void> {
  await sharp(join(samples, "dandelion.jpg"))
    .extract({ left: 400, top: 0, width: 4482, height: 2988 })
    .resize(2000, 1333)
    .webp({ quality: 42, effort: 6 })
    .toFile(join(samples, "studio-photo.webp"));
  await sharp(join(samples, "logo.svg"), { density: 288 })
    .resize({ width: 600 })
    .png({ compressionLevel: 9, palette: true, colours: 64 })
    .toFile(join(samples, "studio-logo.png"));
}

await shrinkForStudio();
await drawCutOut("bottle", 1500);
await drawCutOut("figure", 1500);
await turnOnItsSide();
await drawPhone();
await photographBottle();
