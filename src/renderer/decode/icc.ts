/** An ICC profile's header and tags (ICC.1:2022, 7.2–7.3). */
export interface IccProfile {
  /** 2, 4 or 5. */
  readonly majorVersion: number;
  /**
   * `input`, `display`, `output` and `space` profiles describe a device; link, abstract and named-colour profiles do
   * not.
   */
  readonly deviceClass: "input" | "display" | "output" | "space" | "other";
  readonly space: "RGB " | "GRAY" | "CMYK" | "other";
  /** The profile connection space (PCS). */
  readonly pcs: "XYZ " | "Lab " | "other";
  /** A tag's element; null when it is missing or lies outside the profile. */
  tag(signature: string): Uint8Array | null;
}

const HEADER_BYTES = 128;
const TAGS_MAX = 128;
const CLASSES: Readonly<Record<string, IccProfile["deviceClass"]>> = {
  scnr: "input",
  mntr: "display",
  prtr: "output",
  spac: "space",
};

/** Reads a profile; null when it is invalid. */
export function readIccProfile(bytes: Uint8Array): IccProfile | null {
  if (bytes.length < HEADER_BYTES + 4 || text(bytes, 36) !== "acsp") return null;
  const view = viewOf(bytes);
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
  const pcs = text(bytes, 20);
  return {
    majorVersion: bytes[8] ?? 0,
    deviceClass: CLASSES[text(bytes, 12)] ?? "other",
    space: space === "RGB " || space === "GRAY" || space === "CMYK" ? space : "other",
    pcs: pcs === "XYZ " || pcs === "Lab " ? pcs : "other",
    tag: (signature) => tags.get(signature) ?? null,
  };
}

/** The four-letter signature at the start of an element, a field or a tag. */
export function text(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** An s15Fixed16Number (4.6). */
export function fixed(view: DataView, at: number): number {
  return view.getInt32(at) / 65536;
}

/** XYZType, and the number that Corbis profiles use instead, which Little CMS also accepts. */
const XYZ_TYPES: readonly string[] = ["XYZ ", "\x17\xa5\x05\xb8"];

/** The single triple of an XYZType element, relative to the D50 white; null for anything else. */
export function readXyz(element: Uint8Array | null): readonly [number, number, number] | null {
  if (element === null || element.length < 20 || !XYZ_TYPES.includes(text(element, 0))) return null;
  const view = viewOf(element);
  return [fixed(view, 8), fixed(view, 12), fixed(view, 16)];
}
