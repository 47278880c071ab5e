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
  if (head.kind === "failed") return head;
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
  const digest = new crypto.DigestStream("SHA-256");
  try {
    await (whole.response.body ?? new Blob([]).stream()).pipeTo(digest);
  } catch {
    return attemptFailed("STORE_UNAVAILABLE", "The store broke off while an object was read back.");
  }
  return toHex(await digest.digest) === expected.sha256 ? null : different();
}

const different = () => attemptFailed("CHECKSUM_MISMATCH", "The store holds other bytes than were sent.");
