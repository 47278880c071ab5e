/**
 * Reads tables and vectors of a FlatBuffer (https://flatbuffers.dev/internals). A table starts with the offset of its
 * vtable, which lists the positions of its fields. Fields that are not numbers are offsets from their own position.
 */
export interface Table {
  int32(field: number): number;
  int8(field: number): number;
  bytes(field: number): Uint8Array;
  tables(field: number): readonly Table[];
}

const VTABLE_HEADER_BYTES = 4;

/** The root table of a FlatBuffer. Absent numbers are 0, absent vectors are empty. */
export function readFlatBuffer(file: Uint8Array): Table {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const follow = (at: number): number => at + view.getUint32(at, true);

  const tableAt = (start: number): Table => {
    const vtable = start - view.getInt32(start, true);
    const vtableBytes = view.getUint16(vtable, true);
    /** Position of a field; null if it is absent. */
    const at = (field: number): number | null => {
      const slot = VTABLE_HEADER_BYTES + field * 2;
      const offset = slot < vtableBytes ? view.getUint16(vtable + slot, true) : 0;
      return offset === 0 ? null : start + offset;
    };
    const vector = (field: number): { readonly first: number; readonly length: number } => {
      const position = at(field);
      if (position === null) return { first: 0, length: 0 };
      const vectorAt = follow(position);
      return { first: vectorAt + 4, length: view.getUint32(vectorAt, true) };
    };
    return {
      int32: (field) => {
        const position = at(field);
        return position === null ? 0 : view.getInt32(position, true);
      },
      int8: (field) => {
        const position = at(field);
        return position === null ? 0 : view.getInt8(position);
      },
      bytes: (field) => {
        const { first, length } = vector(field);
        return file.subarray(first, first + length);
      },
      tables: (field) => {
        const { first, length } = vector(field);
        return Array.from({ length }, (_, index) => tableAt(follow(first + index * 4)));
      },
    };
  };

  return tableAt(follow(0));
}
