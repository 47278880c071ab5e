/** Reads numbers and letters of file headers. Bytes beyond the end are 0, so callers need no bounds checks. */

export const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

export const uint16 = (bytes: Uint8Array, at: number): number =>
  byteAt(bytes, at) * 256 + byteAt(bytes, at + 1);

export const uint32 = (bytes: Uint8Array, at: number): number =>
  uint16(bytes, at) * 65_536 + uint16(bytes, at + 2);

/** Little-endian. */
export const uint24Little = (bytes: Uint8Array, at: number): number =>
  byteAt(bytes, at) + byteAt(bytes, at + 1) * 256 + byteAt(bytes, at + 2) * 65_536;

/** ASCII letters. */
export const letters = (bytes: Uint8Array, at: number, count: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + count));
