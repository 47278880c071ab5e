import { createHash, createHmac } from "node:crypto";
import { uint8ArrayToHex } from "uint8array-extras";

/**
 * SHA-256 of text (as UTF-8) or bytes, lower-case hex. Text is short, so it is hashed synchronously: `crypto.subtle`
 * would take several turns of the event loop.
 */
export const sha256Hex = async (value: string | Uint8Array): Promise<string> =>
  typeof value === "string"
    ? createHash("sha256").update(value).digest("hex")
    : uint8ArrayToHex(await crypto.subtle.digest("SHA-256", value));

/** SHA-256 of a stream, lower-case hex, with one chunk in memory at a time. Throws if the stream breaks off. */
export async function sha256HexOfStream(stream: ReadableStream): Promise<string> {
  const digest = new crypto.DigestStream("SHA-256");
  // Awaited together, because a broken stream rejects both.
  const [sum] = await Promise.all([digest.digest, stream.pipeTo(digest)]);
  return uint8ArrayToHex(sum);
}

/** HMAC-SHA-256 of text, as bytes. */
export const hmacSha256 = async (secret: string, message: string): Promise<Uint8Array> =>
  new Uint8Array(createHmac("sha256", secret).update(message).digest());

/** HMAC-SHA-256 of text, lower-case hex. */
export const hmacSha256Hex = async (secret: string, message: string): Promise<string> =>
  createHmac("sha256", secret).update(message).digest("hex");

/** Compares in constant time for a given length. */
export function equalsInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  if (left.byteLength !== right.byteLength) return false;
  let difference = 0;
  for (let index = 0; index < left.byteLength; index += 1) {
    difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  }
  return difference === 0;
}
