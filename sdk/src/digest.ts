/** Verifies downloaded bytes. */

export interface ExpectedBytes {
  readonly byteLength?: number | undefined;
  /** Lower-case hex. */
  readonly sha256?: string | undefined;
}

/** Bytes in lower-case hex. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** SHA-256 in lower-case hex. */
export const sha256Hex = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

/** SHA-256 from the headers of a download (RFC 9530), in lower-case hex; null without one. */
function digestOf(headers: Headers): string | null {
  const encoded = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(headers.get("Repr-Digest") ?? "")?.[1];
  if (encoded === undefined) return null;
  return hexOf(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
}

/**
 * Length from the headers; null if the body was compressed in transit, because Content-Length is then the compressed
 * length.
 */
function lengthOf(headers: Headers): number | null {
  const length = headers.get("Content-Length");
  return length === null || headers.has("Content-Encoding") ? null : Number(length);
}

/**
 * Compares downloaded bytes with their headers and the expected values. Returns a message about the first difference;
 * null if there is none.
 */
export async function findDownloadFault(
  bytes: Uint8Array<ArrayBuffer>,
  headers: Headers,
  expected: ExpectedBytes,
): Promise<string | null> {
  for (const length of [lengthOf(headers), expected.byteLength]) {
    if (length != null && length !== bytes.byteLength) {
      return `The download has ${bytes.byteLength} bytes and should have ${length}.`;
    }
  }
  const digests = [digestOf(headers), expected.sha256].filter((digest) => digest != null);
  if (digests.length === 0) return null;
  const sha256 = await sha256Hex(bytes);
  return digests.every((digest) => digest === sha256)
    ? null
    : "The download does not have the SHA-256 that it should.";
}
