import { concatUint8Arrays } from "uint8array-extras";
import { PARTS_MAX } from "./limits.ts";
import { type Orientation, readOrientation } from "./orientation.ts";

/** What a JPEG's marker segments say (ITU-T T.81 annex B). */
export interface JpegStructure {
  /** As stored, before orientation. */
  readonly width: number;
  readonly height: number;
  readonly components: readonly JpegComponent[];
  readonly coding: "sequential" | "progressive";
  readonly scans: number;
  /** What decoding takes, in the file's order. */
  readonly segments: readonly JpegSegment[];
  readonly orientation: Orientation;
  /** The ICC profile, joined from its segments; empty when one is missing, null without any. */
  readonly icc: Uint8Array | null;
  /** Adobe's colour transform; null without the APP14 segment. */
  readonly adobeTransform: number | null;
  readonly isJfif: boolean;
  readonly endsWithEoi: boolean;
}

/** A component of the frame (B.2.2). */
export interface JpegComponent {
  readonly id: number;
  /** Sampling factors, 1 to 4. */
  readonly across: number;
  readonly down: number;
  readonly quantisation: number;
}

/** Tables, or a scan's header with the entropy-coded data behind it. */
export interface JpegSegment {
  readonly kind: "quantisation" | "huffman" | "restart" | "scan";
  readonly body: Uint8Array;
  /** Empty but for scans. */
  readonly coded: Uint8Array;
}

export type JpegFault = "not_jpeg" | "truncated" | "unsupported" | "broken";

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: readonly JpegComponent[];
  readonly isProgressive: boolean;
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const TABLES: Readonly<Record<number, "quantisation" | "huffman" | "restart">> = {
  196: "huffman",
  219: "quantisation",
  221: "restart",
};
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;

/** Walks the segments and the scans to the end of the picture. Bounded by the length of the file. */
export function readJpegStructure(bytes: Uint8Array): JpegStructure | JpegFault {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return "not_jpeg";
  let frame: Frame | null = null;
  let orientation: Orientation = 1;
  let adobeTransform: number | null = null;
  let isJfif = false;
  const segments: JpegSegment[] = [];
  const iccParts = new Map<number, Uint8Array>();
  let iccPartsDeclared = 0;
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
      const start = at;
      at = skipEntropyCoded(bytes, at);
      segments.push({ kind: "scan", body, coded: bytes.subarray(start, at) });
    } else if (TABLES[marker] !== undefined) {
      segments.push({ kind: TABLES[marker], body, coded: bytes.subarray(at, at) });
    } else if (marker === APP0 && startsWith(body, "JFIF\0")) {
      isJfif = true;
    } else if (marker === APP1 && startsWith(body, "Exif\0")) {
      orientation = readOrientation(body.subarray(6));
    } else if (marker === APP2 && startsWith(body, "ICC_PROFILE\0")) {
      iccParts.set(body[12] ?? 0, body.subarray(14));
      iccPartsDeclared = body[13] ?? 0;
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
    scans,
    segments,
    orientation,
    icc: joinParts(iccParts, iccPartsDeclared),
    adobeTransform,
    isJfif,
    endsWithEoi,
  };
}

function readFrame(body: Uint8Array, isProgressive: boolean): Frame | JpegFault {
  const [precision = 0, height1 = 0, height0 = 0, width1 = 0, width0 = 0, count = 0] = body;
  if (precision !== 8) return "unsupported";
  if (count !== 1 && count !== 3 && count !== 4) return "unsupported";
  if (body.length < 6 + count * 3) return "broken";
  const width = (width1 << 8) | width0;
  const height = (height1 << 8) | height0;
  // A height of 0 would be told by a later DNL segment, which hardly any decoder reads.
  if (width === 0 || height === 0) return "unsupported";
  const components: JpegComponent[] = [];
  for (let at = 6; components.length < count; at += 3) {
    const [id = 0, sampling = 0, quantisation = 0] = body.subarray(at, at + 3);
    const across = sampling >> 4;
    const down = sampling & 15;
    if (across < 1 || across > 4 || down < 1 || down > 4 || quantisation > 3) return "broken";
    if (components.some((other) => other.id === id)) return "broken";
    // A lone component has no units of several blocks, whatever it says (A.2.2).
    components.push(
      count === 1 ? { id, across: 1, down: 1, quantisation } : { id, across, down, quantisation },
    );
  }
  return { width, height, components, isProgressive };
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

/** Joins an ICC profile's numbered parts, in whichever order they came (ICC.1 annex B.4); empty when one is missing. */
function joinParts(parts: ReadonlyMap<number, Uint8Array>, declared: number): Uint8Array | null {
  if (parts.size === 0) return null;
  const ordered: Uint8Array[] = [];
  for (let number = 1; number <= declared; number++) {
    const part = parts.get(number);
    if (part === undefined) return new Uint8Array(0);
    ordered.push(part);
  }
  return concatUint8Arrays(ordered);
}
