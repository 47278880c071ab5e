import type { Kind } from "./kinds.ts";

/** A range of a file; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const PARTS_MAX = 2_000;

/** The chunks, segments, tables or tags of a file, up to the first that cannot be parsed. */
export function partsOf(kind: Kind, bytes: Uint8Array): readonly Span[] {
  switch (kind) {
    case "png":
      return chunks(bytes, 8, (view, at) => 12 + view.getUint32(at));
    case "webp":
      return chunks(bytes, 12, (view, at) => {
        const length = view.getUint32(at + 4, true);
        return 8 + length + (length & 1);
      });
    case "jpeg":
      return segments(bytes);
    case "svg":
      return tags(bytes);
    case "otf":
    case "ttf":
      return tables(bytes);
  }
}

function chunks(bytes: Uint8Array, first: number, lengthAt: (view: DataView, at: number) => number): Span[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const spans: Span[] = [];
  for (let at = first; at + 8 <= bytes.length && spans.length < PARTS_MAX; ) {
    const end = at + lengthAt(view, at);
    if (end > bytes.length) break;
    spans.push({ start: at, end });
    at = end;
  }
  return spans;
}

/** JPEG marker segments. A scan's data belongs to the segment of its header. */
function segments(bytes: Uint8Array): Span[] {
  const spans: Span[] = [];
  let start = -1;
  for (let at = 0; at + 1 < bytes.length && spans.length < PARTS_MAX; at += 1) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker < 0xc0 || marker === 0xff) continue;
    if (start >= 0) spans.push({ start, end: at });
    start = at;
  }
  if (start >= 0) spans.push({ start, end: bytes.length });
  return spans;
}

function tags(bytes: Uint8Array): Span[] {
  const spans: Span[] = [];
  let at = bytes.indexOf(0x3c);
  while (at >= 0 && spans.length < PARTS_MAX) {
    const next = bytes.indexOf(0x3c, at + 1);
    spans.push({ start: at, end: next < 0 ? bytes.length : next });
    at = next;
  }
  return spans;
}

/** Records of the font's table directory, then the tables themselves. */
function tables(bytes: Uint8Array): Span[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12) return [];
  const records: Span[] = [];
  const bodies: Span[] = [];
  const count = Math.min(view.getUint16(4), 64);
  for (let at = 12; at + 16 <= bytes.length && records.length < count; at += 16) {
    records.push({ start: at, end: at + 16 });
    const start = view.getUint32(at + 8);
    const end = start + view.getUint32(at + 12);
    if (end <= bytes.length && end > start) bodies.push({ start, end });
  }
  return [...records, ...bodies];
}
