import { zlibSync } from "fflate";
import sharp from "sharp";
import { ascii, joined, u8, u16 } from "../../support/binary.ts";
import { fixtureFile } from "../../support/fixture-file.ts";
import { paintPicture } from "../../support/pictures.ts";
import { type PngHeader, pngChunk, pngFile, pngPixels } from "../../support/png-file.ts";
import { asSharp } from "../../support/sharp-reference.ts";
import type { NamedFile } from "../kinds.ts";

/** Small pictures of every kind that the decoders read. */

const WIDTH = 37;
const HEIGHT = 23;
const picture = paintPicture(WIDTH, HEIGHT);
const opaque = () => asSharp(picture).removeAlpha();
const cutOut = () =>
  asSharp({
    ...picture,
    pixels: picture.pixels.map((value, at) => (at % 4 === 3 ? (at >> 2) & 255 : value)),
  });

type Makers = Readonly<Record<string, () => Promise<Uint8Array> | Uint8Array>>;

async function made(makers: Makers): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  for (const [name, make] of Object.entries(makers)) {
    // A separate copy, because Node.js pools buffers, and an overrun would read neighbouring data.
    files.push({ name, bytes: Uint8Array.from(await make()) });
  }
  return files;
}

const plain = (bitDepth: number, colourType: number): PngHeader => ({
  width: WIDTH,
  height: HEIGHT,
  bitDepth,
  colourType,
});

const plainPng = (bitDepth: number, colourType: number, ...before: readonly Uint8Array[]): Uint8Array =>
  pngFile(plain(bitDepth, colourType), ...before, pngPixels(plain(bitDepth, colourType)));

const greyPalette = (entries: number): Uint8Array =>
  pngChunk(
    "PLTE",
    Uint8Array.from({ length: entries * 3 }, (_, at) => (at * 255) / (entries * 3)),
  );

const PNGS: Makers = {
  ...Object.fromEntries([1, 2, 4, 8, 16].map((depth) => [`grey ${depth}`, () => plainPng(depth, 0)])),
  ...Object.fromEntries(
    [1, 2, 4, 8].map((depth) => [`palette ${depth}`, () => plainPng(depth, 3, greyPalette(2 ** depth))]),
  ),
  "truecolour 8": () => plainPng(8, 2),
  "truecolour 16": () => plainPng(16, 2),
  "grey with alpha 16": () => plainPng(16, 4),
  "truecolour with alpha 16": () => plainPng(16, 6),
  "grey with a transparent level": () => plainPng(4, 0, pngChunk("tRNS", u16(7))),
  "truecolour with a transparent colour": () => plainPng(8, 2, pngChunk("tRNS", u16(0, 37, 74))),
  "palette with transparency": () => plainPng(2, 3, greyPalette(4), pngChunk("tRNS", u8(0, 128, 255))),
  "text, EXIF and pixels in parts": () => {
    const pixels = pngPixels(plain(8, 2)).subarray(8, -4);
    const exif = joined(
      ascii("II"),
      u8(42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0),
      u8(0, 0, 0, 0),
    );
    return pngFile(
      plain(8, 2),
      pngChunk("zTXt", joined(ascii("Comment"), u8(0, 0), zlibSync(ascii("words ".repeat(50))))),
      pngChunk("eXIf", exif),
      pngChunk("IDAT", pixels.subarray(0, 100)),
      pngChunk("IDAT", u8()),
      pngChunk("IDAT", pixels.subarray(100)),
    );
  },
  "Adam7 truecolour": () => opaque().png({ progressive: true }).toBuffer(),
  "Adam7 palette": () => opaque().png({ palette: true, colours: 16, progressive: true }).toBuffer(),
  "Adam7 16-bit with alpha": () => cutOut().toColourspace("rgb16").png({ progressive: true }).toBuffer(),
  "truecolour with a profile": () => opaque().withIccProfile("p3").png().toBuffer(),
};

const JPEGS: Makers = {
  "baseline 4:2:0": () => opaque().jpeg().toBuffer(),
  "baseline 4:4:4": () => opaque().jpeg({ chromaSubsampling: "4:4:4", optimiseCoding: false }).toBuffer(),
  progressive: () => opaque().jpeg({ progressive: true }).toBuffer(),
  grey: () => opaque().greyscale().jpeg().toBuffer(),
  CMYK: () => opaque().toColourspace("cmyk").jpeg().toBuffer(),
  "progressive CMYK": () => opaque().toColourspace("cmyk").jpeg({ progressive: true }).toBuffer(),
  "RST behind every MCU": () => fixtureFile("jpeg/420-rst-1-61x45.jpg"),
  "successive approximation": () => fixtureFile("jpeg/refined-420-61x45.jpg"),
  "successive approximation, with RST": () => fixtureFile("jpeg/refined-rst-61x45.jpg"),
  "not interleaved": () => fixtureFile("jpeg/not-interleaved-61x45.jpg"),
  EXIF: () => opaque().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  profile: () => opaque().withIccProfile("p3").jpeg().toBuffer(),
};

const WEBPS: Makers = {
  lossy: () => opaque().webp().toBuffer(),
  lossless: () => opaque().webp({ lossless: true }).toBuffer(),
  "lossless with alpha": () => cutOut().webp({ lossless: true }).toBuffer(),
  "lossy with alpha": () => cutOut().webp().toBuffer(),
  "lossy with a profile": () => opaque().withIccProfile("p3").webp().toBuffer(),
  "lossy with EXIF": () => opaque().withMetadata({ orientation: 6 }).webp().toBuffer(),
  "lossless of few colours": () =>
    sharp({ create: { width: 40, height: 30, channels: 3, background: "#0b5fff" } })
      .webp({ lossless: true })
      .toBuffer(),
};

export const pngSeeds = (): Promise<NamedFile[]> => made(PNGS);
export const jpegSeeds = (): Promise<NamedFile[]> => made(JPEGS);
export const webpSeeds = (): Promise<NamedFile[]> => made(WEBPS);
