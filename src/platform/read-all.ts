import { readChunks } from "./chunk-reader.ts";

/**
 * Reads a body of known length into one new buffer. `bytes()` and `arrayBuffer()` collect chunks and then join them, and
 * so does a single read of the whole length: while they join, the body is in memory twice, which for an upload is 50 MB of
 * an isolate's 128. A body that ends early returns what there was; a longer one throws.
 */
export async function readAll(body: ReadableStream, byteLength: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(byteLength);
  const chunks = readChunks(body);
  let filled = 0;
  for (let chunk = await chunks.read(); chunk !== null; chunk = await chunks.read()) {
    whole.set(chunk.subarray(0, byteLength - filled), filled);
    filled += chunk.byteLength;
    if (filled > byteLength) throw new RangeError("a body is longer than its declared length");
  }
  return filled < byteLength ? whole.slice(0, filled) : whole;
}
