/** The body of a WebP's first chunk of a type, or null. */
export function webpChunk(webp: Uint8Array, type: string): Uint8Array | null {
  const view = new DataView(webp.buffer, webp.byteOffset, webp.byteLength);
  for (let at = 12; at + 8 <= webp.length; ) {
    const length = view.getUint32(at + 4, true);
    const name = String.fromCharCode(...webp.subarray(at, at + 4));
    if (name === type) return webp.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length & 1);
  }
  return null;
}

function chunk(type: string, body: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(8 + body.length + (body.length & 1));
  bytes.write(type, "latin1");
  bytes.writeUInt32LE(body.length, 4);
  bytes.set(body, 8);
  return bytes;
}

/** A WebP of a VP8 frame alone. */
export function lossyWebp(frame: Uint8Array): Uint8Array {
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), chunk("VP8 ", frame)]));
}

/** An extended WebP of an alpha plane and a lossy picture. */
export function webpWithAlpha(
  width: number,
  height: number,
  alpha: Uint8Array,
  lossy: Uint8Array,
): Uint8Array {
  const canvas = Buffer.alloc(10);
  canvas[0] = 0x10;
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    chunk("VP8X", canvas),
    chunk("ALPH", alpha),
    chunk("VP8 ", lossy),
  ]);
  return chunk("RIFF", body);
}
