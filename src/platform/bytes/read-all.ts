import { readChunks } from "./chunk-reader.ts";

/**
 * From here on a body is read into a resizable buffer. `freeBytes` gives its pages back at once; those of others stay with
 * the allocator, where what a pack needs next does not fit in.
 */
const RESIZABLE_BYTES_MIN = 8 * 1_048_576;

/**
 * Reads a body of known length into one new buffer. `bytes()` and `arrayBuffer()` collect chunks and then join them, and
 * so does a single read of the whole length: while they join, the body is in memory twice, which for an upload is 50 MB of
 * an isolate's 128. A body that ends early returns what there was; a longer one throws.
 */
export async function readAll(
  body: ReadableStream<Uint8Array>,
  byteLength: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = newBytes(byteLength);
  const chunks = readChunks(body);
  let filled = 0;
  for (let chunk = await chunks.read(); chunk !== null; chunk = await chunks.read()) {
    whole.set(chunk.subarray(0, byteLength - filled), filled);
    filled += chunk.byteLength;
    if (filled > byteLength) throw new RangeError("a body is longer than its declared length");
  }
  return filled < byteLength ? whole.slice(0, filled) : whole;
}

const newBytes = (byteLength: number): Uint8Array<ArrayBuffer> =>
  byteLength < RESIZABLE_BYTES_MIN
    ? new Uint8Array(byteLength)
    : new Uint8Array(new ArrayBuffer(byteLength, { maxByteLength: byteLength }), 0, byteLength);
