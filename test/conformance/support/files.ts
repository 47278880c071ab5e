import { readFileSync } from "node:fs";
import sharp from "sharp";

/** Real files, drawn for the tests. */

export const LOGO_SVG = new TextEncoder().encode(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80"><rect width="80" height="80" rx="18" fill="#0b5d4e"/><circle cx="40" cy="40" r="18" fill="#f4b942"/><rect x="100" y="26" width="140" height="28" rx="14" fill="#0b5d4e"/></svg>`,
);

/** Accepted as a product; rendering finds it fully transparent. */
export const transparentProduct = (): Promise<Uint8Array> =>
  sharp({ create: { width: 300, height: 300, channels: 4, background: "#0000" } })
    .png()
    .toBuffer();

/** A photo-like image: a soft gradient, a subject, and grain from a seeded generator. */
export async function photo(width: number, height: number, format: "jpeg" | "png" | "webp" = "jpeg") {
  const pixels = new Uint8Array(width * height * 3);
  let state = 12_345;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      const grain = (state >> 16) % 12;
      const near = Math.hypot(x - width * 0.35, y - height * 0.5) < Math.min(width, height) * 0.25;
      const offset = (y * width + x) * 3;
      pixels[offset] = near ? 214 + grain : 40 + (80 * y) / height + grain;
      pixels[offset + 1] = near ? 92 + grain : 96 + (60 * x) / width + grain;
      pixels[offset + 2] = near ? 48 + grain : 140 + grain;
    }
  }
  const image = sharp(pixels, { raw: { width, height, channels: 3 } });
  return new Uint8Array(await image.toFormat(format).toBuffer());
}

/** A cut-out: an opaque shape on transparency. */
export async function cutOut(width: number, height: number) {
  const shape = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><ellipse cx="${width / 2}" cy="${height / 2}" rx="${width * 0.3}" ry="${height * 0.45}" fill="#c2452d"/></svg>`;
  return new Uint8Array(await sharp(Buffer.from(shape)).png().toBuffer());
}

export const font = (): Uint8Array => new Uint8Array(readFileSync("src/renderer/fonts/inter-medium.ttf"));
