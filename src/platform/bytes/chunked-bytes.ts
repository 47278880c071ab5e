import { uint8ArrayToHex } from "uint8array-extras";
import type { ChunkedBytes } from "#renderer/index.ts";

/** SHA-256 of chunked bytes, lower-case hex. */
export async function sha256HexOfChunks(bytes: ChunkedBytes): Promise<string> {
  const digest = new crypto.DigestStream("SHA-256");
  await writeChunks(bytes, digest);
  return uint8ArrayToHex(await digest.digest);
}

/**
 * Passes chunked bytes to `take` as a stream of known length. Throws the error of `take`, or an error if `take` does
 * not read the stream.
 */
export async function asStream(
  bytes: ChunkedBytes,
  take: (stream: ReadableStream) => Promise<unknown>,
): Promise<void> {
  const { readable, writable } = new FixedLengthStream(bytes.byteLength);
  const written = writeChunks(bytes, writable);
  // This promise also rejects when `take` fails; then the error of `take` is thrown.
  written.catch(() => undefined);
  try {
    await take(readable);
  } finally {
    if (!readable.locked) await readable.cancel().catch(() => undefined);
  }
  await written;
}

async function writeChunks(bytes: ChunkedBytes, to: WritableStream<Uint8Array>): Promise<void> {
  const writer = to.getWriter();
  for (const chunk of bytes.chunks()) await writer.write(chunk);
  await writer.close();
}
