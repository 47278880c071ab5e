import sharp from "sharp";
import { readSample } from "../../support/renderer.ts";

/** Files as people drop them. */
export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A JPEG of a photo enlarged to so many pixels. */
export async function photoOf(width: number, height: number): Promise<GivenFile> {
  const buffer = await sharp(Buffer.from(readSample("dandelion.jpg")))
    .resize(width, height, { kernel: "nearest" })
    .jpeg({ quality: 60 })
    .toBuffer();
  return { name: "holiday.jpg", mimeType: "image/jpeg", buffer };
}

/** A JPEG of so many pixels, all of one colour: made in a moment, and as large to hold as any photo. */
export async function flatPhotoOf(width: number, height: number): Promise<GivenFile> {
  const background = "#c96442";
  const buffer = await sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
  return { name: "holiday.jpg", mimeType: "image/jpeg", buffer };
}

/** A PDF that calls itself a JPEG. */
export const DISGUISED: GivenFile = {
  name: "flyer.jpg",
  mimeType: "image/jpeg",
  buffer: Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n"),
};

/** A photo whose end is missing: its header is in order. */
export const CUT_OFF: GivenFile = {
  name: "cut.jpg",
  mimeType: "image/jpeg",
  buffer: Buffer.from(readSample("dandelion.jpg").slice(0, 20_000)),
};
