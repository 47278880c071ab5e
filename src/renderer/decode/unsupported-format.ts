/** A common file format that no slot accepts. */
export interface UnsupportedFormat {
  readonly name: string;
  readonly mediaTypes: readonly string[];
  /** Advice on what to send instead, as a sentence. */
  readonly remedy: string;
}

interface Row extends UnsupportedFormat {
  /** Matches the first bytes, as one character per byte. */
  readonly start: RegExp;
}

/** Number of bytes at the start of a file that identify its format. They include the brands of an ISO media file. */
const START_BYTES = 64;

const row = (name: string, start: RegExp, mediaTypes: string, remedy: string): Row => ({
  name,
  start,
  mediaTypes: mediaTypes.split(" "),
  remedy,
});

/**
 * AVIF comes before HEIC, because its main brand may also be `mif1` (ISO/IEC 23008-12, B.4; AV1 Image File Format, 6).
 */
const ROWS: readonly Row[] = [
  row(
    "AVIF",
    /^.{4}ftyp(....)*?avi[fs]/s,
    "image/avif image/avif-sequence",
    "Export it as JPEG or WebP; with transparency as PNG.",
  ),
  row(
    "HEIC",
    /^.{4}ftyp(hei[cxms]|hev[cxms]|mif1|msf1)/s,
    "image/heic image/heif image/heic-sequence image/heif-sequence",
    "Export it as JPEG; an iPhone takes JPEG with Settings, Camera, Formats, Most Compatible.",
  ),
  row("GIF", /^GIF8[79]a/, "image/gif", "Export one frame of it as PNG."),
  row("PDF", /^%PDF-/, "application/pdf", "Export the page as PNG, or a logo as SVG."),
  row(
    "Photoshop",
    /^8BPS/,
    "image/vnd.adobe.photoshop image/x-photoshop application/x-photoshop application/photoshop",
    "Export it from Photoshop as PNG or JPEG.",
  ),
  row("TIFF", /^(II\*\0|MM\0\*)/, "image/tiff", "Export it as PNG or JPEG."),
  row("BMP", /^BM/, "image/bmp image/x-ms-bmp", "Export it as PNG."),
  row(
    "WOFF",
    /^wOFF/,
    "font/woff application/font-woff application/x-font-woff",
    "Send the font as TTF or OTF, from which it was made.",
  ),
  row(
    "WOFF2",
    /^wOF2/,
    "font/woff2 application/font-woff2",
    "Send the font as TTF or OTF, from which it was made.",
  ),
  row("ZIP", /^PK\W/, "application/zip", "Unpack it and send the file that is in it."),
];

/** The unsupported format of a file, by its first bytes; null if unknown. */
export function detectUnsupportedFormat(bytes: Uint8Array): UnsupportedFormat | null {
  const start = String.fromCharCode(...bytes.subarray(0, START_BYTES));
  return ROWS.find((known) => known.start.test(start)) ?? null;
}

/** The unsupported format that a server declares; null if unknown. */
export const unsupportedFormatOfType = (mediaType: string): UnsupportedFormat | null =>
  ROWS.find(({ mediaTypes }) => mediaTypes.includes(mediaType)) ?? null;

export const describeUnsupportedFormat = ({ name, remedy }: UnsupportedFormat): string =>
  `The file is ${name}, which no slot accepts. ${remedy}`;
