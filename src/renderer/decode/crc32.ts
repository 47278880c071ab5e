const TABLE = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  TABLE[byte] = value;
}

/** CRC-32 as PNG (annex D of its specification) and zip use it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
