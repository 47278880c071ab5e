import { concatUint8Arrays } from "uint8array-extras";
import { type Orientation, readOrientation } from "./exif-orientation.ts";
import { PARTS_MAX } from "./limits.ts";

/** The marker segments of a JPEG (ITU-T T.81, annex B). */
export interface JpegStructure {
  /** As stored, before orientation. */
  readonly width: number;
  readonly height: number;
  readonly components: readonly JpegComponent[];
  readonly coding: "sequential" | "progressive";
  readonly scans: number;
  /** The segments needed for decoding, in file order. */
  readonly segments: readonly JpegSegment[];
  readonly orientation: Orientation;
  /** The ICC profile, joined from its APP2 segments; empty when one is missing, null without any. */
  readonly icc: Uint8Array | null;
  /** Adobe's colour transform flag; null without the APP14 segment. */
  readonly adobeTransform: number | null;
  readonly isJfif: boolean;
  readonly endsWithEoi: boolean;
}

/** A component of the frame header: Ci, Hi, Vi and Tqi (B.2.2). */
export interface JpegComponent {
  readonly id: number;
  /** Sampling factors, 1 to 4, and the quantisation table selector. */
  readonly h: number;
  readonly v: number;
  readonly tq: number;
}

/** A segment of tables, or a scan header followed by its entropy-coded data. */
export interface JpegSegment {
  readonly marker: "DQT" | "DHT" | "DRI" | "SOS";
  readonly body: Uint8Array;
  /** Empty except for SOS. */
  readonly entropyCoded: Uint8Array;
}

export type JpegFault = "not_jpeg" | "truncated" | "unsupported" | "broken";

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: readonly JpegComponent[];
  readonly isProgressive: boolean;
}

const SOF0 = 0xc0;
const SOF2 = 0xc2;
const DHT = 0xc4;
const JPG = 0xc8;
const DAC = 0xcc;
const SOF15 = 0xcf;
const RST0 = 0xd0;
const RST7 = 0xd7;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const TEM = 0x01;
const TABLES: Readonly<Record<number, "DQT" | "DHT" | "DRI">> = { 196: "DHT", 219: "DQT", 221: "DRI" };
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
      // SOF0 to SOF2: Huffman-coded baseline, extended sequential and progressive; not lossless, hierarchical,
      // arithmetic.
      if (marker > SOF2) return "unsupported";
      const read = readFrame(body, marker === SOF2);
      if (typeof read === "string") return read;
      frame = read;
    } else if (marker === SOS) {
      scans += 1;
      const start = at;
      at = skipEntropyCoded(bytes, at);
      segments.push({ marker: "SOS", body, entropyCoded: bytes.subarray(start, at) });
    } else if (TABLES[marker] !== undefined) {
      segments.push({ marker: TABLES[marker], body, entropyCoded: bytes.subarray(at, at) });
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
  // A height of 0 means that a DNL segment after the first scan specifies the height. Hardly any decoder reads it.
  if (width === 0 || height === 0) return "unsupported";
  const components: JpegComponent[] = [];
  for (let at = 6; components.length < count; at += 3) {
    const [id = 0, sampling = 0, tq = 0] = body.subarray(at, at + 3);
    const h = sampling >> 4;
    const v = sampling & 15;
    if (h < 1 || h > 4 || v < 1 || v > 4 || tq > 3) return "broken";
    if (components.some((other) => other.id === id)) return "broken";
    // Data of one component is not interleaved: its MCU is one block, whatever the sampling factors (A.2.2).
    components.push(count === 1 ? { id, h: 1, v: 1, tq } : { id, h, v, tq });
  }
  return { width, height, components, isProgressive };
}

function isFrameHeader(marker: number): boolean {
  return marker >= SOF0 && marker <= SOF15 && marker !== DHT && marker !== JPG && marker !== DAC;
}

/** Markers without a segment: TEM, RST0 to RST7, and a stray SOI. */
function isStandalone(marker: number): boolean {
  return marker === TEM || (marker >= RST0 && marker <= SOI);
}

/** The index of the second byte of the next marker at or after `from`; past the end if there is none. */
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

/** The index of the marker after a scan's entropy-coded data. RSTn markers and stuffed zeros belong to the data. */
function skipEntropyCoded(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return bytes.length;
    const next = bytes[at + 1];
    if (next === undefined) return bytes.length;
    if (next !== 0 && next !== 0xff && !(next >= RST0 && next <= RST7)) return at;
    at += next === 0xff ? 1 : 2;
  }
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Joins an ICC profile's numbered parts, in any order (ICC.1 annex B.4); empty when one is missing. */
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
