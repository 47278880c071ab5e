import { uint8ArrayToHex } from "uint8array-extras";
import type { PiecewiseBytes } from "../renderer/index.ts";

/** SHA-256 of bytes that are made a piece at a time, lower-case hex. */
export async function sha256HexOf(bytes: PiecewiseBytes): Promise<string> {
  const digest = new crypto.DigestStream("SHA-256");
  await pour(bytes, digest);
  return uint8ArrayToHex(await digest.digest);
}

/**
 * Hands bytes that are made a piece at a time to `take` as a stream of known length. Throws what `take` throws, and
 * when it leaves the stream unread.
 */
export async function streamed(
  bytes: PiecewiseBytes,
  take: (stream: ReadableStream) => Promise<unknown>,
): Promise<void> {
  const { readable, writable } = new FixedLengthStream(bytes.byteLength);
  const poured = pour(bytes, writable);
  // Fails when the reading does, which is thrown first.
  poured.catch(() => undefined);
  try {
    await take(readable);
  } finally {
    if (!readable.locked) await readable.cancel().catch(() => undefined);
  }
  await poured;
}

async function pour(bytes: PiecewiseBytes, to: WritableStream<Uint8Array>): Promise<void> {
  const writer = to.getWriter();
  for (const piece of bytes.pieces()) await writer.write(piece);
  await writer.close();
}
