import { hexToUint8Array, uint8ArrayToBase64, uint8ArrayToHex } from "uint8array-extras";
import { discard } from "#platform/outbound/http-client.ts";
import { attemptFailed } from "../delivery.ts";
import type { S3Failure, Sent } from "./s3-checksums.ts";
import { requestS3, type S3Store } from "./s3-client.ts";

/** An object as it must be in the store. */
export interface ExpectedObject {
  readonly key: string;
  readonly byteLength: number;
  /** SHA-256 of all bytes, lower-case hex. */
  readonly sha256: string;
  /** The store must return one of these checksums. Empty when the object was put without checksums. */
  readonly checksums: readonly string[];
}

export const hexToBase64 = (hex: string): string => uint8ArrayToBase64(hexToUint8Array(hex));

/**
 * Null when the store has the object, otherwise the failure. Length and SHA-256 in a HEAD response suffice, because S3
 * computes them from the bytes it received. Without a checksum the object is read back and hashed, because not all
 * stores use the same hash as the ETag. Each attempt always reads back its first object, to detect a store that only
 * repeats the checksum it was sent.
 */
export async function verifyObject(store: S3Store, expected: ExpectedObject): Promise<S3Failure | null> {
  if (expected.checksums.length > 0 && store.checksums.isUsed("head")) {
    const found = await readChecksum(store, expected);
    if (found.kind === "failed") return found;
    if (found.value && store.checksums.hasReadBack) return null;
    if (!found.value) await store.checksums.remember("head", false);
  }
  return readBack(store, expected);
}

/**
 * True when the store returns an expected checksum, false when it returns none, and a failure when it returns a
 * different one. A proxy that changes HEAD to GET breaks the signature, so after a 403 the HEAD is repeated as a GET,
 * of which only the headers are read.
 */
async function readChecksum(store: S3Store, expected: ExpectedObject): Promise<Sent<boolean>> {
  const ask = (method: "HEAD" | "GET") =>
    requestS3(store, { method, key: expected.key, headers: { "x-amz-checksum-mode": "ENABLED" } });
  let head = await ask("HEAD");
  if (head.kind === "failed" && head.receiverStatus === 403) head = await ask("GET");
  if (head.kind === "failed") {
    return head.mayRefuseChecksums === true ? { kind: "sent", value: false } : missingOr(head);
  }
  discard(head.response);
  const { headers } = head.response;
  if (Number(headers.get("Content-Length")) !== expected.byteLength) return differentLength();
  const found = headers.get("x-amz-checksum-sha256");
  if (found === null) return { kind: "sent", value: false };
  return expected.checksums.includes(found) ? { kind: "sent", value: true } : different();
}

async function readBack(store: S3Store, expected: ExpectedObject): Promise<S3Failure | null> {
  const whole = await requestS3(store, { method: "GET", key: expected.key });
  if (whole.kind === "failed") return missingOr(whole);
  const length = whole.response.headers.get("Content-Length");
  if (length !== null && Number(length) !== expected.byteLength) {
    discard(whole.response);
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

/** The SHA-256 of a body; null as soon as it exceeds `bytesMax`, because a store may send endlessly. */
async function sha256Of({ body }: Response, bytesMax: number): Promise<string | null> {
  const digest = new crypto.DigestStream("SHA-256");
  const writer = digest.getWriter();
  let byteLength = 0;
  for await (const chunk of body ?? new Blob([]).stream()) {
    byteLength += chunk.byteLength;
    // Returning cancels the body.
    if (byteLength > bytesMax) return null;
    await writer.write(chunk);
  }
  await writer.close();
  return uint8ArrayToHex(await digest.digest);
}

/** A 404 may be temporary: some stores show a new object late. */
const missingOr = (failure: S3Failure): S3Failure =>
  failure.receiverStatus === 404
    ? attemptFailed("CHECKSUM_MISMATCH", "The store took an object and does not have it.", 404)
    : failure;

const differentLength = () =>
  attemptFailed("CHECKSUM_MISMATCH", "The store holds an object of another length than was sent.");
const different = () => attemptFailed("CHECKSUM_MISMATCH", "The store holds other bytes than were sent.");
