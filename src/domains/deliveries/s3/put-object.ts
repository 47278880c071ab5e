import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import type { VerifiedFile } from "#domains/artifacts/stored-file.ts";
import { sha256Hex, sha256HexOfStream } from "#platform/crypto/hashing.ts";
import { discard } from "#platform/outbound/http-client.ts";
import type { AttemptFailure } from "../delivery.ts";
import { type FileParts, type OnUploadCreated, uploadMultipart } from "./multipart-upload.ts";
import { withChecksumFallback } from "./s3-checksums.ts";
import { requestS3, type S3Store } from "./s3-client.ts";
import { hexToBase64, verifyObject } from "./verify-object.ts";

/** Null when the object was put and verified. */
export type PutResult = AttemptFailure | null;

/** A verified file in our storage. It is streamed, never buffered as a whole. */
export interface FileSource {
  readonly bucket: R2Bucket;
  readonly verified: VerifiedFile;
}

/** An object for one PutObject request, which may be sent twice. */
interface SingleObject {
  readonly key: string;
  readonly byteLength: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly open: () => Promise<ReadableStream | Uint8Array>;
}

async function putSingle(store: S3Store, object: SingleObject): Promise<PutResult> {
  const { key, byteLength, sha256, contentType } = object;
  const checksum = hexToBase64(sha256);
  const put = await withChecksumFallback<readonly string[]>(store.checksums, "put", async (withChecksums) => {
    const answer = await requestS3(store, {
      method: "PUT",
      key,
      body: await object.open(),
      bodySha256: sha256,
      headers: {
        "Content-Type": contentType,
        ...(withChecksums ? { "x-amz-checksum-sha256": checksum } : {}),
      },
    });
    if (answer.kind === "failed") return answer;
    discard(answer.response);
    return { kind: "sent", value: withChecksums ? [checksum] : [] };
  });
  if (put.kind === "failed") return put;
  return verifyObject(store, { key, byteLength, sha256, checksums: put.value });
}

/** Puts and verifies an object from memory. */
export async function putBytes(
  store: S3Store,
  key: string,
  bytes: Uint8Array,
  contentType: string,
): Promise<PutResult> {
  return putSingle(store, {
    key,
    byteLength: bytes.byteLength,
    sha256: await sha256Hex(bytes),
    contentType,
    open: async () => bytes,
  });
}

interface Range {
  readonly offset: number;
  readonly length: number;
}

/** The verified bytes of a range. Throws when our object has been replaced since its verification. */
async function openRange({ bucket, verified }: FileSource, range: Range): Promise<ReadableStream> {
  const object = await bucket.get(verified.file.objectKey, { range, onlyIf: { etagMatches: verified.etag } });
  if (object === null || !("body" in object)) throw new Error("a verified file changed while it was sent");
  return object.body;
}

/** A range as a body with a Content-Length, which stores require. */
const openBody = async (source: FileSource, range: Range): Promise<ReadableStream> =>
  (await openRange(source, range)).pipeThrough(new FixedLengthStream(range.length));

/** Puts and verifies a file with one request. */
export async function putFile(store: S3Store, key: string, source: FileSource): Promise<PutResult> {
  const { byteLength, sha256, contentType } = source.verified.file;
  const open = () => openBody(source, { offset: 0, length: byteLength });
  return putSingle(store, { key, byteLength, sha256, contentType, open });
}

/** The parts of a file. Each is read twice: for its SHA-256, which is signed, and to be sent. */
function partsOf(source: FileSource): FileParts {
  const { byteLength, contentType } = source.verified.file;
  const { partBytes } = DELIVERY_LIMITS;
  return {
    contentType,
    count: Math.ceil(byteLength / partBytes),
    read: async (index) => {
      const offset = index * partBytes;
      const range = { offset, length: Math.min(partBytes, byteLength - offset) };
      const sha256 = await sha256HexOfStream(await openRange(source, range));
      return { sha256, body: await openBody(source, range) };
    },
  };
}

/**
 * Puts and verifies a file with a multipart upload. A store that refuses checksums gets a new upload without any: S3
 * requires them in all requests of an upload or in none.
 */
export async function putFileMultipart(
  store: S3Store,
  key: string,
  source: FileSource,
  onUploadCreated: OnUploadCreated,
): Promise<PutResult> {
  const { byteLength, sha256 } = source.verified.file;
  const put = await withChecksumFallback(store.checksums, "parts", (withChecksums) =>
    uploadMultipart(store, key, partsOf(source), withChecksums, onUploadCreated),
  );
  if (put.kind === "failed") return put;
  // Some stores return the SHA-256 of all bytes where S3 returns the composite checksum of the parts.
  const checksums = put.value === null ? [] : [put.value, hexToBase64(sha256)];
  return verifyObject(store, { key, byteLength, sha256, checksums });
}
