import sharp, { type Sharp } from "sharp";

/**
 * Images that are the most expensive to decode and encode: noise, as close to the maximum upload as each format allows.
 */
export interface WorstPicture {
  readonly title: string;
  readonly mimeType: "image/jpeg" | "image/png" | "image/webp";
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Recipe extends Pick<WorstPicture, "title" | "mimeType"> {
  /** Width of a cell of one colour in pixels. */
  readonly cellPx: number;
  readonly levels: number;
  readonly channels: 1 | 3 | 4;
  readonly write: (picture: Sharp) => Sharp;
}

const WIDTH = 8000;
const HEIGHT = 6000;

const RECIPES: readonly Recipe[] = [
  {
    title: "48 MP lossy WebP of noise",
    mimeType: "image/webp",
    cellPx: 1,
    levels: 256,
    channels: 3,
    write: (picture) => picture.webp({ quality: 20, effort: 0 }),
  },
  {
    title: "48 MP lossless WebP of cells",
    mimeType: "image/webp",
    cellPx: 6,
    levels: 256,
    channels: 3,
    write: (picture) => picture.webp({ lossless: true, effort: 0 }),
  },
  {
    ...{
      title: "48 MP progressive JPEG of noise",
      mimeType: "image/jpeg",
      cellPx: 1,
      levels: 256,
      channels: 3,
    },
    write: (picture) => picture.jpeg({ quality: 30, progressive: true, chromaSubsampling: "4:4:4" }),
  },
  {
    ...{
      title: "48 MP interlaced PNG of 16 bits",
      mimeType: "image/png",
      cellPx: 24,
      levels: 256,
      channels: 4,
    },
    write: (picture) => picture.toColourspace("rgb16").png({ compressionLevel: 6, progressive: true }),
  },
];

/** A linear congruential generator: the same noise on every machine. */
function noise({ cellPx, levels, channels }: Recipe): Uint8Array {
  const across = Math.ceil(WIDTH / cellPx);
  const cells = new Uint8Array(across * Math.ceil(HEIGHT / cellPx) * channels);
  let state = 1;
  for (let at = 0; at < cells.length; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    cells[at] = ((state >>> 24) % levels) * (256 / levels);
  }
  if (cellPx === 1) return cells;
  const pixels = new Uint8Array(WIDTH * HEIGHT * channels);
  for (let y = 0, to = 0; y < HEIGHT; y += 1) {
    const row = Math.floor(y / cellPx) * across;
    for (let x = 0; x < WIDTH; x += 1) {
      const from = (row + Math.floor(x / cellPx)) * channels;
      for (let channel = 0; channel < channels; channel += 1, to += 1)
        pixels[to] = cells[from + channel] ?? 0;
    }
  }
  return pixels;
}

/** Creates one image at a time, because each needs several hundred megabytes. */
export async function* worstPictures(): AsyncGenerator<WorstPicture> {
  for (const recipe of RECIPES) {
    const raw = { width: WIDTH, height: HEIGHT, channels: recipe.channels };
    const bytes = Uint8Array.from(await recipe.write(sharp(noise(recipe), { raw })).toBuffer());
    yield { title: recipe.title, mimeType: recipe.mimeType, width: WIDTH, height: HEIGHT, bytes };
  }
}
