/** Slicing-by-8: one table per byte position looks up eight bytes at a time. */
const PLACES = 8;
const TABLES = new Uint32Array(256 * PLACES);
for (let byte = 0; byte < 256; byte++) {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  TABLES[byte] = value;
}
for (let at = 256; at < TABLES.length; at++) {
  const before = TABLES[at - 256] ?? 0;
  TABLES[at] = (before >>> 8) ^ (TABLES[before & 255] ?? 0);
}

/** CRC-32 (IEEE 802.3, reflected, polynomial 0xEDB88320), as in PNG (annex D of its specification) and API keys. */
export function crc32(bytes: Uint8Array): number {
  const look = (place: number, byte: number): number => TABLES[place * 256 + (byte & 255)] ?? 0;
  const whole = bytes.length - (bytes.length % PLACES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let crc = 0xffffffff;
  let at = 0;
  for (; at < whole; at += PLACES) {
    const low = crc ^ view.getUint32(at, true);
    const high = view.getUint32(at + 4, true);
    crc =
      look(7, low) ^
      look(6, low >>> 8) ^
      look(5, low >>> 16) ^
      look(4, low >>> 24) ^
      look(3, high) ^
      look(2, high >>> 8) ^
      look(1, high >>> 16) ^
      look(0, high >>> 24);
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ look(0, crc ^ (bytes[at] ?? 0));
  return (crc ^ 0xffffffff) >>> 0;
}
