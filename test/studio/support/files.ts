import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { readSample } from "../../support/renderer.ts";

/** Typical and faulty user files. */
export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A JPEG of a photo, enlarged to this many pixels. */
export async function photoOf(width: number, height: number): Promise<GivenFile> {
  const buffer = await sharp(Buffer.from(readSample("dandelion.jpg")))
    .resize(width, height, { kernel: "nearest" })
    .jpeg({ quality: 60 })
    .toBuffer();
  return { name: "holiday.jpg", mimeType: "image/jpeg", buffer };
}

/** A single-colour JPEG of this many pixels: quick to make, and as large in memory as any photo. */
export async function flatPhotoOf(width: number, height: number, orientation = 1): Promise<GivenFile> {
  const background = "#c96442";
  const buffer = await sharp({ create: { width, height, channels: 3, background } })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer();
  return { name: "holiday.jpg", mimeType: "image/jpeg", buffer };
}

/** A logo as agencies receive it. */
export const LOGO: GivenFile = {
  name: "velo.svg",
  mimeType: "image/svg+xml",
  buffer: Buffer.from(readSample("logo.svg")),
};

/** A PDF with a JPEG's name and type. */
export const DISGUISED: GivenFile = {
  name: "flyer.jpg",
  mimeType: "image/jpeg",
  buffer: Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n"),
};

/** A truncated photo with an intact header. */
export const CUT_OFF: GivenFile = {
  name: "cut.jpg",
  mimeType: "image/jpeg",
  buffer: Buffer.from(readSample("dandelion.jpg").slice(0, 20_000)),
};

/** A photo as iPhones store it: HEVC in HEIF, Display P3. Made by the command in test/studio/files/README.md. */
export const HEIC: GivenFile = {
  name: "IMG_0042.HEIC",
  mimeType: "image/heic",
  buffer: readFileSync(join(import.meta.dirname, "../files/photo.heic")),
};

/** A web font. */
export const WEB_FONT: GivenFile = {
  name: "InterDisplay-Bold.woff2",
  mimeType: "font/woff2",
  buffer: readFileSync(
    join(import.meta.dirname, "../../../node_modules/inter-ui/display/InterDisplay-Bold.woff2"),
  ),
};

/** A logo with live text. */
export const LIVE_TEXT: GivenFile = {
  name: "logo.svg",
  mimeType: "image/svg+xml",
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><text y="16">Pappus</text></svg>',
  ),
};

/** A valid SVG that draws nothing, which only its decoder detects. */
export const INVISIBLE: GivenFile = {
  name: "invisible-logo.svg",
  mimeType: "image/svg+xml",
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><path d="M0 0h80v20H0z" fill="none"/></svg>',
  ),
};
