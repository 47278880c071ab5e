/** A box of an MP4 file (ISO/IEC 14496-12, 4.2). */
export interface Mp4Box {
  readonly name: string;
  readonly body: Uint8Array;
}

/** Bytes before a box's children: the entry count of a sample description, and the fields of a visual sample entry. */
const FIELDS: Readonly<Record<string, number>> = { stsd: 8, avc1: 78 };

/** The boxes of a file or of a box's body. */
export function boxesIn(bytes: Uint8Array): readonly Mp4Box[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const boxes: Mp4Box[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (length < 8 || at + length > bytes.length)
      throw new Error(`the box ${name} at ${at} has ${length} bytes`);
    boxes.push({ name, body: bytes.subarray(at + 8, at + length) });
    at += length;
  }
  return boxes;
}

/** The body of a box by path, such as `moov/trak`; throws if missing. */
export function boxAt(file: Uint8Array, path: string): DataView {
  let body = file;
  let fields = 0;
  for (const name of path.split("/")) {
    const found = boxesIn(body.subarray(fields)).find((box) => box.name === name);
    if (found === undefined) throw new Error(`no ${name} of ${path}`);
    body = found.body;
    fields = FIELDS[name] ?? 0;
  }
  return new DataView(body.buffer, body.byteOffset, body.byteLength);
}
