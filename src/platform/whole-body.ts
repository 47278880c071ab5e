/** Bytes taken from a stream at a time. */
const PIECE_BYTES = 256 * 1024;

/**
 * Reads a body of known length into one buffer, which nobody else holds. `bytes()` and `arrayBuffer()` gather pieces
 * and then join them, and so does a single read of the whole length: for as long as that takes they hold the body
 * twice, of an upload 50 MB of an isolate's 128. A body that ends early gives what there was; a longer one throws.
 */
export async function readWhole(body: ReadableStream, byteLength: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(byteLength);
  const reader = body.getReader({ mode: "byob" });
  let piece = new Uint8Array(PIECE_BYTES);
  let filled = 0;
  for (;;) {
    const { value, done } = await reader.read(piece);
    if (value === undefined || done) break;
    whole.set(value.subarray(0, byteLength - filled), filled);
    filled += value.byteLength;
    if (filled > byteLength) throw new RangeError("a body is longer than it was said to be");
    piece = new Uint8Array(value.buffer);
  }
  return filled < byteLength ? whole.slice(0, filled) : whole;
}
