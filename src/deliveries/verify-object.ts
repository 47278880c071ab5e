import { hexToUint8Array, uint8ArrayToBase64, uint8ArrayToHex } from "uint8array-extras";
import { discard } from "../platform/outbound.ts";
import { attemptFailed } from "./delivery.ts";
import { askStore, type Store } from "./s3-client.ts";
import type { Sent, StoreFailure } from "./store-checksums.ts";

/** What must lie in the store under a key. */
export interface ExpectedObject {
  readonly key: string;
  readonly byteLength: number;
  /** Of all bytes, lower-case hex. */
  readonly sha256: string;
  /** The checksums of which the store states one: none when it was put without. */
  readonly checksums: readonly string[];
}

export const hexToBase64 = (hex: string): string => uint8ArrayToBase64(hexToUint8Array(hex));

/**
 * Null when the store holds the object whole; else why the attempt failed. The store's own statement of length and
 * SHA-256 is enough where it has one: S3 computes it from the bytes that it took. Where it has none, or refuses to be
 * asked, the object is read back and hashed; an ETag is no hash that all stores agree on. The first object of every
 * attempt is read back in any case, so that a store which only repeats what it was sent is found.
 */
export async function verifyObject(store: Store, expected: ExpectedObject): Promise<StoreFailure | null> {
  if (expected.checksums.length > 0 && store.checksums.isUsed("head")) {
    const stated = await readStatement(store, expected);
    if (stated.kind === "failed") return stated;
    if (stated.value && store.checksums.hasReadBack) return null;
    if (!stated.value) await store.checksums.remember("head", false);
  }
  return readBack(store, expected);
}

/** Whether the store states the object's checksum; a failure when it states another one. */
async function readStatement(store: Store, expected: ExpectedObject): Promise<Sent<boolean>> {
  const head = await askStore(store, {
    method: "HEAD",
    key: expected.key,
    headers: { "x-amz-checksum-mode": "ENABLED" },
  });
  if (head.kind === "failed") {
    return head.isAboutHeaders === true ? { kind: "sent", value: false } : missingOr(head);
  }
  const { headers } = head.response;
  if (Number(headers.get("Content-Length")) !== expected.byteLength) return differentLength();
  const stated = headers.get("x-amz-checksum-sha256");
  if (stated === null) return { kind: "sent", value: false };
  return expected.checksums.includes(stated) ? { kind: "sent", value: true } : different();
}

async function readBack(store: Store, expected: ExpectedObject): Promise<StoreFailure | null> {
  const whole = await askStore(store, { method: "GET", key: expected.key });
  if (whole.kind === "failed") return missingOr(whole);
  const length = whole.response.headers.get("Content-Length");
  if (length !== null && Number(length) !== expected.byteLength) {
    await discard(whole.response);
    return differentLength();
  }
  try {
    if ((await sha256Of(whole.response, expected.byteLength)) !== expected.sha256) return different();
  } catch {
    return attemptFailed("STORE_UNAVAILABLE", "The store broke off while an object was read back.");
  }
  store.checksums.hasReadBack = true;
  return null;
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
  return uint8ArrayToHex(await digest.digest);
}

/** A store that took the object a moment ago, and may yet show it; or the failure as it is. */
const missingOr = (failure: StoreFailure): StoreFailure =>
  failure.receiverStatus === 404
    ? attemptFailed("CHECKSUM_MISMATCH", "The store took an object and does not have it.", 404)
    : failure;

const differentLength = () =>
  attemptFailed("CHECKSUM_MISMATCH", "The store holds an object of another length than was sent.");
const different = () => attemptFailed("CHECKSUM_MISMATCH", "The store holds other bytes than were sent.");
