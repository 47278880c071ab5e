import { toHex } from "../platform/hashing.ts";
import { type AttemptFailure, attemptFailed } from "./delivery.ts";
import { askStore, type Store } from "./s3-client.ts";

/** What must lie in the store under a key. */
export interface ExpectedObject {
  readonly key: string;
  readonly byteLength: number;
  /** Of all bytes, lower-case hex. */
  readonly sha256: string;
  /** S3's checksum of an object in parts, `<base64>-<parts>`; null when it was put in one. */
  readonly compositeChecksum: string | null;
}

export const hexToBase64 = (hex: string): string =>
  btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))));

/**
 * Asks the store what it holds and compares length and SHA-256. A store that keeps no such checksum is read back
 * and hashed. Null when the object is whole; else why the attempt failed.
 */
export async function verifyObject(store: Store, expected: ExpectedObject): Promise<AttemptFailure | null> {
  const head = await askStore(store, {
    method: "HEAD",
    key: expected.key,
    headers: { "x-amz-checksum-mode": "ENABLED" },
  });
  if (head.kind === "failed") {
    // It took the object a moment ago, and may yet show it.
    return head.receiverStatus === 404
      ? attemptFailed("CHECKSUM_MISMATCH", "The store took an object and does not have it.", 404)
      : head;
  }
  const { headers } = head.response;
  if (Number(headers.get("Content-Length")) !== expected.byteLength) {
    return attemptFailed("CHECKSUM_MISMATCH", "The store holds an object of another length than was sent.");
  }
  const stated = headers.get("x-amz-checksum-sha256");
  if (stated !== null) {
    const known = [hexToBase64(expected.sha256), expected.compositeChecksum];
    return known.includes(stated) ? null : different();
  }
  const whole = await askStore(store, { method: "GET", key: expected.key });
  if (whole.kind === "failed") return whole;
  try {
    return (await sha256Of(whole.response, expected.byteLength)) === expected.sha256 ? null : different();
  } catch {
    return attemptFailed("STORE_UNAVAILABLE", "The store broke off while an object was read back.");
  }
}

/** The hash of an answer's body; null as soon as it is longer than it may be: a store may send without end. */
async function sha256Of({ body }: Response, bytesMax: number): Promise<string | null> {
  const digest = new crypto.DigestStream("SHA-256");
  const writer = digest.getWriter();
  let byteLength = 0;
  for await (const chunk of body ?? new Blob([]).stream()) {
    byteLength += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (byteLength > bytesMax) return null;
    await writer.write(chunk);
  }
  await writer.close();
  return toHex(await digest.digest);
}

const different = () => attemptFailed("CHECKSUM_MISMATCH", "The store holds other bytes than were sent.");
