import type { VerifiedFile } from "../artifacts/stored-file.ts";
import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import { sha256Hex, sha256HexOfStream } from "../platform/hashing.ts";
import { discard, readLimited } from "../platform/outbound.ts";
import { type AttemptFailure, attemptFailed } from "./delivery.ts";
import { askStore, errorCodeOf, refusalOf, type Store } from "./s3-client.ts";
import { hexToBase64, verifyObject } from "./verify-object.ts";

/** How an object is put: whole, or in parts. Gives null when it lies in the store, checked. */
export type PutResult = AttemptFailure | null;

/** Bytes that are at hand. */
export async function putBytes(
  store: Store,
  key: string,
  bytes: Uint8Array,
  contentType: string,
): Promise<PutResult> {
  const sha256 = await sha256Hex(bytes);
  const put = await askStore(store, {
    method: "PUT",
    key,
    body: bytes,
    bodySha256: sha256,
    headers: { "Content-Type": contentType, "x-amz-checksum-sha256": hexToBase64(sha256) },
  });
  if (put.kind === "failed") return put;
  await discard(put.response);
  return verifyObject(store, { key, byteLength: bytes.byteLength, sha256, compositeChecksum: null });
}

/** A stored file whose bytes were read whole and found true; it is streamed, never held. */
export interface FileSource {
  readonly bucket: R2Bucket;
  readonly verified: VerifiedFile;
}

interface Range {
  readonly offset: number;
  readonly length: number;
}

/** The verified bytes of a range. Throws when the object was replaced since: a fault, and the file is read anew. */
async function openRange({ bucket, verified }: FileSource, range: Range): Promise<ReadableStream> {
  const object = await bucket.get(verified.file.objectKey, { range, onlyIf: { etagMatches: verified.etag } });
  if (object === null || !("body" in object)) throw new Error("a verified file changed while it was sent");
  return object.body;
}

/** A body of known length: stores refuse one that does not say it. */
const ofLength = (stream: ReadableStream, byteLength: number): ReadableStream =>
  stream.pipeThrough(new FixedLengthStream(byteLength));

export async function putFile(store: Store, key: string, source: FileSource): Promise<PutResult> {
  const { byteLength, sha256, contentType } = source.verified.file;
  const whole = { offset: 0, length: byteLength };
  const put = await askStore(store, {
    method: "PUT",
    key,
    body: ofLength(await openRange(source, whole), byteLength),
    bodySha256: sha256,
    headers: { "Content-Type": contentType, "x-amz-checksum-sha256": hexToBase64(sha256) },
  });
  if (put.kind === "failed") return put;
  await discard(put.response);
  return verifyObject(store, { key, byteLength, sha256, compositeChecksum: null });
}

/** Remembers the upload in parts that has begun, so that it can be ended by whoever comes after a crash. */
export type NoteUpload = (uploadId: string) => Promise<void>;

/** Lets the store forget parts that lead nowhere. Best effort: what it keeps, a rule of the bucket removes. */
export async function abortUpload(store: Store, key: string, uploadId: string): Promise<void> {
  await askStore(store, { method: "DELETE", key, query: { uploadId } });
}

interface Part {
  readonly number: number;
  readonly etag: string;
  readonly sha256: string;
}

/** The parts' digests one after another, hashed: what S3 states for an object in parts. */
async function compositeChecksumOf(parts: readonly Part[]): Promise<string> {
  const digests = parts.flatMap(({ sha256 }) =>
    (sha256.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)),
  );
  return `${hexToBase64(await sha256Hex(new Uint8Array(digests)))}-${parts.length}`;
}

/** A file above the size that is put at once, in parts. A failure ends the upload in the store as well. */
export async function putFileInParts(
  store: Store,
  key: string,
  source: FileSource,
  noteUpload: NoteUpload,
): Promise<PutResult> {
  const begun = await askStore(store, {
    method: "POST",
    key,
    query: { uploads: "" },
    headers: { "Content-Type": source.verified.file.contentType, "x-amz-checksum-algorithm": "SHA256" },
  });
  if (begun.kind === "failed") return begun;
  const answer = await readLimited(begun.response, DELIVERY_LIMITS.answerBytesMax).catch(() => "");
  const uploadId = /<UploadId>([\w.~+/=:-]{1,1024})<\/UploadId>/.exec(answer)?.[1];
  if (uploadId === undefined)
    return attemptFailed("STORE_UNAVAILABLE", "The store began an upload without an id.");
  await noteUpload(uploadId);
  const failure = await sendParts(store, key, uploadId, source);
  if (failure !== null) await abortUpload(store, key, uploadId);
  return failure;
}

async function sendParts(
  store: Store,
  key: string,
  uploadId: string,
  source: FileSource,
): Promise<PutResult> {
  const { byteLength, sha256 } = source.verified.file;
  const parts: Part[] = [];
  for (let offset = 0; offset < byteLength; offset += DELIVERY_LIMITS.partBytes) {
    const range = { offset, length: Math.min(DELIVERY_LIMITS.partBytes, byteLength - offset) };
    const part = await sendPart(store, key, uploadId, parts.length + 1, source, range);
    if ("kind" in part) return part;
    parts.push(part);
  }
  const listed = parts.map(
    (part) =>
      `<Part><PartNumber>${part.number}</PartNumber><ETag>${part.etag}</ETag>` +
      `<ChecksumSHA256>${hexToBase64(part.sha256)}</ChecksumSHA256></Part>`,
  );
  const body = new TextEncoder().encode(
    `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${listed.join("")}</CompleteMultipartUpload>`,
  );
  const completed = await askStore(store, {
    method: "POST",
    key,
    query: { uploadId },
    body,
    bodySha256: await sha256Hex(body),
    headers: { "Content-Type": "application/xml" },
  });
  if (completed.kind === "failed") return completed;
  // S3 answers 200 before it has put the parts together, and may then say in the body that it could not.
  const text = await readLimited(completed.response, DELIVERY_LIMITS.answerBytesMax).catch(() => null);
  if (text === null) return attemptFailed("STORE_UNAVAILABLE", "The store broke its answer off.");
  if (/<Error[\s>]/.test(text)) {
    return refusalOf(new Response(null, { status: 503 }), errorCodeOf(text), 0);
  }
  return verifyObject(store, {
    key,
    byteLength,
    sha256,
    compositeChecksum: await compositeChecksumOf(parts),
  });
}

/** One part: read once to learn its hash, which is signed, and once to be sent. */
async function sendPart(
  store: Store,
  key: string,
  uploadId: string,
  number: number,
  source: FileSource,
  range: Range,
): Promise<Part | AttemptFailure> {
  const sha256 = await sha256HexOfStream(await openRange(source, range));
  const put = await askStore(store, {
    method: "PUT",
    key,
    query: { partNumber: String(number), uploadId },
    body: ofLength(await openRange(source, range), range.length),
    bodySha256: sha256,
    headers: { "x-amz-checksum-sha256": hexToBase64(sha256) },
  });
  if (put.kind === "failed") return put;
  await discard(put.response);
  const etag = put.response.headers.get("ETag") ?? "";
  if (!/^"?[A-Za-z0-9+/=_-]{1,128}"?$/.test(etag)) {
    return attemptFailed("STORE_UNAVAILABLE", "The store took a part without naming it.");
  }
  return { number, etag: etag.replaceAll('"', "&quot;"), sha256 };
}
