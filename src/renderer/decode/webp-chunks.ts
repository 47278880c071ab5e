import { type Orientation, readOrientation } from "./exif-orientation.ts";
import { PARTS_MAX } from "./limits.ts";

/** Contents of a WebP's RIFF chunks (the WebP container specification). */
export interface WebpStructure {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  readonly frames: number;
  readonly orientation: Orientation;
  readonly icc: Uint8Array | null;
  /** Null in an animation. */
  readonly picture: WebpPicture | null;
}

/** Bodies of the picture's chunks: `VP8 ` with the `ALPH` before it, or `VP8L`. */
export type WebpPicture =
  | { readonly coding: "lossy"; readonly colours: Uint8Array; readonly alpha: Uint8Array | null }
  | { readonly coding: "lossless"; readonly body: Uint8Array };

export type WebpFault = "not_webp" | "truncated" | "broken";

interface Size {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/** Walks the chunks. Bounded by the length of the file. */
export function readWebpStructure(bytes: Uint8Array): WebpStructure | WebpFault {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || tag(bytes, 0) !== "RIFF" || tag(bytes, 8) !== "WEBP") return "not_webp";
  const end = 8 + view.getUint32(4, true);
  if (end > bytes.length) return "truncated";
  let canvas: Size | null = null;
  let size: Size | null = null;
  let picture: WebpPicture | null = null;
  let alpha: Uint8Array | null = null;
  let frames = 0;
  let orientation: Orientation = 1;
  let icc: Uint8Array | null = null;
  let at = 12;
  for (let parts = 0; parts < PARTS_MAX && at + 8 <= end; parts++) {
    const length = view.getUint32(at + 4, true);
    const type = tag(bytes, at);
    if (at + 8 + length > end) return "truncated";
    const body = bytes.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length & 1);
    switch (type) {
      case "VP8X":
        canvas = readExtended(body);
        if (canvas === null) return "broken";
        break;
      case "VP8 ":
        if (picture !== null) break;
        size = readLossy(body);
        if (size === null) return "broken";
        picture = { coding: "lossy", colours: body, alpha };
        break;
      case "VP8L":
        if (picture !== null) break;
        size = readLossless(body);
        if (size === null) return "broken";
        picture = { coding: "lossless", body };
        break;
      case "ALPH":
        alpha ??= body;
        break;
      case "ANMF":
        frames += 1;
        break;
      case "EXIF":
        // Some writers keep the six bytes `Exif\0\0` that precede the data in a JPEG.
        orientation = readOrientation(tag(body, 0) === "Exif" ? body.subarray(6) : body);
        break;
      case "ICCP":
        icc = body;
        break;
      default:
    }
  }
  if (frames > 0) {
    return canvas === null ? "broken" : { ...canvas, frames, orientation, icc, picture: null };
  }
  if (picture === null || size === null) return "truncated";
  if (canvas !== null && (size.width !== canvas.width || size.height !== canvas.height)) return "broken";
  const hasAlpha = size.hasAlpha || (picture.coding === "lossy" && picture.alpha !== null);
  return { ...size, hasAlpha, frames: 1, orientation, icc, picture };
}

function tag(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function readExtended(body: Uint8Array): Size | null {
  if (body.length < 10) return null;
  const triple = (at: number): number =>
    (body[at] ?? 0) | ((body[at + 1] ?? 0) << 8) | ((body[at + 2] ?? 0) << 16);
  return { width: triple(4) + 1, height: triple(7) + 1, hasAlpha: ((body[0] ?? 0) & 0x10) !== 0 };
}

/** VP8's frame header (RFC 6386, 9.1): a key frame with its start code and 14-bit sizes. */
function readLossy(body: Uint8Array): Size | null {
  if (body.length < 10 || ((body[0] ?? 0) & 1) !== 0) return null;
  if (body[3] !== 0x9d || body[4] !== 0x01 || body[5] !== 0x2a) return null;
  const width = ((body[6] ?? 0) | ((body[7] ?? 0) << 8)) & 0x3fff;
  const height = ((body[8] ?? 0) | ((body[9] ?? 0) << 8)) & 0x3fff;
  return width === 0 || height === 0 ? null : { width, height, hasAlpha: false };
}

/** VP8L's header: signature, 14-bit sizes less one, a flag that alpha is used. */
function readLossless(body: Uint8Array): Size | null {
  if (body.length < 5 || body[0] !== 0x2f) return null;
  const bits = (body[1] ?? 0) | ((body[2] ?? 0) << 8) | ((body[3] ?? 0) << 16) | ((body[4] ?? 0) << 24);
  return {
    width: (bits & 0x3fff) + 1,
    height: ((bits >>> 14) & 0x3fff) + 1,
    hasAlpha: ((bits >>> 28) & 1) === 1,
  };
}
