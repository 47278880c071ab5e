import { crc32 } from "../crc32.ts";
import { type Orientation, readOrientation } from "./exif-orientation.ts";
import { PARTS_MAX } from "./limits.ts";
import { NO_COLOUR_CHUNKS, type PngColourChunks } from "./png-colours.ts";

export type PngColourType = 0 | 2 | 3 | 4 | 6;

/** Contents of a PNG's chunks (PNG specification, third edition). */
export interface PngStructure {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: 1 | 2 | 4 | 8 | 16;
  readonly colourType: PngColourType;
  readonly isInterlaced: boolean;
  /** RGB triples. */
  readonly palette: Uint8Array | null;
  readonly transparency: Uint8Array | null;
  /** The zlib stream of the ICC profile. */
  readonly icc: Uint8Array | null;
  /** The colour space declared without a profile. */
  readonly colourChunks: PngColourChunks;
  readonly orientation: Orientation;
  /** Frames of an animation; 1 for a still. */
  readonly frames: number;
  /** The compressed pixels, chunk by chunk. */
  readonly compressed: readonly Uint8Array[];
}

export type PngFault = "not_png" | "truncated" | "unsupported" | "broken";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Walks the chunks to IEND and checks the CRC of every critical one. Bounded by the length of the file. */
export function readPngStructure(bytes: Uint8Array): PngStructure | PngFault {
  if (SIGNATURE.some((byte, index) => bytes[index] !== byte)) return "not_png";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: ReturnType<typeof readHeader> | null = null;
  let palette: Uint8Array | null = null;
  let transparency: Uint8Array | null = null;
  let icc: Uint8Array | null = null;
  let colourChunks = NO_COLOUR_CHUNKS;
  let orientation: Orientation = 1;
  let frames = 1;
  const compressed: Uint8Array[] = [];
  let at = SIGNATURE.length;
  for (let parts = 0; parts < PARTS_MAX; parts++) {
    if (at + 12 > bytes.length) return "truncated";
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) return "truncated";
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, end - 4);
    const isCritical = ((bytes[at + 4] ?? 0) & 0x20) === 0;
    if (isCritical && crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return "broken";
    at = end;
    if ((header === null) !== (type === "IHDR")) return "broken";
    switch (type) {
      case "IHDR":
        header = readHeader(body);
        if (typeof header === "string") return header;
        break;
      case "PLTE":
        if (body.length === 0 || body.length > 768 || body.length % 3 !== 0) return "broken";
        palette = body;
        break;
      case "IDAT":
        compressed.push(body);
        break;
      case "IEND":
        if (header === null || typeof header === "string" || compressed.length === 0) return "broken";
        if (header.colourType === 3 && palette === null) return "broken";
        return { ...header, palette, transparency, icc, colourChunks, orientation, frames, compressed };
      case "tRNS":
        transparency = body;
        break;
      case "iCCP":
        icc = profileStream(body);
        break;
      case "cICP":
      case "sRGB":
      case "gAMA":
      case "cHRM":
        colourChunks = { ...colourChunks, [type]: body };
        break;
      case "eXIf":
        orientation = readOrientation(body);
        break;
      case "acTL":
        frames = body.length >= 4 ? Math.max(1, view.getUint32(body.byteOffset - bytes.byteOffset)) : 1;
        break;
      default:
        // An unknown critical chunk changes how the picture is read.
        if (isCritical) return "unsupported";
    }
  }
  return "broken";
}

function readHeader(
  body: Uint8Array,
): Pick<PngStructure, "width" | "height" | "bitDepth" | "colourType" | "isInterlaced"> | PngFault {
  if (body.length !== 13) return "broken";
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const width = view.getUint32(0);
  const height = view.getUint32(4);
  const [bitDepth = 0, colourType = 0, compression, filter, interlace = 0] = body.subarray(8);
  if (width === 0 || height === 0 || width > 0x7fffffff || height > 0x7fffffff) return "broken";
  if (compression !== 0 || filter !== 0 || interlace > 1) return "unsupported";
  if (!isColourType(colourType) || !isBitDepth(bitDepth)) return "broken";
  if (!(DEPTHS[colourType] ?? []).includes(bitDepth)) return "broken";
  return { width, height, bitDepth, colourType, isInterlaced: interlace === 1 };
}

function isColourType(value: number): value is PngColourType {
  return value in DEPTHS;
}

function isBitDepth(value: number): value is 1 | 2 | 4 | 8 | 16 {
  return [1, 2, 4, 8, 16].includes(value);
}

/** Skips the profile's name and the compression method. */
function profileStream(body: Uint8Array): Uint8Array {
  const end = body.indexOf(0);
  return end >= 1 && end <= 79 && body[end + 1] === 0 ? body.subarray(end + 2) : new Uint8Array(0);
}
