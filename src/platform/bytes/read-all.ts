import { readChunks } from "./chunk-reader.ts";

/**
 * Larger bodies are read into a resizable buffer. `freeBytes` returns its pages at once; other buffers' pages stay with
 * the allocator, too fragmented for a pack's next allocations.
 */
const RESIZABLE_BYTES_MIN = 8 * 1_048_576;

/**
 * Reads a body of known length into one new buffer. `bytes()`, `arrayBuffer()` and a single read of the whole length
 * collect chunks and then join them, so the body is in memory twice: 50 MB of an isolate's 128 for an upload. Returns
 * fewer bytes for a body that ends early; throws for a longer one.
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
