/** An ICC profile's header and tags (ICC.1:2022, 7.2–7.3). */
export interface IccProfile {
  readonly space: "RGB " | "GRAY" | "CMYK" | "other";
  /** Space that tables lead to. */
  readonly connection: "XYZ " | "Lab " | "other";
  /** A tag's element; null when it is missing or lies outside the profile. */
  tag(signature: string): Uint8Array | null;
}

const HEADER_BYTES = 128;
const TAGS_MAX = 128;

/** Reads a profile; null when it is none. */
export function readIccProfile(bytes: Uint8Array): IccProfile | null {
  if (bytes.length < HEADER_BYTES + 4 || text(bytes, 36) !== "acsp") return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(HEADER_BYTES);
  if (count > TAGS_MAX || HEADER_BYTES + 4 + count * 12 > bytes.length) return null;
  const tags = new Map<string, Uint8Array>();
  for (let index = 0; index < count; index++) {
    const at = HEADER_BYTES + 4 + index * 12;
    const offset = view.getUint32(at + 4);
    const length = view.getUint32(at + 8);
    if (offset + length <= bytes.length) tags.set(text(bytes, at), bytes.subarray(offset, offset + length));
  }
  const space = text(bytes, 16);
  const connection = text(bytes, 20);
  return {
    space: space === "RGB " || space === "GRAY" || space === "CMYK" ? space : "other",
    connection: connection === "XYZ " || connection === "Lab " ? connection : "other",
    tag: (signature) => tags.get(signature) ?? null,
  };
}

function text(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function fixed(view: DataView, at: number): number {
  return view.getInt32(at) / 65536;
}

/** An XYZType element's one triple, relative to the D50 white; null when it is something else. */
export function readXyz(element: Uint8Array | null): readonly [number, number, number] | null {
  if (element === null || element.length < 20 || text(element, 0) !== "XYZ ") return null;
  const view = new DataView(element.buffer, element.byteOffset, element.byteLength);
  return [fixed(view, 8), fixed(view, 12), fixed(view, 16)];
}

/**
 * A tone curve (curveType or parametricCurveType, 10.6 and 10.18) over the 256 byte values, 0–1;
 * null when it is something else.
 */
export function readToneCurve(element: Uint8Array | null): Float64Array | null {
  if (element === null || element.length < 12) return null;
  const view = new DataView(element.buffer, element.byteOffset, element.byteLength);
  const curve =
    text(element, 0) === "curv" ? sampledCurve(view) : text(element, 0) === "para" ? formula(view) : null;
  if (curve === null) return null;
  // Rounded to 16 bits, so that the last place of a power never shows.
  return Float64Array.from({ length: 256 }, (_, byte) => {
    const value = curve(byte / 255);
    return Number.isFinite(value) ? Math.round(Math.max(0, Math.min(1, value)) * 65535) / 65535 : 0;
  });
}

function sampledCurve(view: DataView): ((value: number) => number) | null {
  const count = view.getUint32(8);
  if (count === 0) return (value) => value;
  if (12 + count * 2 > view.byteLength) return null;
  if (count === 1) {
    const gamma = view.getUint16(12) / 256;
    return (value) => value ** gamma;
  }
  return (value) => {
    const position = value * (count - 1);
    const below = Math.min(count - 2, Math.floor(position));
    const low = view.getUint16(12 + below * 2);
    const high = view.getUint16(14 + below * 2);
    return (low + (high - low) * (position - below)) / 65535;
  };
}

const PARAMETERS = [1, 3, 4, 5, 7];

function formula(view: DataView): ((value: number) => number) | null {
  const kind = view.getUint16(8);
  const count = PARAMETERS[kind];
  if (count === undefined || 12 + count * 4 > view.byteLength) return null;
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: count }, (_, index) =>
    fixed(view, 12 + index * 4),
  );
  switch (kind) {
    case 0:
      return (value) => value ** g;
    case 1:
      return (value) => (value >= -b / a ? (a * value + b) ** g : 0);
    case 2:
      return (value) => (value >= -b / a ? (a * value + b) ** g + c : c);
    case 3:
      return (value) => (value >= d ? (a * value + b) ** g : c * value);
    default:
      return (value) => (value >= d ? (a * value + b) ** g + e : c * value + f);
  }
}
