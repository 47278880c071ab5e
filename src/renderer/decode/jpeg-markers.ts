import { joinBytes } from "../join-bytes.ts";
import { PARTS_MAX } from "./limits.ts";
import { type Orientation, readOrientation } from "./orientation.ts";

/** What a JPEG's marker segments say (ITU-T T.81 annex B). */
export interface JpegStructure {
  /** As stored, before orientation. */
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly coding: "sequential" | "progressive";
  readonly scans: number;
  /** Coefficients times two bytes, padded to whole blocks. */
  readonly coefficientBytes: number;
  readonly orientation: Orientation;
  /** The ICC profile, joined from its segments; null without one. */
  readonly icc: Uint8Array | null;
  /** Adobe's colour transform; null without the APP14 segment. */
  readonly adobeTransform: number | null;
  readonly endsWithEoi: boolean;
}

export type JpegFault = "not_jpeg" | "truncated" | "unsupported" | "broken";

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly isProgressive: boolean;
  readonly coefficientBytes: number;
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;

/** Walks the segments and the scans to the end of the picture. Bounded by the length of the file. */
export function readJpegStructure(bytes: Uint8Array): JpegStructure | JpegFault {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return "not_jpeg";
  let frame: Frame | null = null;
  let orientation: Orientation = 1;
  let adobeTransform: number | null = null;
  const iccParts = new Map<number, Uint8Array>();
  let scans = 0;
  let endsWithEoi = false;
  let at = 2;
  for (let parts = 0; parts < PARTS_MAX; parts++) {
    at = nextMarker(bytes, at);
    const marker = bytes[at];
    if (marker === undefined) break;
    at += 1;
    if (marker === EOI) {
      endsWithEoi = true;
      break;
    }
    if (isStandalone(marker)) continue;
    const length = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    if (length < 2) return "broken";
    if (at + length > bytes.length) return "truncated";
    const body = bytes.subarray(at + 2, at + length);
    at += length;
    if (isFrameHeader(marker)) {
      if (frame !== null) return "broken";
      // Baseline, extended sequential and progressive, Huffman-coded; not lossless, hierarchical or arithmetic.
      if (marker > 0xc2) return "unsupported";
      const read = readFrame(body, marker === 0xc2);
      if (typeof read === "string") return read;
      frame = read;
    } else if (marker === SOS) {
      scans += 1;
      at = skipEntropyCoded(bytes, at);
    } else if (marker === APP1 && startsWith(body, "Exif\0")) {
      orientation = readOrientation(body.subarray(6));
    } else if (marker === APP2 && startsWith(body, "ICC_PROFILE\0")) {
      iccParts.set(body[12] ?? 0, body.subarray(14));
    } else if (marker === APP14 && startsWith(body, "Adobe")) {
      adobeTransform = body[11] ?? null;
    }
  }
  if (frame === null || scans === 0) return "truncated";
  return {
    width: frame.width,
    height: frame.height,
    components: frame.components,
    coding: frame.isProgressive ? "progressive" : "sequential",
    coefficientBytes: frame.coefficientBytes,
    scans,
    orientation,
    icc: joinParts(iccParts),
    adobeTransform,
    endsWithEoi,
  };
}

function readFrame(body: Uint8Array, isProgressive: boolean): Frame | JpegFault {
  const [precision = 0, height1 = 0, height0 = 0, width1 = 0, width0 = 0, components = 0] = body;
  if (precision !== 8) return "unsupported";
  if (components !== 1 && components !== 3 && components !== 4) return "unsupported";
  if (body.length < 6 + components * 3) return "broken";
  const width = (width1 << 8) | width0;
  const height = (height1 << 8) | height0;
  // A height of 0 would be told by a later DNL segment, which hardly any decoder reads.
  if (width === 0 || height === 0) return "unsupported";
  let horizontalMax = 1;
  let verticalMax = 1;
  let blocksPerUnit = 0;
  for (let index = 0; index < components; index++) {
    const sampling = body[7 + index * 3] ?? 0;
    const horizontal = sampling >> 4;
    const vertical = sampling & 15;
    if (horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4) return "broken";
    horizontalMax = Math.max(horizontalMax, horizontal);
    verticalMax = Math.max(verticalMax, vertical);
    blocksPerUnit += horizontal * vertical;
  }
  const units = Math.ceil(width / (8 * horizontalMax)) * Math.ceil(height / (8 * verticalMax));
  return { width, height, components, isProgressive, coefficientBytes: units * blocksPerUnit * 64 * 2 };
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Markers without a length: TEM, the restarts, and a stray SOI. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= SOI);
}

/** Index of the byte that names the next marker, at or after `from`; past the end without one. */
function nextMarker(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  if (at < 0) return bytes.length;
  while (bytes[at] === 0xff) at += 1;
  return bytes[at] === 0 ? nextRealMarker(bytes, at) : at;
}

function nextRealMarker(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return bytes.length;
    while (bytes[at] === 0xff) at += 1;
    if (bytes[at] !== 0) return at;
  }
  return bytes.length;
}

/** Index of the 0xff that begins the marker after a scan's data; restarts and stuffed zeros belong to the data. */
function skipEntropyCoded(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return bytes.length;
    const next = bytes[at + 1];
    if (next === undefined) return bytes.length;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
    at += next === 0xff ? 1 : 2;
  }
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Joins an ICC profile's numbered parts (ICC.1 annex B.4). */
function joinParts(parts: ReadonlyMap<number, Uint8Array>): Uint8Array | null {
  if (parts.size === 0) return null;
  const ordered: Uint8Array[] = [];
  for (let number = 1; number <= parts.size; number++) {
    const part = parts.get(number);
    if (part === undefined) return null;
    ordered.push(part);
  }
  return joinBytes(ordered);
}
