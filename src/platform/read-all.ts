/** Bytes read from a stream at a time. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a body of known length into one new buffer. `bytes()` and `arrayBuffer()` collect chunks and then join them, and
 * so does a single read of the whole length: while they join, the body is in memory twice, which for an upload is 50 MB of
 * an isolate's 128. A body that ends early returns what there was; a longer one throws.
 */
export async function readAll(body: ReadableStream, byteLength: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(byteLength);
  const reader = body.getReader({ mode: "byob" });
  let chunk = new Uint8Array(CHUNK_BYTES);
  let filled = 0;
  for (;;) {
    const { value, done } = await reader.read(chunk);
    if (value === undefined || done) break;
    whole.set(value.subarray(0, byteLength - filled), filled);
    filled += value.byteLength;
    if (filled > byteLength) throw new RangeError("a body is longer than its declared length");
    chunk = new Uint8Array(value.buffer);
  }
  return filled < byteLength ? whole.slice(0, filled) : whole;
}
