import { readFileSync } from "node:fs";
import sharp, { type OverlayOptions } from "sharp";
import { inRoot } from "../../scripts/local/paths.ts";
import { COLOURS, type Composition, type Words } from "./composition.ts";

/** A process that composes with sharp on one thread; see task-process.ts. */

const QUALITY = 85;
const FONT_FILE = inRoot("src/renderer/fonts/inter-display-bold.ttf");

sharp.concurrency(1);
// Without this, libvips would cache the image between rounds.
sharp.cache(false);

const whole = ({ x, y }: { readonly x: number; readonly y: number }) => ({
  left: Math.round(x),
  top: Math.round(y),
});

async function wordsLayer({ lines, fontSizePx }: Words, colour: string): Promise<Buffer> {
  const text = `<span foreground="${colour}">${lines.join("\n")}</span>`;
  const font = `Inter Display Bold ${fontSizePx}`;
  return sharp({ text: { text, font, fontfile: FONT_FILE, dpi: 72, rgba: true } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** An image, decoded once for all sizes. */
interface Decoded {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

async function compose(photo: Decoded, logo: Buffer, composition: Composition): Promise<number> {
  const { width, height, hero, hasScrim, headline, button } = composition;
  const share = photo.width / composition.photo.width;
  const shown = {
    left: Math.round(-composition.photo.x * share),
    top: Math.round(-composition.photo.y * share),
    width: Math.min(photo.width, Math.round(hero.width * share)),
    height: Math.min(photo.height, Math.round(hero.height * share)),
  };
  const heroPixels = await sharp(photo.data, {
    raw: { width: photo.width, height: photo.height, channels: 3 },
  })
    .extract(shown)
    .resize(hero.width, hero.height, { fit: "fill" })
    .raw()
    .toBuffer();
  const radius = button.height / 2;
  const shape = `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(button.width)}" height="${Math.ceil(button.height)}"><rect width="100%" height="100%" rx="${radius}" fill="${COLOURS.button}"/></svg>`;
  const scrim = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><linearGradient id="s" x2="0" y2="1"><stop stop-opacity="0"/><stop offset="1" stop-color="${COLOURS.ground}"/></linearGradient><rect width="100%" height="100%" fill="url(#s)"/></svg>`;
  const buttonWords = await wordsLayer(button, COLOURS.buttonWords);
  const { width: wordsWidth, height: wordsHeight } = await sharp(buttonWords).metadata();
  const layers: OverlayOptions[] = [
    { input: heroPixels, raw: { width: hero.width, height: hero.height, channels: 3 }, ...whole(hero) },
    ...(hasScrim ? [{ input: Buffer.from(scrim), left: 0, top: 0 }] : []),
    {
      input: await sharp(logo)
        .resize(Math.round(composition.logo.width), Math.round(composition.logo.height), { fit: "inside" })
        .png({ compressionLevel: 0 })
        .toBuffer(),
      ...whole(composition.logo),
    },
    { input: await wordsLayer(headline, COLOURS.words), ...whole(headline) },
    { input: Buffer.from(shape), ...whole(button) },
    {
      input: buttonWords,
      ...whole({
        x: button.x + (button.width - wordsWidth) / 2,
        y: button.y + (button.height - wordsHeight) / 2,
      }),
    },
  ];
  const file = await sharp({ create: { width, height, channels: 3, background: COLOURS.ground } })
    .composite(layers)
    .jpeg({ quality: QUALITY, mozjpeg: true })
    .toBuffer();
  return file.length;
}

export interface ComposeTask {
  readonly photoPath: string;
  readonly logoPath: string;
  readonly compositions: readonly Composition[];
}

async function composeAll({ photoPath, logoPath, compositions }: ComposeTask): Promise<number[]> {
  const largest = Math.ceil(Math.max(...compositions.map(({ photo }) => photo.width)));
  const { data, info } = await sharp(readFileSync(photoPath))
    .resize(largest)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const photo = { data, width: info.width, height: info.height };
  const logo = readFileSync(logoPath);
  const bytes: number[] = [];
  for (const composition of compositions) bytes.push(await compose(photo, logo, composition));
  return bytes;
}

process.on("message", (task: ComposeTask) => {
  composeAll(task).then(
    (bytes) => process.send?.({ bytes }),
    (thrown: unknown) => process.send?.({ failure: String(thrown) }),
  );
});
